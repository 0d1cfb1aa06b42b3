/** The loops of the articles in a worker thread, on the real clock: counts and orders. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { STEPPER_INFO } from '../../src/shared/steppers/stepper-info.js';
import { STEPPER_KINDS } from '../../src/shared/steppers/stepper.js';
import { WORKER_STEPPERS } from '../../src/shared/steppers/worker-steppers.js';
import { connectToyForTest } from '../fixtures/threads.js';

test('the steppers for workers are those whose description says so', () => {
  expect(WORKER_STEPPERS).toEqual(STEPPER_KINDS.filter((kind) => STEPPER_INFO[kind].runsInWorker));
});

describe.each(WORKER_STEPPERS)('%s in a worker', (kind) => {
  test('simulates as much time as passes, and draws forwards', async () => {
    const simulation = await connectToyForTest({ stepper: { kind }, tickRateHz: 50 });
    let lastTick = -1;
    for (let frame = 0; frame < 60; frame++) {
      const sampled = simulation.sample(performance.now());
      expect(sampled.alpha).toBeGreaterThanOrEqual(0);
      expect(sampled.alpha).toBeLessThanOrEqual(1);
      expect(sampled.tick).toBeGreaterThanOrEqual(lastTick);
      lastTick = sampled.tick;
      await delay(10);
    }
    expect(simulation.state).toBe('running');
    expect(simulation.stats().tick).toBeGreaterThan(10);
    // A single look may find the worker of a busy machine at work.
    await vi.waitFor(
      () => {
        const { simulatedS, elapsedMs, droppedTicks } = simulation.stats();
        // Within two nominal steps: `bounded-variable` may be one ahead, the others one behind.
        const missingS = elapsedMs / 1000 - simulatedS - droppedTicks / 50;
        expect(Math.abs(missingS)).toBeLessThan(2.5 / 50);
      },
      { timeout: 20_000, interval: 5 },
    );
  });

  test('stands still while paused, steps, goes on, and takes another rate and scale', async () => {
    const simulation = await connectToyForTest({ stepper: { kind }, tickRateHz: 50 });
    await delay(100);
    await simulation.pause();
    const { tick, simulatedS } = simulation.stats();
    await delay(100);
    expect(simulation.stats().tick).toBe(tick);
    await simulation.step(2);
    expect(simulation.stats().simulatedS).toBeGreaterThan(simulatedS);
    await simulation.setTickRate(100);
    await simulation.setTimeScale(0.5);
    await simulation.resume();
    const before = simulation.stats();
    await delay(400);
    await vi.waitFor(
      () => {
        const after = simulation.stats();
        const droppedS = (after.droppedTicks - before.droppedTicks) / 100;
        const realS = (after.elapsedMs - before.elapsedMs) / 1000;
        const missingS = realS * 0.5 - (after.simulatedS - before.simulatedS) - droppedS;
        expect(Math.abs(missingS)).toBeLessThan(0.06);
      },
      { timeout: 20_000, interval: 5 },
    );
  });
});
