/** Inputs in windows: each update takes those of its own time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../engine/index.js';
import { SlicedInput } from '../engine/sliced-input.js';

function taken(input: SlicedInput<string>, untilMs: number): string {
  return input
    .take(untilMs)
    .map(({ event }) => event)
    .join('');
}

test('each update takes the inputs of its own window in their order, and the late ones', () => {
  const input = new SlicedInput<string>();
  for (const [atMs, event] of [
    [10, 'b'],
    [3, 'a'],
    [10, 'c'],
    [10.001, 'd'],
    [40, 'f'],
  ] as const) {
    input.push(atMs, event);
  }
  expect([10, 20].map((dueMs) => taken(input, dueMs))).toEqual(['abc', 'd']);
  input.push(15, 'late');
  input.push(30, 'e');
  expect(taken(input, 30)).toBe('latee');
  expect(input.waiting).toBe(1);
  input.clear();
  expect(taken(input, 99)).toBe('');
});

test('no input is lost, duplicated, or taken before its time', () => {
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

test.each([
  // Drawn at 120, on the display at 140.
  ['variable', 35],
  // At 120 interpolation draws exactly the state of 100, at 140 that of 120.
  ['fixed', 55],
] as const)('%s shows an input %d ms after it, in the first frame after its update', (kind, ms) => {
  // The update for 120 ms takes it.
  const scenario = { displayHz: 50, seconds: 1, inputs: [{ atMs: 105, speed: 1 }] };
  expect(simulate({ kind, tickRateHz: 50 }, scenario).inputLatencyMs).toBeCloseTo(ms, 9);
});
