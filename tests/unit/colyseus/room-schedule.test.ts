import { expect, test } from 'vitest';
import {
  RoomSchedule,
  type ScheduledRoom,
  type ScheduleHost,
} from '../../../src/colyseus/server/room-schedule.js';

/** A clock that moves only when the test says so, and a timer that may be inexact. */
class ScriptedHost implements ScheduleHost {
  nowMs = 1000;
  /** How much later than asked for the timer fires; negative: earlier. */
  errorMs = 0;
  fired = 0;
  #timer: { readonly atMs: number; readonly call: () => void } | undefined;
  /** Most timers at a time. */
  maxTimers = 0;

  now(): number {
    return this.nowMs;
  }

  setTimer(call: () => void, delayMs: number): () => void {
    this.maxTimers = Math.max(this.maxTimers, this.#timer === undefined ? 1 : 2);
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

/** A room whose ticks are due every period, and take some time. */
class ScriptedRoom implements ScheduledRoom {
  readonly #startMs: number;
  readonly periodMs: number;
  readonly ran: number[] = [];
  readonly name: string;
  readonly #runTick: (room: ScriptedRoom) => void;

  constructor(
    name: string,
    host: ScriptedHost,
    periodMs: number,
    runTick: (room: ScriptedRoom) => void = () => undefined,
    startMs = host.nowMs,
  ) {
    this.name = name;
    this.#startMs = startMs;
    this.periodMs = periodMs;
    this.#runTick = runTick;
  }

  get nextDueMs(): number {
    return this.#startMs + (this.ran.length + 1) * this.periodMs;
  }

  run(nowMs: number): void {
    this.ran.push(nowMs - this.#startMs);
    this.#runTick(this);
  }
}

test('the rooms of a process run in the order in which they are due, by one timer', () => {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const order: string[] = [];
  const note = ({ name, ran }: ScriptedRoom) => order.push(`${name}${ran.at(-1)}`);
  const [a, b] = [new ScriptedRoom('a', host, 10, note), new ScriptedRoom('b', host, 15, note)];
  schedule.add(b);
  schedule.add(a);
  host.runUntil(1000 + 45);
  expect(order).toEqual(['a10', 'b15', 'a20', 'b30', 'a30', 'a40', 'b45']);
  expect(host.maxTimers).toBe(1);
});

test('the schedule of rooms does not drift, however late timers are', () => {
  const host = new ScriptedHost();
  host.errorMs = 0.9;
  const schedule = new RoomSchedule(host);
  const room = new ScriptedRoom('a', host, 10);
  schedule.add(room);
  host.runUntil(1000 + 10_000.95);
  expect(room.ran).toHaveLength(1000);
  expect(room.ran.at(-1)).toBeCloseTo(10_000.9, 6);
});

test('no room runs a tick before it is due if a timer fires early', () => {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const room = new ScriptedRoom('a', host, 10);
  host.errorMs = -0.5;
  schedule.add(room);
  host.errorMs = 0;
  host.runUntil(1000 + 9.9);
  expect(host.fired).toBe(1);
  expect(room.ran).toEqual([]);
  host.runUntil(1000 + 10);
  expect(room.ran).toEqual([10]);
});

test('every room has its turn next to one that needs more time than there is', () => {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const slow = new ScriptedRoom('slow', host, 10, () => (host.nowMs += 50));
  const others = [1, 2, 3].map((index) => new ScriptedRoom(`${index}`, host, 100));
  for (const room of [slow, ...others]) schedule.add(room);
  host.runUntil(1000 + 10_050);
  expect(slow.ran.length).toBeGreaterThan(190);
  for (const { ran } of others) {
    expect(ran).toHaveLength(100);
    // Late by one tick of the slow one, and never by more.
    for (const [index, ms] of ran.entries()) expect(ms - (index + 1) * 100).toBeLessThan(50.1);
  }
});

test('rooms that are late catch up by one tick of each at a time', () => {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const order: string[] = [];
  const note = ({ name }: ScriptedRoom) => order.push(name);
  for (const name of ['a', 'b']) schedule.add(new ScriptedRoom(name, host, 10, note));
  host.nowMs += 35;
  host.runUntil(1000 + 35);
  expect(order.join('')).toBe('ababab');
  expect(host.fired).toBe(3);
});

test('rooms that open at the same moment have their ticks in sequence', () => {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const tickMs = 1.2;
  const rooms = Array.from({ length: 8 }, (_, index) => {
    const startMs = schedule.quietStartMs(16);
    expect(startMs).toBeGreaterThan(1000 - 16);
    expect(startMs).toBeLessThanOrEqual(1000);
    const room = new ScriptedRoom(`${index}`, host, 16, () => (host.nowMs += tickMs), startMs);
    schedule.add(room);
    return room;
  });
  host.runUntil(1000 + 1600);
  for (const { ran } of rooms) {
    expect(ran.length).toBeGreaterThanOrEqual(99);
    // Together, their ticks take 9.6 of 16 ms, and none has to wait for another.
    for (const [index, ms] of ran.entries()) expect(ms - (index + 1) * 16).toBeLessThan(0.1);
  }
});

test('a room that was removed runs no more, also if another one did it, and without rooms there is no timer', () => {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const b = new ScriptedRoom('b', host, 10);
  const a = new ScriptedRoom('a', host, 10, () => schedule.remove(b));
  schedule.add(a);
  schedule.add(b);
  host.runUntil(1000 + 20);
  expect([a.ran.length, b.ran.length]).toEqual([2, 0]);
  schedule.remove(a);
  expect(host.isIdle).toBe(true);
});

test('the other rooms continue if one throws', () => {
  const host = new ScriptedHost();
  const schedule = new RoomSchedule(host);
  const room = new ScriptedRoom('a', host, 10);
  const wrong = new ScriptedRoom('b', host, 10, () => {
    throw new Error('it must not');
  });
  schedule.add(wrong);
  schedule.add(room);
  expect(() => host.runUntil(1000 + 10)).toThrow('it must not');
  host.runUntil(1000 + 9);
  expect(() => host.runUntil(1000 + 30)).toThrow('it must not');
  expect(room.ran.length).toBeGreaterThan(0);
});
