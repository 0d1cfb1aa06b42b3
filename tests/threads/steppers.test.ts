/**
 * The loops of the articles in a worker thread: that they run there. Their behaviour is tested in
 * virtual time, in tests/unit.
 */
import { describe, expect, test } from 'vitest';
import { WORKER_STEPPERS } from '../../src/shared/loops/worker-steppers.js';
import { sleep } from '../fixtures/busy.js';
import { connectToyForTest, ticksPass } from '../fixtures/threads.js';

describe.each(WORKER_STEPPERS)('%s in a worker', (kind) => {
  test('runs, draws forwards, freezes while paused, steps and continues', async () => {
    const simulation = await connectToyForTest({ stepper: { kind }, tickRateHz: 100 });
    let lastTick = -1;
    while (simulation.stats().tick < 15) {
      const sampled = simulation.sample(performance.now());
      expect(sampled.alpha).toBeGreaterThanOrEqual(0);
      expect(sampled.alpha).toBeLessThanOrEqual(1);
      expect(sampled.tick).toBeGreaterThanOrEqual(lastTick);
      lastTick = sampled.tick;
      await sleep(5);
    }
    await simulation.pause();
    const { tick, simulatedS } = simulation.stats();
    for (let call = 0; call < 10; call++) await simulation.queries.echo(call);
    expect(simulation.stats()).toMatchObject({ tick, simulatedS });
    await simulation.step(2);
    expect(simulation.stats().simulatedS).toBeGreaterThan(simulatedS);
    await simulation.setTickRate(200);
    await simulation.setTimeScale(0.5);
    await simulation.resume();
    await ticksPass(simulation);
    expect(simulation.state).toBe('running');
  });
});
