/**
 * Overload in real threads. The exact behaviour is tested in virtual time:
 * tests/unit/simulation/overload.test.ts.
 */
import { describe, expect, test } from 'vitest';
import type { ConnectOptions, SimulationStatus } from '../../src/render-main/index.js';
import { replay } from '../../src/sim-worker/index.js';
import { sleep } from '../fixtures/busy.js';
import { eventually } from '../fixtures/eventually.js';
import { connectToyForTest, ticksPass, type ToyHandle } from '../fixtures/threads.js';
import { createToy } from '../fixtures/toy-simulation.js';

/**
 * At each wake-up at least 23 ticks of 4 ms are due, more than 20 of which are critical; it runs
 * one, and drops the rest.
 */
const OVERLOADED: ConnectOptions = { tickRateHz: 240, maxCatchUpTicks: 1, capacity: 64 };
const STEP = { stepCostMs: 100 };

function follow(simulation: ToyHandle): string[] {
  const states: string[] = [];
  simulation.on('status', (status: SimulationStatus) => {
    if (status.kind === 'watchdog') states.push(status.state);
  });
  return states;
}

const timesIn = (states: readonly string[], wanted: string): number =>
  states.filter((state) => state === wanted).length;

describe('a simulation that falls further and further behind', () => {
  test('is reported, continues in slow motion by default, and is evaluated again after a pause', async () => {
    const simulation = await connectToyForTest(OVERLOADED, STEP);
    const states = follow(simulation);
    await eventually(() => expect(states.at(-1)).toBe('unresponsive'));
    expect(simulation.stats()).toMatchObject({ watchdog: 'unresponsive', state: 'running' });
    await ticksPass(simulation, 1);
    await simulation.pause();
    await simulation.resume();
    // From there it has to reach that state again.
    await eventually(() => expect(timesIn(states, 'unresponsive')).toBe(2));
    expect(timesIn(states, 'critical')).toBeGreaterThanOrEqual(2);
  });

  test('is paused if that was chosen', async () => {
    const simulation = await connectToyForTest({ ...OVERLOADED, whenUnresponsive: 'pause' }, STEP);
    const states = follow(simulation);
    await eventually(() => expect(simulation.state).toBe('paused'));
    expect(states.at(-1)).toBe('unresponsive');
    // Ticks due beyond the bound of a pass are dropped: when the call has been answered, it is
    // paused.
    await simulation.pause();
    const { tick, droppedTicks } = simulation.stats();
    for (let call = 0; call < 20; call++) await simulation.queries.echo(call);
    expect(simulation.stats()).toMatchObject({ tick, droppedTicks });
    expect(simulation.state).toBe('paused');
  });

  test('notifies the application, which lowers the load, and recovers', async () => {
    const simulation = await connectToyForTest(OVERLOADED, STEP);
    const states = follow(simulation);
    simulation.on('status', (status) => {
      if (status.kind !== 'watchdog' || status.state !== 'unresponsive') return;
      void simulation.queries.setStepCost(0);
      void simulation.resume();
    });
    await eventually(() => expect(states).toContain('unresponsive'));
    await eventually(() => expect(simulation.stats().watchdog).toBe('ok'));
    await ticksPass(simulation);
  });

  test('drops ticks, but neither inputs nor their effects', async () => {
    const simulation = await connectToyForTest(
      { ...OVERLOADED, recording: { hashEveryTicks: 2 } },
      STEP,
    );
    let sent = 0;
    while (sent < 60 || simulation.stats().droppedTicks < 40) {
      const input = { kind: 'custom', code: sent, device: 0, x: 0.01, y: 0, z: 0, w: 0 } as const;
      expect(simulation.inputs.push(input, performance.now())).toBe(true);
      sent += 1;
      await sleep(5);
    }
    await simulation.pause();
    await simulation.step(4);
    expect(simulation.stats().droppedTicks).toBeGreaterThanOrEqual(40);
    const recording = simulation.recording();
    const codes = recording.entries.flatMap((entry) =>
      entry.kind === 'input' ? [entry.input.code] : [],
    );
    expect(codes).toEqual(Array.from({ length: sent }, (_, code) => code));
    const report = await replay(createToy(), recording);
    expect(report).toMatchObject({ tick: recording.lastTick, differsAt: undefined });
    expect(report.hashes).toBeGreaterThan(1);
  });
});
