/**
 * Shots at a thin wall: detected by steps that are shorter than its thickness, and missed by longer
 * ones.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compare,
  drawnShot,
  SHOT_FLIGHT_MS,
  SHOT_IN_WALL_MS,
  SHOT_PERIOD_MS,
  shotAt,
  Shots,
} from '../engine/index.js';

test("no step of up to the wall's thickness misses it, at any phase", () => {
  const step = fc.double({ min: 0.01, max: SHOT_IN_WALL_MS, noNaN: true });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 100 }), (steps) => {
      const shots = new Shots();
      let ms = 0;
      for (const stepMs of steps) {
        ms += stepMs;
        shots.update(ms);
        expect(shots.current.fate).not.toBe('through');
        expect(shots.current.position).toBeLessThanOrEqual(1 + SHOT_IN_WALL_MS / SHOT_FLIGHT_MS);
        // Poses between two states are never beyond the wall's face, except on the way back to it.
        expect(drawnShot(shots.previous, shots.current, 0.5, 0)).toBeLessThanOrEqual(1);
      }
      expect(shots.through).toBe(0);
    }),
  );
});

test('a step over the whole wall goes through, and is counted once', () => {
  const shots = new Shots();
  for (const ms of [100, 190, 260, 300, 700]) shots.update(ms);
  expect(shots.current.fate).toBe('through');
  expect(shots.through).toBe(1);
  // The next shot begins at the muzzle, and does not fly back to it.
  shots.update(SHOT_PERIOD_MS + 20);
  expect(shots.current).toEqual({ shot: 1, fate: 'flying', position: 0.1 });
  expect(drawnShot(shots.previous, shots.current, 0, 0)).toBe(0.1);
  shots.update(SHOT_PERIOD_MS + 210);
  expect(shots.current).toEqual({ shot: 1, fate: 'stopped', position: 1 });
  expect(shots.through).toBe(1);
});

test('a predicted shot is drawn inside the wall until the update that notices', () => {
  const shots = new Shots();
  shots.update(180);
  expect(drawnShot(shots.previous, shots.current, 1, 40)).toBeGreaterThan(1);
  shots.update(220);
  expect(drawnShot(shots.previous, shots.current, 1, 30)).toBe(1);
  expect(shotAt(220)).toBe(1);
});

test('a lag makes variable and pass-through tunnel, and no loop with bounded steps', () => {
  const hitches = [{ atMs: SHOT_PERIOD_MS + 130, durationMs: 180 }];
  const options = { 'refresh-multiple': { overload: 'pass-through' } };
  const kinds = [
    'variable',
    'refresh-multiple',
    'semi-fixed',
    'fixed',
    'bounded-variable',
  ] as const;
  const rows = compare(kinds, { options }, { seconds: 2, hitches });
  expect(rows.map((row) => row.shotsThrough)).toEqual([1, 1, 0, 0, 0]);
});
