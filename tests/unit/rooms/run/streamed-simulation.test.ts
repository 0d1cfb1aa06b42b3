import { expect, test } from 'vitest';
import { watchRoom } from '../../../fixtures/rooms/virtual-stream.js';

test('a streamed simulation shows every packet in its time with a round trip of 100 ± 40 ms', async () => {
  const { starved, ticks, merged, timing, slews } = await watchRoom(
    { delayMs: 30, jitterMs: 40, loss: 0, isOrdered: true },
    60,
    15,
  );
  expect(ticks).toBeGreaterThan(1000);
  expect(starved / ticks).toBeLessThan(0.005);
  expect(merged).toBeLessThan(ticks / 200);
  expect(timing.delayMs).toBeGreaterThan(50);
  expect(timing.delayMs).toBeLessThan(90);
  // The picture's speed hardly changes.
  for (const slew of slews) expect(Math.abs(slew - 1)).toBeLessThan(0.02);
});

test('a streamed simulation has no packet for less than 0.5 % of its ticks with 5 % loss, at most 300 ms behind', async () => {
  const { starved, ticks, timing } = await watchRoom(
    { delayMs: 30, jitterMs: 40, loss: 0.05, isOrdered: true },
    120,
    15,
  );
  expect(starved / ticks).toBeLessThan(0.005);
  expect(timing.delayMs).toBeLessThanOrEqual(300);
});
