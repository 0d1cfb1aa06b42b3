/** Another tick rate for a simulation that is paused between two ticks. */
import { expect, test } from 'vitest';
import { connectInVirtualTime } from '../../fixtures/virtual-time.js';

test('makes no ticks due: a step runs the requested number, and it continues without a burst', async () => {
  const { time, simulation } = await connectInVirtualTime({ tickRateHz: 10 });
  // Nearly a period after the last tick.
  await time.advance(195);
  await time.until(simulation.pause());
  const { tick } = simulation.stats();
  await time.until(simulation.setTickRate(1000));
  expect(await time.until(simulation.step(3))).toBe(tick + 3);
  await time.until(simulation.setTickRate(2));
  expect(await time.until(simulation.step(1))).toBe(tick + 4);
  await time.until(simulation.setTickRate(100));
  await time.until(simulation.resume());
  const before = simulation.stats();
  await time.advance(100);
  const after = simulation.stats();
  expect(Math.abs(after.tick - before.tick - 10)).toBeLessThanOrEqual(1);
  expect([after.droppedTicks, after.catchUpPasses]).toEqual([0, before.catchUpPasses]);
});
