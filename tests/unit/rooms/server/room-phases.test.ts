import { expect, test } from 'vitest';
import { quietDueMs, type PeriodicRoom } from '../../../../src/rooms/server/room-schedule.js';

const PERIOD_MS = 1000 / 60;

/** Opens rooms in sequence, at moments that are given. */
function openRooms(
  count: number,
  periodMs: number,
  rooms: PeriodicRoom[] = [],
  atMs: (index: number) => number = () => 5000,
): PeriodicRoom[] {
  const opened = [...rooms];
  for (let index = 0; index < count; index++) {
    opened.push({ nextDueMs: quietDueMs(opened, periodMs, atMs(index)), periodMs });
  }
  return opened;
}

/** The distances of the ticks in a period, in shares of it, the least first. */
function gapsOf(rooms: readonly PeriodicRoom[], periodMs = PERIOD_MS): number[] {
  const phases = rooms.map(({ nextDueMs }) => nextDueMs % periodMs).toSorted((a, b) => a - b);
  return phases
    .map((phase, index) => (phases[index + 1] ?? (phases[0] ?? 0) + periodMs) - phase)
    .map((gap) => gap / periodMs)
    .toSorted((a, b) => a - b);
}

test('the first room of a process begins at once', () => {
  expect(quietDueMs([], PERIOD_MS, 5000)).toBe(5000 + PERIOD_MS);
});

test.each([2, 4, 8])('the ticks of %i rooms are equally far apart, whenever they open', (count) => {
  for (const gap of gapsOf(openRooms(count, PERIOD_MS))) expect(gap).toBeCloseTo(1 / count, 2);
  const later = openRooms(count, PERIOD_MS, [], (index) => 5000 + index * 1234.567);
  for (const gap of gapsOf(later)) expect(gap).toBeGreaterThan(1 / count - 0.02);
});

test('the ticks of twelve rooms are not crowded in one half of the period', () => {
  const rooms = openRooms(12, PERIOD_MS);
  const [first = Number.NaN] = rooms.map(({ nextDueMs }) => nextDueMs);
  const early = rooms.filter(
    ({ nextDueMs }) => (nextDueMs - first + PERIOD_MS) % PERIOD_MS < PERIOD_MS / 2 - 0.01,
  );
  expect(early.length).toBe(6);
  expect(gapsOf(rooms)[0]).toBeGreaterThan(1 / 17);
});

test('a new room takes the place in the period of one that has left', () => {
  const rooms = openRooms(8, PERIOD_MS);
  const [left] = rooms.splice(3, 1);
  expect(gapsOf(rooms).at(-1)).toBeGreaterThan(0.24);
  const again = quietDueMs(rooms, PERIOD_MS, 7000);
  expect(gapsOf([...rooms, { nextDueMs: again, periodMs: PERIOD_MS }])[0]).toBeGreaterThan(0.12);
  const apart = Math.abs(again - (left?.nextDueMs ?? Number.NaN)) % PERIOD_MS;
  expect(Math.min(apart, PERIOD_MS - apart)).toBeLessThan(PERIOD_MS / 100);
});

test.each([
  ['slower rooms between faster ones', 1, 2],
  ['faster rooms between slower ones', 2, 1],
])('the ticks of %s do not meet', (_, before, after) => {
  const rooms = openRooms(2, after * PERIOD_MS, openRooms(2, before * PERIOD_MS));
  // All ticks in two periods of the faster ones.
  const ticks = rooms.flatMap(({ nextDueMs, periodMs }) =>
    periodMs === PERIOD_MS
      ? [nextDueMs, nextDueMs + PERIOD_MS].map((dueMs) => ({ nextDueMs: dueMs, periodMs }))
      : [{ nextDueMs, periodMs }],
  );
  expect(ticks).toHaveLength(6);
  expect(gapsOf(ticks, 2 * PERIOD_MS)[0]).toBeGreaterThan(0.1);
});

test('a new room begins within a period, also if another one is late by many', () => {
  const late = { nextDueMs: 100, periodMs: PERIOD_MS };
  const dueMs = quietDueMs([late], PERIOD_MS, 5000);
  expect(dueMs).toBeGreaterThan(5000);
  expect(dueMs).toBeLessThanOrEqual(5000 + PERIOD_MS);
  expect(gapsOf([late, { nextDueMs: dueMs, periodMs: PERIOD_MS }])[0]).toBeCloseTo(0.5, 2);
});
