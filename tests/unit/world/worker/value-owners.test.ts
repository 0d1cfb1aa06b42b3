import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  readHandle,
  recordLength,
  ValueRecords,
} from '../../../../src/world/shared/value-records.js';
import { ValueOwners, type OwnedValues } from '../../../../src/world/worker/value-owners.js';
import { present } from '../../../fixtures/present.js';
import { expectSame } from '../../../fixtures/quick-checks.js';

const SIZE = 200;

const action = fc.oneof(
  fc.record({ kind: fc.constant('claim' as const), count: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ kind: fc.constant('release' as const), nth: fc.nat() }),
  fc.record({ kind: fc.constant('write' as const), nth: fc.nat(), value: fc.integer() }),
);

interface Living {
  readonly owned: OwnedValues;
  readonly numbers: number[];
}

/** A block, and what it should contain. */
class Model {
  readonly #values = new Float32Array(SIZE);
  readonly #owners = new ValueOwners(this.#values);
  readonly #reader = new ValueRecords();
  readonly #living = new Map<number, Living>();
  readonly #gone: number[] = [];
  #last: number;

  constructor(first: number) {
    this.#last = first;
  }

  claim(count: number): void {
    this.#last += 1;
    const lengths = Array.from(this.#living.values(), ({ owned }) => recordLength(owned.count));
    const used = lengths.reduce((sum, length) => sum + length, 1);
    const owned = this.#owners.claim(this.#last, count);
    expectSame(owned !== undefined, used + recordLength(count) <= SIZE);
    if (owned === undefined) return;
    this.#living.set(this.#last, { owned, numbers: Array.from({ length: count }, () => 0) });
  }

  release(nth: number): void {
    const owner = this.#owner(nth);
    if (owner === undefined) return;
    this.#owners.release(owner);
    this.#owners.release(owner);
    this.#living.delete(owner);
    this.#gone.push(owner);
  }

  write(nth: number, value: number): void {
    const { owned, numbers } = this.#living.get(this.#owner(nth) ?? 0) ?? {};
    if (owned === undefined || numbers === undefined || owned.count === 0) return;
    owned.set(nth % owned.count, value);
    numbers[nth % owned.count] = Math.fround(value);
  }

  check(tick: number): void {
    for (const [owner, { numbers }] of this.#living) {
      const place = this.#reader.find(this.#values, tick, owner);
      expectSame([...this.#values.subarray(place, place + numbers.length)].join(), numbers.join());
    }
    for (const owner of this.#gone) expectSame(this.#reader.find(this.#values, tick, owner), -1);
  }

  #owner(nth: number): number | undefined {
    return [...this.#living.keys()][nth % Math.max(1, this.#living.size)];
  }
}

test('numbers of a state are found by their owners, whatever comes and goes, until the block is full', () => {
  const first = fc.integer({ min: 0, max: 2 ** 31 });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 80 }), first, (actions, handle) => {
      const model = new Model(handle);
      for (const [tick, given] of actions.entries()) {
        if (given.kind === 'claim') model.claim(given.count);
        else if (given.kind === 'release') model.release(given.nth);
        else model.write(given.nth, given.value);
        model.check(tick);
      }
    }),
  );
});

test('numbers are found in the blocks of other states, also after a jump within one tick', () => {
  const [now, later] = [new Float32Array(30), new Float32Array(30)];
  const first = new ValueOwners(now);
  first.claim(1, 3);
  present(first.claim(2, 3)).set(0, 22);
  const other = new ValueOwners(later);
  present(other.claim(2, 3)).set(0, 33);
  const reader = new ValueRecords();
  for (const [values, tick] of [
    [now, 1],
    [later, 2],
    [now, 1],
    [later, 1],
  ] as const) {
    expect(values[reader.find(values, tick, 2)]).toBe(values === now ? 22 : 33);
  }
  // As after a jump to another state of the same tick.
  first.release(1);
  present(first.claim(5, 1)).set(0, 55);
  reader.forget();
  expect(now[reader.find(now, 1, 5)]).toBe(55);
  expect(reader.find(later, 2, 1)).toBe(-1);
  expect(reader.find(new Float32Array(0), 3, 2)).toBe(-1);
});

test('numbers of a state hold handles of 32 bits', () => {
  const values = new Float32Array(10);
  const owned = present(new ValueOwners(values).claim(4_294_967_295, 2));
  owned.setHandle(0, 2 ** 24 + 1);
  const place = new ValueRecords().find(values, 0, 4_294_967_295);
  expect(readHandle(values, place)).toBe(2 ** 24 + 1);
});

test('numbers are looked for to the end of any memory', () => {
  const reader = new ValueRecords();
  for (const [tick, wrong] of [Number.NaN, -3, -1e9, 1e30, Number.POSITIVE_INFINITY].entries()) {
    expect(reader.find(Float32Array.from([wrong, 1, 0, wrong, 1, 0, 0]), tick, 7)).toBe(-1);
    expect(reader.find(Float32Array.from([1e9, 1, 0, wrong, 1, 0, 0]), tick, 7)).toBe(-1);
  }
});

test('there are no numbers in a block without room', () => {
  expect(new ValueOwners(new Float32Array(0)).claim(1, 0)).toBeUndefined();
  expect(new ValueOwners(new Float32Array(7)).claim(1, 1)).toBeDefined();
});

test('nothing has numbers in a block that is cleared, whatever a restored state has in it', () => {
  const values = new Float32Array(20);
  const owners = new ValueOwners(values);
  present(owners.claim(1, 4)).set(0, 7);
  owners.lastBatch = 9;
  owners.clear();
  expect(readHandle(values, 1)).toBe(0);
  present(owners.claim(2, 2)).set(0, 5);
  const reader = new ValueRecords();
  expect([reader.find(values, 0, 1), reader.find(values, 0, 2)]).toEqual([-1, 6]);
  owners.release(1);
  expect(reader.find(values, 1, 2)).toBe(6);
});
