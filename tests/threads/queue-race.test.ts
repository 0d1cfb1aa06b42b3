/** Two threads race over a queue; its rules are tested in tests/unit/shared/memory. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { QueueReader, QueueWriter } from '../../src/shared/memory/record-queue.js';
import { queueMemory, queueViews, type QueueProtocol } from '../fixtures/queue-race.js';
import { queueRace } from '../fixtures/races.js';
import { startThread } from '../fixtures/threads.js';
import type { QueueDeathData } from '../fixtures/workers/queue-death.worker.js';
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

// It ends only at the first fault: with both threads running it comes immediately.
test.each<QueueProtocol>(['tail before payload', 'head before reading'])(
  'the same threads find a fault without the protocol of a queue: %s',
  async (protocol) => {
    const { faults } = await queueRace(startThread, protocol, RING, 10 * RECORDS, 0);
    expect(faults).toBe(1);
  },
);

test('a consumer that dies within a scan leaves exactly the records that it did not take', async () => {
  const memory = queueMemory(RING);
  const views = queueViews(memory);
  const writer = new QueueWriter(views);
  const payload = new Int32Array(1);
  const push = (sequence: number): void => {
    payload[0] = sequence;
    writer.tryPush(1, payload);
  };
  for (let sequence = 0; sequence < 10; sequence++) push(sequence);
  await once(startThread('queue-death', { memory, looksAt: 6 } satisfies QueueDeathData), 'exit');
  push(10);

  const reader = new QueueReader(views);
  const found: unknown[] = [];
  reader.begin();
  while (reader.next()) {
    reader.read(payload);
    found.push(payload[0]);
  }
  expect(found).toEqual([1, 3, 5, 6, 7, 8, 9, 10]);
});
