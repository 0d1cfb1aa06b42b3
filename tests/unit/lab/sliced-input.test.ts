import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SlicedInput } from '../../../lab/engine/sliced-input.js';

const taken = (input: SlicedInput<string>, untilMs: number): string =>
  input
    .take(untilMs)
    .map(({ event }) => event)
    .join('');

describe('input windows', () => {
  test('each update receives the events of its own window, its end included', () => {
    const input = new SlicedInput<string>();
    for (const [atMs, event] of [
      [3, 'a'],
      [10, 'b'],
      [10.001, 'c'],
      [25, 'd'],
      [40, 'e'],
    ] as const) {
      input.push(atMs, event);
    }
    expect([10, 20, 30].map((dueMs) => taken(input, dueMs))).toEqual(['ab', 'c', 'd']);
    expect(input.waiting).toBe(1);
  });

  test('an event that arrives late goes to the next update', () => {
    const input = new SlicedInput<string>();
    expect(taken(input, 20)).toBe('');
    input.push(15, 'late');
    input.push(25, ' next');
    expect(taken(input, 30)).toBe('late next');
  });

  test('events are in the order of their timestamps, and of arrival if these are equal', () => {
    const input = new SlicedInput<string>();
    for (const [atMs, event] of [
      [5, 'c'],
      [3, 'a'],
      [5, 'd'],
      [4, 'b'],
    ] as const) {
      input.push(atMs, event);
    }
    expect(taken(input, 5)).toBe('abcd');
  });

  test('cleared, they forget all events', () => {
    const input = new SlicedInput<string>();
    input.push(1, 'a');
    input.clear();
    expect(taken(input, 10)).toBe('');
  });

  test('nothing is lost, duplicated, or delivered before its time', () => {
    const stamps = fc.array(fc.integer({ min: 0, max: 1000 }));
    const windows = fc.array(fc.integer({ min: 0, max: 100 }));
    fc.assert(
      fc.property(stamps, windows, (atMs, lengthsMs) => {
        const input = new SlicedInput<number>();
        atMs.forEach((ms, index) => input.push(ms, index));
        const seen: number[] = [];
        let dueMs = 0;
        for (const lengthMs of lengthsMs) {
          const sliceStartMs = dueMs;
          dueMs += lengthMs;
          for (const { atMs: at, event } of input.take(dueMs)) {
            expect(at).toBeLessThanOrEqual(dueMs);
            expect(at > sliceStartMs || sliceStartMs === 0).toBe(true);
            seen.push(event);
          }
        }
        expect(input.waiting).toBe(atMs.length - seen.length);
        const rest = input.take(Infinity).map(({ event }) => event);
        expect(new Set([...seen, ...rest]).size).toBe(atMs.length);
      }),
    );
  });
});
