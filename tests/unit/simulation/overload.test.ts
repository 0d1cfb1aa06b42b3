/** A simulation that owes more and more ticks, in virtual time. */
import { describe, expect, test } from 'vitest';
import type { ConnectOptions, SimulationStatus } from '../../../src/render-main/index.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

/** Each wake-up owes 24 or 25 ticks of 4 ms, runs one, and drops the rest. */
const OVERLOADED: ConnectOptions = { tickRateHz: 240, maxCatchUpTicks: 1, capacity: 64 };
const STEP_MS = 100;

async function overloaded(options: ConnectOptions = {}) {
  const reported: string[] = [];
  const connected = await connectInVirtualTime(
    { ...OVERLOADED, ...options },
    { stepCostMs: STEP_MS },
  );
  connected.simulation.on('status', (status: SimulationStatus) => {
    if (status.kind === 'watchdog') reported.push(status.state);
  });
  return { ...connected, reported };
}

describe('a simulation that owes more and more ticks', () => {
  test('is told of, goes on in slow motion by default, and is judged anew after a pause', async () => {
    const { time, simulation, reported } = await overloaded();
    expect(simulation.stats().watchdog).toBe('ok');
    await time.advance(5000);
    expect(reported).toEqual(['critical', 'unresponsive']);
    const stats = simulation.stats();
    expect(stats).toMatchObject({ watchdog: 'unresponsive', state: 'running' });
    expect(stats.effectiveSpeed).toBeCloseTo(1000 / STEP_MS / 240, 2);
    await time.advance(1000);
    const later = simulation.stats();
    // It never sleeps: one step after the other.
    const tookMs = (later.tick - stats.tick) * STEP_MS;
    expect(later.elapsedMs - stats.elapsedMs).toBeCloseTo(tookMs, 6);
    // Nothing more is told of what everybody knows.
    expect(reported).toHaveLength(2);

    await time.until(simulation.pause());
    await time.until(simulation.queries.setStepCost(0));
    await time.until(simulation.resume());
    await time.advance(1000);
    expect(simulation.stats().watchdog).toBe('ok');
    await time.until(simulation.queries.setStepCost(STEP_MS));
    await time.advance(5000);
    expect(reported.slice(2)).toEqual(['critical', 'unresponsive']);
  });

  test('is paused if that was chosen', async () => {
    const { time, simulation, reported } = await overloaded({ whenUnresponsive: 'pause' });
    await time.advance(5000);
    expect(simulation.state).toBe('paused');
    expect(reported.at(-1)).toBe('unresponsive');
    const { tick, droppedTicks } = simulation.stats();
    await time.advance(5000);
    expect(simulation.stats()).toMatchObject({ tick, droppedTicks });
  });

  test('tells the application, which lowers the load, and is fine again', async () => {
    const { time, simulation, reported } = await overloaded();
    simulation.on('status', (status) => {
      if (status.kind !== 'watchdog' || status.state !== 'unresponsive') return;
      void simulation.queries.setStepCost(0);
      void simulation.resume();
    });
    await time.advance(5000);
    // What was owed by then is critical once more.
    expect(reported).toEqual(['critical', 'unresponsive', 'critical', 'ok']);
    simulation.resetStats();
    await time.advance(1000);
    expect(simulation.stats()).toMatchObject({ watchdog: 'ok', droppedTicks: 0 });
    expect(simulation.stats().ticks).toBeGreaterThanOrEqual(239);
  });

  test('stays unresponsive when the load is lowered, until resume() has it judged anew', async () => {
    const { time, simulation } = await overloaded();
    await time.advance(5000);
    await time.until(simulation.queries.setStepCost(0));
    await time.advance(5000);
    expect(simulation.stats()).toMatchObject({ watchdog: 'unresponsive', state: 'running' });
    await time.until(simulation.resume());
    expect(simulation.stats().watchdog).toBe('ok');
    await time.advance(5000);
    expect(simulation.stats().watchdog).toBe('ok');
  });

  test('is judged by the thresholds that were given', async () => {
    const watchdog = { slowUpdates: 30, criticalUpdates: 40 };
    const { time, simulation, reported } = await overloaded({ watchdog });
    await time.advance(5000);
    expect(reported).toEqual([]);
    expect(simulation.stats().watchdog).toBe('ok');
    expect(simulation.stats().effectiveSpeed).toBeLessThan(0.05);
  });
});
