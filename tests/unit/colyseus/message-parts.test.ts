/** Messages of a room on their way to the worker: through a queue that takes some, and all again after a tick. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MessageParts } from '../../../src/colyseus/client/message-parts.js';
import { QueueFullError } from '../../../src/shared/util/errors.js';
import { CollectedMessage } from '../../../src/sim-worker/room/collected-message.js';

const QUEUE_BYTES = 2 ** 18;

/** A worker whose ticks take all that waits. */
function createWorker(isFull: () => boolean = () => false) {
  const collected = new CollectedMessage();
  const received: Uint8Array[] = [];
  let waiting: (() => void)[] = [];
  let [bytes, most, lost] = [0, 0, 0];
  const parts = new MessageParts(
    (size, at, part) => {
      if (isFull()) return Promise.reject(new QueueFullError('the queue is full'));
      bytes += part.length;
      most = Math.max(most, bytes);
      return new Promise((resolve) => {
        waiting.push(() => {
          bytes -= part.length;
          const message = collected.add(size, at, part);
          if (message !== undefined) received.push(message.slice());
          resolve(undefined);
        });
      });
    },
    () => {
      lost += 1;
    },
  );
  return {
    parts,
    received,
    async tick() {
      const taken = waiting;
      waiting = [];
      for (const take of taken) take();
      // Answers arrive in a later turn.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return taken.length;
    },
    get most() {
      return most;
    },
    get lost() {
      return lost;
    },
  };
}

const messageOf = (size: number, seed: number): Uint8Array =>
  Uint8Array.from({ length: size }, (_, index) => (index * 31 + seed) % 256);

describe('messages for a worker', () => {
  test('arrive in order and whole, whatever their size, and never fill the queue', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 700_000 })), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.nat(3),
        async (sizes, ticks) => {
          const worker = createWorker();
          for (const [seed, size] of sizes.entries()) {
            worker.parts.pass(messageOf(size, seed));
            if (seed < ticks) await worker.tick();
          }
          while ((await worker.tick()) > 0);
          expect(worker.received.map(({ length }) => length)).toEqual(sizes);
          for (const [seed, message] of worker.received.entries()) {
            const sent = messageOf(sizes[seed] ?? 0, seed);
            expect(Buffer.compare(message, sent)).toBe(0);
          }
          expect(worker.most).toBeLessThanOrEqual(QUEUE_BYTES / 2);
        },
      ),
      { numRuns: 30 },
    );
  });

  test('that lack a part are none, and the loss is reported', async () => {
    let calls = 0;
    const worker = createWorker(() => (calls += 1) === 2);
    worker.parts.pass(messageOf(200_000, 1));
    worker.parts.pass(messageOf(10, 2));
    while ((await worker.tick()) > 0);
    expect(worker.lost).toBe(1);
    expect(worker.received.map(({ length }) => length)).toEqual([10]);
  });
});
