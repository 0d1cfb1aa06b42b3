import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RingSender, appendWords, takenRecords } from '../../../../src/shared/protocol/transfer.js';
import { QueueReader, QueueWriter } from '../../../../src/shared/memory/record-queue.js';
import { assertQueue } from '../../../fixtures/invariants.js';
import { CONTROL, RING, STARTS, memory, scanned } from '../../../fixtures/test-queue.js';

/** A queue with a ring on each side, and delayed messages between the rings. */
class MirroredQueue {
  readonly producer;
  readonly consumer;
  readonly writer: QueueWriter;
  readonly reader: QueueReader;
  readonly sender: RingSender;
  readonly #toConsumer: Int32Array[] = [];
  readonly #toProducer: { head: number; taken: number[] }[] = [];

  constructor(start: number) {
    this.producer = memory(start);
    this.consumer = memory(start);
    this.writer = new QueueWriter(this.producer);
    this.reader = new QueueReader(this.consumer);
    this.sender = new RingSender(this.producer);
  }

  sendToConsumer(): void {
    const words = this.sender.take();
    if (words !== undefined) this.#toConsumer.push(words);
  }

  sendToProducer(): void {
    const head = this.consumer.control[CONTROL.headIndex] as number;
    this.#toProducer.push({ head, taken: takenRecords(this.consumer) });
  }

  arriveAtConsumer(): void {
    const words = this.#toConsumer.shift();
    if (words !== undefined) appendWords(this.consumer, words);
  }

  arriveAtProducer(): void {
    const update = this.#toProducer.shift();
    if (update !== undefined) this.sender.acknowledge(update.head, update.taken);
  }

  settle(): void {
    this.sendToConsumer();
    while (this.#toConsumer.length > 0) this.arriveAtConsumer();
    this.sendToProducer();
    while (this.#toProducer.length > 0) this.arriveAtProducer();
  }
}

const actions = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('push' as const), words: fc.nat(9) }),
    fc.record({ do: fc.constant('take' as const), every: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      do: fc.constantFrom(
        'sendToConsumer' as const,
        'sendToProducer' as const,
        'arriveAtConsumer' as const,
        'arriveAtProducer' as const,
      ),
    }),
  ),
  { maxLength: 200, size: 'max' },
);

/** Runs the actions; returns what was accepted and what was taken. */
function run(queue: MirroredQueue, list: Parameters<Parameters<typeof actions.map>[0]>[0]) {
  const accepted: number[] = [];
  const taken: number[] = [];
  let next = 0;
  for (const action of list) {
    if (action.do === 'push') {
      next += 1;
      const isAccepted = queue.writer.tryPush(1, new Int32Array(action.words + 1).fill(next));
      if (isAccepted) accepted.push(next);
    } else if (action.do === 'take') {
      scanned(queue.reader, ([, number = 0]) => {
        if (number % action.every !== 0) return false;
        taken.push(number);
        return true;
      });
      assertQueue(queue.consumer);
    } else {
      queue[action.do]();
    }
  }
  return { accepted, taken };
}

test('a mirrored ring gives every accepted record once and whole, however late the messages are', () => {
  fc.assert(
    fc.property(fc.constantFrom(...STARTS), actions, (start, list) => {
      const queue = new MirroredQueue(start);
      const { accepted, taken } = run(queue, list);
      queue.settle();
      const left = accepted.filter((number) => !taken.includes(number));
      // The producer sees the same as the consumer.
      const seen = scanned(new QueueReader(queue.producer), () => false);
      expect(seen.map(([, number]) => number)).toEqual(left);
      const rest = scanned(queue.reader, () => true);
      for (const [, ...payload] of rest) expect(new Set(payload).size).toBe(1);
      const got = [...taken, ...rest.map(([, number = 0]) => number)];
      expect(got.toSorted((a, b) => a - b)).toEqual(accepted);
      expect(rest.map(([, number]) => number)).toEqual(left);
      // Words are not free for the producer until a message says so.
      const used = rest.reduce((sum, record) => sum + record.length, 0);
      expect(queue.writer.freeWords).toBeLessThanOrEqual(RING - used);
      queue.settle();
      expect(queue.writer.freeWords).toBe(RING);
    }),
  );
});
