import { expect, test } from 'vitest';
import { AFTER_STEP, BEFORE_STEP } from '../../../../src/world/shared/world-batch.js';
import { WaitingBatches } from '../../../../src/world/worker/waiting-batches.js';

/** Calls for ticks, and how long their batches wait. */
function calling() {
  const batches = new WaitingBatches();
  let tick = 1;
  return {
    /** @returns How many ticks later than possible each is applied. */
    call(count: number, ticks: number): number[] {
      const next = tick;
      const waits = Array.from(
        { length: count },
        () => (batches.add(Uint8Array.of(BEFORE_STEP), next) ?? next) - next,
      );
      for (const last = tick + ticks; tick < last; tick++) batches.take(tick);
      return waits;
    },
  };
}

test('each call gets a tick, at once or after those that wait, whatever frames bring', () => {
  const calls = calling();
  for (let time = 0; time < 50; time++) {
    expect(calls.call(1, 1)).toEqual([0]);
    expect(calls.call(3, 2)).toEqual([0, 1, 2]);
    expect(calls.call(2, 3)).toEqual([1, 2]);
  }
});

test('after a long frame, calls wait only until it is clear that frames are short again', () => {
  const calls = calling();
  calls.call(12, 1);
  const waits = Array.from({ length: 90 }, () => calls.call(1, 1)[0] as number);
  expect([waits[0], Math.max(...waits)]).toEqual([11, 11]);
  expect(waits.slice(60)).toEqual(Array.from({ length: 30 }, () => 0));
});

test('calls share a tick rather than wait longer than half a second', () => {
  expect(calling().call(40, 1).slice(25)).toEqual([25, 26, 27, 28, ...Array<number>(11).fill(29)]);
});

test('what comes after a step waits for the next call, and nothing overtakes it', () => {
  const batches = new WaitingBatches();
  const add = (timing: number, nextTick: number, name: number) =>
    batches.add(Uint8Array.of(timing, name), nextTick);
  const take = (tick: number) => batches.take(tick).map(([, name]) => name);
  expect(add(0, 5, 1)).toBeUndefined();
  expect(add(BEFORE_STEP, 5, 2)).toBeUndefined();
  expect([add(AFTER_STEP, 5, 3), add(0, 5, 4)]).toEqual([6, 6]);
  expect(take(8)).toEqual([]);
  expect([add(BEFORE_STEP, 9, 5), add(AFTER_STEP, 9, 6)]).toEqual([9, 10]);
  expect(take(9)).toEqual([3, 4, 5]);
  // Nothing comes before the step of tick 10.
  expect(add(BEFORE_STEP + AFTER_STEP, 10, 7)).toBe(11);
  expect(take(10)).toEqual([6]);
  expect([take(39), take(40)]).toEqual([[], [7]]);
  expect(() => add(4, 41, 8)).toThrow('the timing of a batch must be');
});
