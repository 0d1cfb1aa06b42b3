import { expect, test } from 'vitest';
import { TOY_COMMANDS } from '../../../../bench/rooms/seated-toy.js';
import { watchRoom } from '../../../../bench/rooms/virtual-stream.js';
import { slotOf } from '../../../../src/shared/memory/body-meta.js';
import { present } from '../../../fixtures/present.js';

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

test('a streamed simulation has the same bodies, tags, values and events as the room', async () => {
  const { room, run, streamed, welcome, events } = await watchRoom(
    { delayMs: 20, jitterMs: 5, loss: 0, isOrdered: true },
    8,
    1,
  );
  expect(run.bodies.bodyCount).toBe(8);
  const id = present(run.bodies.ids()[0]);
  expect(run.bodies.tag(id)).toEqual({ seat: 0, name: 'Ada' });
  expect(slotOf(id)).toBe(0);
  expect(run.values[0]).toBeGreaterThan(room.tick - 20);
  expect(run.bodies.pose(id)?.y).toBeCloseTo((run.values[0] ?? 0) / 60, 2);
  expect(Object.keys(streamed.commands)).toEqual(['push', 'shift', 'jump']);
  expect(welcome.commands).toEqual(TOY_COMMANDS);
  expect(events.take()).toBeUndefined();
});
