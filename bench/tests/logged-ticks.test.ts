import { expect, test } from 'vitest';
import { repeatOf } from '../runner/logged-ticks.js';
import { TICK_NUMBERS } from '../worker/tick-log.js';

type Row = readonly [dueMs: number, startMs: number, stepMs: number, publishMs: number];

/** At 100 Hz. */
function repeat(rows: readonly Row[], seconds = 1) {
  const ticks = Float64Array.from(rows.flat());
  expect(ticks).toHaveLength(rows.length * TICK_NUMBERS);
  return repeatOf({ ticks, seconds, gaps: 0 }, 100, []);
}

test('the ticks that the worker logged are reported from the first due time, as they were', () => {
  const { ticks, latenessMs, droppedTicks, effectiveSpeed } = repeat([
    [5000, 5000.5, 2, 0.25],
    [5010, 5011, 3, 0.25],
    [5020, 5020.25, 2, 0.25],
  ]);
  expect(ticks).toEqual([
    { dueMs: 0, startMs: 0.5, stepMs: 2, publishMs: 0.25 },
    { dueMs: 10, startMs: 11, stepMs: 3, publishMs: 0.25 },
    { dueMs: 20, startMs: 20.25, stepMs: 2, publishMs: 0.25 },
  ]);
  // It is unknown whether it slept before the first.
  expect(latenessMs).toEqual([1, 0.25]);
  expect({ droppedTicks, effectiveSpeed }).toEqual({ droppedTicks: 0, effectiveSpeed: 1 });
});

test('holes in the due times of logged ticks are ticks that were dropped', () => {
  const { droppedTicks, effectiveSpeed } = repeat([
    [0, 0, 5, 0],
    [10, 10, 5, 0],
    [50, 50, 5, 0],
    [60, 60, 5, 0],
  ]);
  expect(droppedTicks).toBe(3);
  expect(effectiveSpeed).toBeCloseTo(4 / 7, 9);
});

test('a logged tick that caught up is not a wake-up', () => {
  const { latenessMs } = repeat([
    [0, 0, 25, 0],
    [10, 25, 1, 0],
    [20, 26, 1, 0],
    [30, 30.5, 1, 0],
  ]);
  expect(latenessMs).toEqual([0.5]);
});

test('logged steps that fill the measurement are slow, even if no tick was dropped between them', () => {
  const { latenessMs, droppedTicks, effectiveSpeed } = repeat([
    [0, 0, 500, 0],
    [10, 500, 500, 0],
  ]);
  expect(droppedTicks).toBe(0);
  expect(effectiveSpeed).toBeCloseTo(20 / 990, 9);
  expect(latenessMs).toHaveLength(2);
});
