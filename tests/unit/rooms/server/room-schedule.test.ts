import { expect, test } from 'vitest';
import {
  RoomSchedule,
  type ScheduledRoom,
  type ScheduleHost,
  quietDueMs,
  type PeriodicRoom,
} from '../../../../src/rooms/server/room-schedule.js';

/** A clock that moves only when the test says so, and one timer, which may be inexact. */
class ScriptedHost implements ScheduleHost {
  nowMs = 0;
  /** How much later than asked for the timer fires; negative: earlier. */
  errorMs = 0;
  fired = 0;
  #timer: { readonly atMs: number; readonly call: () => void } | undefined;

  now(): number {
    return this.nowMs;
  }

  setTimer(call: () => void, delayMs: number): () => void {
    if (this.#timer !== undefined) throw new Error('there is a timer already');
    const timer = { atMs: Math.max(this.nowMs, this.nowMs + delayMs + this.errorMs), call };
    this.#timer = timer;
    return () => {
      if (this.#timer === timer) this.#timer = undefined;
    };
  }

  get isIdle(): boolean {
    return this.#timer === undefined;
  }

  /** Lets time pass, and timers fire. */
  runUntil(endMs: number): void {
    while (this.#timer !== undefined && this.#timer.atMs <= endMs) {
      const { atMs, call } = this.#timer;
      this.#timer = undefined;
      this.nowMs = Math.max(this.nowMs, atMs);
      this.fired += 1;
      call();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }
}

/** A schedule, and rooms in it whose ticks are due every period. */
function openSchedule() {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const add = (periodMs: number, onTick: () => void = () => undefined, startMs = 0) => {
    /** When its ticks ran. */
    const ran: number[] = [];
    const room: ScheduledRoom = {
      periodMs,
      get nextDueMs() {
        return startMs + (ran.length + 1) * periodMs;
      },
      run(nowMs) {
        ran.push(nowMs - startMs);
        onTick();
      },
    };
    schedule.add(room);
    return { room, ran };
  };
  return { host, schedule, add };
}

test('the rooms of a process run in the order in which they are due, by one timer', () => {
  const { host, add } = openSchedule();
  const order: string[] = [];
  add(15, () => order.push(`b${host.nowMs}`));
  add(10, () => order.push(`a${host.nowMs}`));
  host.runUntil(45);
  expect(order).toEqual(['a10', 'b15', 'a20', 'b30', 'a30', 'a40', 'b45']);
});

test('the schedule of rooms does not drift, however late timers are', () => {
  const { host, add } = openSchedule();
  host.errorMs = 0.9;
  const { ran } = add(10);
  host.runUntil(10_000.95);
  expect(ran).toHaveLength(1000);
  expect(ran.at(-1)).toBeCloseTo(10_000.9, 6);
});

test('no room runs a tick before it is due if a timer fires early', () => {
  const { host, add } = openSchedule();
  host.errorMs = -0.5;
  const { ran } = add(10);
  host.errorMs = 0;
  host.runUntil(9.9);
  expect([host.fired, ran]).toEqual([1, []]);
  host.runUntil(10);
  expect(ran).toEqual([10]);
});

test('every room has its turn next to one that needs more time than there is', () => {
  const { host, add } = openSchedule();
  const slow = add(10, () => (host.nowMs += 50));
  const others = [1, 2, 3].map(() => add(100));
  host.runUntil(10_050);
  expect(slow.ran.length).toBeGreaterThan(190);
  for (const { ran } of others) {
    expect(ran).toHaveLength(100);
    // Late by one tick of the slow one, and never by more.
    expect(Math.max(...ran.map((ms, index) => ms - (index + 1) * 100))).toBeLessThan(50.1);
  }
});

test('rooms that are late catch up by one tick of each at a time', () => {
  const { host, add } = openSchedule();
  const order: string[] = [];
  for (const name of ['a', 'b']) add(10, () => order.push(name));
  host.nowMs += 35;
  host.runUntil(35);
  expect(order.join('')).toBe('ababab');
  expect(host.fired).toBe(3);
});

test('rooms that open at the same moment have their ticks in sequence', () => {
  const { host, schedule, add } = openSchedule();
  host.runUntil(1000);
  const rooms = Array.from({ length: 8 }, () => {
    const startMs = schedule.quietStartMs(16);
    expect(startMs).toBeGreaterThan(1000 - 16);
    expect(startMs).toBeLessThanOrEqual(1000);
    return add(16, () => (host.nowMs += 1.2), startMs);
  });
  host.runUntil(2600);
  for (const { ran } of rooms) {
    expect(ran.length).toBeGreaterThanOrEqual(99);
    // Together, their ticks take 9.6 of 16 ms, and none has to wait for another.
    expect(Math.max(...ran.map((ms, index) => ms - (index + 1) * 16))).toBeLessThan(0.1);
  }
});

test('a room that was removed runs no more, also if another one did it, and without rooms there is no timer', () => {
  const { host, schedule, add } = openSchedule();
  const a = add(10, () => schedule.remove(b.room));
  const b = add(10);
  host.runUntil(20);
  expect([a.ran.length, b.ran.length]).toEqual([2, 0]);
  schedule.remove(a.room);
  expect(host.isIdle).toBe(true);
});

test('the other rooms continue if one throws', () => {
  const { host, add } = openSchedule();
  add(10, () => {
    throw new Error('it must not');
  });
  const { ran } = add(10);
  expect(() => host.runUntil(10)).toThrow('it must not');
  host.runUntil(9);
  expect(() => host.runUntil(30)).toThrow('it must not');
  expect(ran.length).toBeGreaterThan(0);
});

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
