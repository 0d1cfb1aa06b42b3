/** Two threads race over a queue; its rules are tested in tests/unit/shared/memory. */
import { expect, test } from 'vitest';
import { QueueWriter } from '../../src/shared/memory/record-queue.js';
import type { QueueProtocol } from '../fixtures/queue-race.js';
import { queueRace } from '../fixtures/races.js';
import { startThread } from '../fixtures/threads.js';
import { assertQueue } from '../fixtures/invariants.js';

const RECORDS = 200_000;
/** Small, so that it is full and empty all the time; about sixty records. */
const RING = 1024;

test.each([
  ['in order', 0],
  ['with every fifth taken later', 5],
])('records from one thread to another arrive whole, once each, %s', async (_, leaveEvery) => {
  const { faults, pushed, taken, left, retried, refused, views } = await queueRace(
    startThread,
    'record queue',
    RING,
    RECORDS,
    leaveEvery,
  );
  expect({ faults, pushed, taken }).toEqual({ faults: 0, pushed: RECORDS, taken: RECORDS });
  expect(left).toBe(leaveEvery === 0 ? 0 : RECORDS / leaveEvery);
  expect(refused).toBe(retried);
  expect(refused).toBeGreaterThan(0);
  assertQueue(views);
  expect(new QueueWriter(views).freeWords).toBe(RING);
});

// The race ends only at the first fault: with both threads running it comes immediately.
test.each<QueueProtocol>(['tail before payload', 'head before reading'])(
  'the same threads find a fault without the protocol of a queue: %s',
  async (protocol) => {
    const { faults } = await queueRace(startThread, protocol, RING, 10 * RECORDS, 0);
    expect(faults).toBe(1);
  },
);
