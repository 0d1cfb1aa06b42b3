import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MAX_RECORD_TYPE, QueueReader } from '../../../../src/shared/memory/record-queue.js';
import { RING, STARTS, TestQueue, type Item } from '../../../fixtures/test-queue.js';
import { expectEqual, expectSame } from '../../../fixtures/quick-checks.js';
import { assertQueue } from '../../../fixtures/invariants.js';

/** What a queue does, on plain arrays. */
class ModelQueue {
  #records: { readonly item: Item; isTaken: boolean }[] = [];
  refused = 0;

  get freeWords(): number {
    return this.#records.reduce((free, { item }) => free - item.length, RING);
  }

  push(...item: Item): boolean {
    const fits = item.length <= this.freeWords;
    if (fits) this.#records.push({ item, isTaken: false });
    else this.refused += 1;
    return fits;
  }

  /** Withdraws the waiting record with an index, as the producer's thread may. */
  withdraw(index: number): boolean {
    const record = this.#records.filter(({ isTaken }) => !isTaken)[index];
    if (record !== undefined) record.isTaken = true;
    return record !== undefined;
  }

  scan(takes: (item: Item, index: number) => boolean): Item[] {
    const waiting = this.#records.filter(({ isTaken }) => !isTaken);
    for (const [index, record] of waiting.entries()) record.isTaken = takes(record.item, index);
    const first = this.#records.findIndex(({ isTaken }) => !isTaken);
    this.#records = first < 0 ? [] : this.#records.slice(first);
    return waiting.map(({ item }) => item);
  }
}

/** Whether to take the record with an index: these answers, repeated. */
const cycle =
  (answers: readonly boolean[]) =>
  (_: Item, index: number): boolean =>
    answers[index % answers.length] as boolean;

/** The producer's thread withdraws the waiting record with an index, with its own reader. */
function withdraw(queue: TestQueue, index: number): boolean {
  const reader = new QueueReader(queue.views);
  reader.begin();
  for (let count = 0; count <= index; count++) if (!reader.next()) return false;
  return reader.take();
}

describe('any sequence of pushes, withdrawals and scans', () => {
  const int32 = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const item = fc
    .tuple(
      fc.integer({ min: 0, max: MAX_RECORD_TYPE }),
      fc.array(int32, { maxLength: 20, size: 'max' }),
    )
    .map(([type, payload]): Item => [type].concat(payload) as [number, ...number[]]);
  const push = fc.record({ kind: fc.constant('push' as const), item });
  const scan = fc.record({
    kind: fc.constant('scan' as const),
    takes: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
  });
  const back = fc.record({ kind: fc.constant('withdraw' as const), index: fc.nat({ max: 4 }) });
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: push }, scan, back), {
    maxLength: 80,
    size: 'max',
  });
  const start = fc.oneof(fc.constantFrom(...STARTS), int32);

  test('a queue behaves like plain arrays', () => {
    let refusals = 0;
    fc.assert(
      fc.property(start, steps, (count, sequence) => {
        const queue = new TestQueue(count);
        const model = new ModelQueue();
        // What was withdrawn is freed by the next scan.
        let isTidy = true;
        for (const step of sequence) {
          const [did, should] =
            step.kind === 'push'
              ? [queue.push(...step.item), model.push(...step.item)]
              : step.kind === 'withdraw'
                ? [withdraw(queue, step.index), model.withdraw(step.index)]
                : [queue.scan(cycle(step.takes)), model.scan(cycle(step.takes))];
          expectEqual(did, should);
          if (step.kind === 'withdraw') isTidy = false;
          if (step.kind === 'scan') isTidy = true;
          if (isTidy) assertQueue(queue.views);
          expectSame(queue.writer.freeWords, model.freeWords);
          expectSame(queue.writer.refused, model.refused);
        }
        expect(queue.scan()).toEqual(model.scan(() => true));
        refusals += model.refused;
      }),
      { numRuns: 300 },
    );
    expect(refusals).toBeGreaterThan(0);
  });
});

describe('a record that both sides try to take', () => {
  test.each(['consumer', 'producer'] as const)(
    'belongs to the side that takes it first: the %s',
    (first) => {
      const queue = new TestQueue();
      queue.push(MAX_RECORD_TYPE, 1, 2);
      const readers = { consumer: queue.reader, producer: new QueueReader(queue.views) };
      const ends =
        first === 'consumer'
          ? (['consumer', 'producer'] as const)
          : (['producer', 'consumer'] as const);
      const found = ends.map((end) => {
        readers[end].begin();
        return [readers[end].next(), readers[end].type];
      });
      expect(found).toEqual([
        [true, MAX_RECORD_TYPE],
        [true, MAX_RECORD_TYPE],
      ]);
      expect(ends.map((end) => readers[end].take())).toEqual([true, false]);
      queue.reader.end();
      expect(queue.scan()).toEqual([]);
      expect(queue.writer.freeWords).toBe(RING);
    },
  );

  test('keeps its type when it is marked between the check and the read', () => {
    const queue = new TestQueue();
    queue.push(3, 1);
    const { data } = queue.views;
    const atomics = Atomics as { load(words: Int32Array, index: number): number };
    const load = atomics.load;
    const late = vi.spyOn(atomics, 'load').mockImplementation((words, index) => {
      const value = load(words, index);
      if (words === data) data[0] = (data[0] as number) | (1 << 31);
      return value;
    });
    onTestFinished(() => late.mockRestore());
    queue.reader.begin();
    expect([queue.reader.next(), queue.reader.type, queue.reader.take()]).toEqual([true, 3, false]);
  });

  test('is gone if it was freed in between', () => {
    const queue = new TestQueue();
    queue.push(1, 7);
    const late = new QueueReader(queue.views);
    late.begin();
    late.next();
    expect(queue.scan()).toEqual([[1, 7]]);
    expect(late.take()).toBe(false);
    queue.push(2, 8);
    expect(queue.scan()).toEqual([[2, 8]]);
  });
});
