/** A simulation that falls further and further behind, in virtual time. */
import { describe, expect, test } from 'vitest';
import type { ConnectOptions, SimulationStatus } from '../../../src/render-main/index.js';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

/** At each wake-up 24 or 25 ticks of 4 ms are due; it runs one, and drops the rest. */
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

describe('a simulation that falls further and further behind', () => {
  test('is reported, continues in slow motion by default, and is evaluated again after a pause', async () => {
    const { time, simulation, reported } = await overloaded();
    expect(simulation.stats().watchdog).toBe('ok');
    await time.advance(5000);
    expect(reported).toEqual(['critical', 'unresponsive']);
    const stats = simulation.stats();
    expect(stats).toMatchObject({ watchdog: 'unresponsive', state: 'running' });
    expect(stats.effectiveSpeed).toBeCloseTo(1000 / STEP_MS / 240, 2);
    await time.advance(1000);
    const later = simulation.stats();
    // It never sleeps: one step follows the other.
    const tookMs = (later.tick - stats.tick) * STEP_MS;
    expect(later.elapsedMs - stats.elapsedMs).toBeCloseTo(tookMs, 6);
    // The state is not reported again.
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

  test('notifies the application, which lowers the load, and recovers', async () => {
    const { time, simulation, reported } = await overloaded();
    simulation.on('status', (status) => {
      if (status.kind !== 'watchdog' || status.state !== 'unresponsive') return;
      void simulation.queries.setStepCost(0);
      void simulation.resume();
    });
    await time.advance(5000);
    // The backlog until then is critical again.
    expect(reported).toEqual(['critical', 'unresponsive', 'critical', 'ok']);
    simulation.resetStats();
    await time.advance(1000);
    expect(simulation.stats()).toMatchObject({ watchdog: 'ok', droppedTicks: 0 });
    expect(simulation.stats().ticks).toBeGreaterThanOrEqual(239);
  });

  test('stays unresponsive when the load is lowered, until resume() has it evaluated again', async () => {
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

  test('is evaluated by the given thresholds', async () => {
    const watchdog = { slowUpdates: 30, criticalUpdates: 40 };
    const { time, simulation, reported } = await overloaded({ watchdog });
    await time.advance(5000);
    expect(reported).toEqual([]);
    expect(simulation.stats().watchdog).toBe('ok');
    expect(simulation.stats().effectiveSpeed).toBeLessThan(0.05);
  });
});
