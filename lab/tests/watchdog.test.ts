import { expect, test } from 'vitest';
import { Watchdog, requireWatchdogOptions } from '../engine/watchdog.js';

test.each([
  [0, 'ok'],
  [5, 'ok'],
  [6, 'slow'],
  [20, 'slow'],
  [21, 'critical'],
])('a frame of %i updates is %s', (updates, state) => {
  const watchdog = new Watchdog(requireWatchdogOptions());
  expect(watchdog.frame(updates, 0)).toBe(state);
  expect(watchdog.state).toBe(state);
});

test('a frame after a bad one is rated by itself', () => {
  const watchdog = new Watchdog(requireWatchdogOptions());
  watchdog.frame(21, 0);
  expect(watchdog.frame(6, 100)).toBe('slow');
  expect(watchdog.frame(1, 200)).toBe('ok');
});

/** State after critical frames at these times, with a good frame after each if requested. */
function after(timesMs: readonly number[], between: 'nothing' | 'a good frame'): string {
  const watchdog = new Watchdog(requireWatchdogOptions());
  let state = '';
  for (const ms of timesMs) {
    state = watchdog.frame(21, ms);
    if (between === 'a good frame') watchdog.frame(1, ms);
  }
  return state;
}

test('the watchdog is unresponsive after five critical frames in a row, however far apart, and not after four', () => {
  expect(after([0, 9000, 18_000, 27_000], 'nothing')).toBe('critical');
  expect(after([0, 9000, 18_000, 27_000, 36_000], 'nothing')).toBe('unresponsive');
});

test('the watchdog is unresponsive after five critical frames within exactly 10 s, and not within more', () => {
  expect(after([0, 2500, 5000, 7500, 10_000], 'a good frame')).toBe('unresponsive');
  expect(after([0, 2500, 5000, 7500, 10_000.001], 'a good frame')).toBe('critical');
});

test('the window in which the watchdog counts critical frames slides', () => {
  expect(after([0, 6000, 8000, 10_001, 13_000, 15_999], 'a good frame')).toBe('unresponsive');
  expect(after([0, 6000, 8000, 10_001, 13_000, 16_001], 'a good frame')).toBe('critical');
});

test('the watchdog stays unresponsive until it is reset', () => {
  const watchdog = new Watchdog(requireWatchdogOptions());
  for (let frame = 0; frame < 5; frame++) watchdog.frame(21, frame);
  expect(watchdog.frame(1, 6)).toBe('unresponsive');
  watchdog.reset();
  expect(watchdog.state).toBe('ok');
  for (let frame = 0; frame < 4; frame++) expect(watchdog.frame(21, 10 + frame)).toBe('critical');
  expect(watchdog.frame(21, 14)).toBe('unresponsive');
});

test('the thresholds of the watchdog are options', () => {
  const options = { slowUpdates: 1, criticalUpdates: 2, criticalFrames: 2, windowMs: 100 };
  const watchdog = new Watchdog(options);
  expect([1, 2, 3].map((updates) => watchdog.frame(updates, 0))).toEqual([
    'ok',
    'slow',
    'critical',
  ]);
  expect(watchdog.frame(1, 50)).toBe('ok');
  expect(watchdog.frame(3, 101)).toBe('critical');
  expect(watchdog.frame(3, 102)).toBe('unresponsive');
});

test('the watchdog refuses thresholds that make no sense', () => {
  expect(() => requireWatchdogOptions({ slowUpdates: 1.5 })).toThrow(
    /^watchdog\.slowUpdates must be a whole number/,
  );
  expect(() => requireWatchdogOptions({ slowUpdates: 9, criticalUpdates: 8 })).toThrow(
    /^watchdog\.criticalUpdates must be a whole number from 9 /,
  );
  expect(() => requireWatchdogOptions({ criticalFrames: 0 })).toThrow(
    /^watchdog\.criticalFrames must be/,
  );
  expect(() => requireWatchdogOptions({ windowMs: -1 })).toThrow(/^watchdog\.windowMs must be/);
});
