import { describe, expect, test, vi } from 'vitest';
import type { ConnectOptions, SimulationStatus } from '../../src/render-main/index.js';
import { replay, type Simulation } from '../../src/sim-worker/index.js';
import { sleep } from '../fixtures/busy.js';
import { connectToyForTest, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

/** Each wake-up owes about 24 ticks of 4 ms, runs one, and drops the rest. */
const OVERLOADED: ConnectOptions = { tickRateHz: 240, maxCatchUpTicks: 1, capacity: 64 };
const STEP = { stepCostMs: 100 };

function follow(simulation: ToyHandle): SimulationStatus[] {
  const statuses: SimulationStatus[] = [];
  simulation.onStatus((status) => statuses.push(status));
  return statuses;
}

const states = (statuses: readonly SimulationStatus[]): string[] =>
  statuses.flatMap((status) => (status.kind === 'watchdog' ? [status.state] : []));

describe('a simulation that owes more and more ticks', () => {
  test('is told of, goes on in slow motion by default, and is judged anew after a pause', async () => {
    const simulation = await connectToyForTest(OVERLOADED, STEP);
    const statuses = follow(simulation);
    await vi.waitFor(() => expect(states(statuses)).toContain('unresponsive'), 20_000);
    expect(states(statuses).at(-1)).toBe('unresponsive');
    expect(simulation.stats()).toMatchObject({ watchdog: 'unresponsive', state: 'running' });
    const { tick, droppedTicks } = simulation.stats();
    expect(droppedTicks).toBeGreaterThan(tick);
    await vi.waitFor(() => expect(simulation.stats().tick).toBeGreaterThan(tick), 20_000);
    await simulation.pause();
    await simulation.resume();
    expect(['ok', 'critical']).toContain(simulation.stats().watchdog);
  });

  test('is paused if that was chosen', async () => {
    const simulation = await connectToyForTest({ ...OVERLOADED, whenUnresponsive: 'pause' }, STEP);
    const statuses = follow(simulation);
    await vi.waitFor(() => expect(simulation.state).toBe('paused'), 20_000);
    expect(states(statuses).at(-1)).toBe('unresponsive');
    // What was owed beyond the bound of a pass is given up: when the call has been answered, it stands.
    await simulation.pause();
    const { tick, droppedTicks } = simulation.stats();
    await sleep(300);
    expect(simulation.stats()).toMatchObject({ tick, droppedTicks });
    expect(simulation.state).toBe('paused');
  });

  test('tells the application, which lowers the load, and is fine again', async () => {
    let simulation: ToyHandle | undefined = undefined;
    const lowerLoad = vi.fn<() => void>(() => {
      void (simulation as ToyHandle | undefined)?.commands.setStepCost(0);
    });
    simulation = await connectToyForTest({ ...OVERLOADED, whenUnresponsive: lowerLoad }, STEP);
    const handle = simulation;
    await vi.waitFor(() => expect(lowerLoad).toHaveBeenCalled(), 20_000);
    await vi.waitFor(() => expect(handle.stats().watchdog).toBe('ok'), 20_000);
    // As soon as other work on the machine lets it.
    await vi.waitFor(async () => {
      handle.resetStats();
      await sleep(200);
      expect(handle.stats().ticks).toBeGreaterThan(handle.stats().droppedTicks);
    }, 10_000);
  });

  test('is judged by the thresholds that were given', async () => {
    const watchdog = { slowUpdates: 1000, criticalUpdates: 2000 };
    const simulation = await connectToyForTest({ ...OVERLOADED, watchdog }, STEP);
    const statuses = follow(simulation);
    await vi.waitFor(() => expect(simulation.stats().tick).toBeGreaterThan(8), 20_000);
    expect(states(statuses)).toEqual([]);
    expect(simulation.stats().watchdog).toBe('ok');
  });

  test('drops ticks, and neither inputs nor what came of them', async () => {
    const simulation = await connectToyForTest({ ...OVERLOADED, hashEveryTicks: 2 }, STEP);
    for (let code = 0; code < 60; code++) {
      const input = { kind: 'custom', code, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
      expect(simulation.inputs.push(input, performance.now())).toBe(true);
      await sleep(10);
    }
    await simulation.pause();
    await simulation.step(2);
    expect(simulation.stats().droppedTicks).toBeGreaterThan(simulation.stats().tick);
    const recording = simulation.recording();
    const codes = recording.entries.flatMap((entry) =>
      entry.kind === 'input' ? [entry.input.code] : [],
    );
    expect(codes).toEqual(Array.from({ length: 60 }, (_, code) => code));
    const report = await replay(createToy() as unknown as Simulation, recording);
    expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
    expect(report.hashes).toBeGreaterThan(2);
  });
});
