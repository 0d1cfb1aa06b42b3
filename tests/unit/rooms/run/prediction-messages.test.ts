/** Messages of a room on their way to the worker: through a queue that takes some, and all again after a tick. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageReceiver, MessageSender } from '../../../../src/rooms/run/prediction-messages.js';
import { QueueFullError } from '../../../../src/shared/util/errors.js';
import { takeTurn } from '../../../fixtures/scripted-host.js';

const QUEUE_BYTES = 2 ** 18;

/**
 * A worker whose ticks take all that is due.
 *
 * @param isFull Whether the queue refuses a chunk. @param isDue Whether a tick takes one: otherwise it waits for the next tick.
 */
function createWorker(isFull = () => false, isDue = () => true) {
  const collected = new MessageReceiver();
  const counts = { received: [] as Uint8Array[], most: 0, refused: [] as unknown[] };
  let waiting: (() => void)[] = [];
  let bytes = 0;
  const sender = new MessageSender(
    (number, isLast, chunk) => {
      if (isFull()) return Promise.reject(new QueueFullError('the queue is full'));
      bytes += chunk.length;
      counts.most = Math.max(counts.most, bytes);
      return new Promise((resolve) => {
        waiting.push(() => {
          bytes -= chunk.length;
          counts.received.push(...collected.add(number, isLast, chunk));
          resolve(undefined);
        });
      });
    },
    (error) => counts.refused.push(error),
  );
  const tick = async (): Promise<number> => {
    const due = waiting.filter(() => isDue());
    const { length } = waiting;
    waiting = waiting.filter((take) => !due.includes(take));
    for (const take of due) take();
    // Answers arrive in a later turn.
    await takeTurn();
    return length;
  };
  return { sender, counts, tick };
}

function messageOf(size: number, seed: number): Uint8Array {
  const words = new Uint32Array(Math.ceil(size / 4));
  for (let index = 0; index < words.length; index++) words[index] = index * 31 + seed;
  return new Uint8Array(words.buffer, 0, size);
}

test('messages for a worker arrive in order and whole, whatever their size and the order in which chunks are due, and never fill the queue', async () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 300_000 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(size, { minLength: 1, maxLength: 5 }),
      fc.nat(3),
      fc.infiniteStream(fc.boolean()),
      async (sizes, ticks, due) => {
        const { sender, counts, tick } = createWorker(undefined, () => due.next().value === true);
        for (const [seed, length] of sizes.entries()) {
          sender.send(messageOf(length, seed));
          if (seed < ticks) await tick();
        }
        while ((await tick()) > 0);
        expect(counts.received.map(({ length }) => length)).toEqual(sizes);
        for (const [seed, message] of counts.received.entries()) {
          expect(Buffer.compare(message, messageOf(message.length, seed))).toBe(0);
        }
        expect(counts.most).toBeLessThanOrEqual(QUEUE_BYTES / 2);
      },
    ),
    { numRuns: 30 },
  );
});

test('a chunk that the queue to a worker has refused is sent again', async () => {
  let calls = 0;
  const { sender, counts, tick } = createWorker(() => (calls += 1) === 2);
  sender.send(messageOf(200_000, 1));
  while ((await tick()) > 0);
  sender.send(messageOf(10, 2));
  while ((await tick()) > 0);
  expect(counts.received.map(({ length }) => length)).toEqual([200_000, 10]);
  expect(counts.received[0]).toEqual(messageOf(200_000, 1));
  expect(counts.refused).toEqual([]);
});
