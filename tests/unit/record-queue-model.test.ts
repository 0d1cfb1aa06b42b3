import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_RECORD_TYPE, assertInvariants } from '../../src/shared/record-queue.js';
import { RING, STARTS, TestQueue, type Item } from '../fixtures/test-queue.js';

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

  scan(takes: (item: Item, index: number) => boolean): Item[] {
    const waiting = this.#records.filter(({ isTaken }) => !isTaken);
    for (const [index, record] of waiting.entries()) record.isTaken = takes(record.item, index);
    const first = this.#records.findIndex(({ isTaken }) => !isTaken);
    this.#records = first < 0 ? [] : this.#records.slice(first);
    return waiting.map(({ item }) => item);
  }
}

/** Whether to take the record with an index: these answers, over and over. */
const cycle =
  (answers: readonly boolean[]) =>
  (_: Item, index: number): boolean =>
    answers[index % answers.length] as boolean;

describe('any sequence of pushes and scans', () => {
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
  const steps = fc.array(fc.oneof({ weight: 3, arbitrary: push }, scan), {
    maxLength: 80,
    size: 'max',
  });
  const start = fc.oneof(fc.constantFrom(...STARTS), int32);

  test('does what plain arrays do', () => {
    let refusals = 0;
    fc.assert(
      fc.property(start, steps, (count, sequence) => {
        const queue = new TestQueue(count);
        const model = new ModelQueue();
        for (const step of sequence) {
          const [did, should] =
            step.kind === 'push'
              ? [queue.push(...step.item), model.push(...step.item)]
              : [queue.scan(cycle(step.takes)), model.scan(cycle(step.takes))];
          expect(did).toEqual(should);
          assertInvariants(queue.views);
          expect(queue.writer.freeWords).toBe(model.freeWords);
          expect(queue.writer.refused).toBe(model.refused);
        }
        expect(queue.scan()).toEqual(model.scan(() => true));
        refusals += model.refused;
      }),
      { numRuns: 300 },
    );
    expect(refusals).toBeGreaterThan(0);
  });
});
