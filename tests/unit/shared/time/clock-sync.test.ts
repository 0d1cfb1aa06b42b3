/** The ping-pong over shared memory, both sides, on scripted clocks. */
import { expect, test } from 'vitest';
import { createBuffer } from '../../../../src/shared/memory/create-buffer.js';
import {
  answerClockPings,
  isAnsweringClockPings,
  clockResolutionMs,
  measureClockOffset,
  RoundTrips,
} from '../../../../src/shared/time/clock-sync.js';
import { CONTROL, type BufferViews } from '../../../../src/shared/memory/layout.js';

/** Worker clock minus page clock, in ms. */
const AHEAD_MS = 394;

/** How long a ping takes to the worker and back, in ms. */
type Trip = readonly [there: number, back: number];

/**
 * The page's clock. Reading it also runs the worker's side: a waiting ping is answered, and the
 * time advances by what that costs.
 */
function pageClock(views: BufferViews, trips: readonly Trip[], onPing: (ping: number) => void) {
  let ms = 1000;
  let answered = Atomics.load(views.control, CONTROL.clockRequest);
  let pings = 0;
  return (): number => {
    const request = Atomics.load(views.control, CONTROL.clockRequest);
    if (request === answered) return ms;
    const [there, back] = trips[pings % trips.length] ?? [0, 0];
    answered = request;
    views.clockReplyMs[0] = ms + there + AHEAD_MS;
    ms += there + back;
    Atomics.store(views.control, CONTROL.clockReply, request);
    onPing(++pings);
    return ms;
  };
}

/** @param onPing Called after each answer. */
function measured(
  trips: readonly Trip[],
  limit = 24,
  onPing: (ping: number, control: Int32Array) => void = () => {},
) {
  const views = createBuffer(1, 2);
  Atomics.store(views.control, CONTROL.clockSession, 1);
  let pings = 0;
  const now = pageClock(views, trips, (ping) => {
    pings = ping;
    onPing(ping, views.control);
  });
  const offset = measureClockOffset(views, now, limit);
  return { offset, pings, session: Atomics.load(views.control, CONTROL.clockSession) };
}

test('the page uses the shortest of its clock pings, whenever it occurs, and ends the session', () => {
  // Unequal delays shift the answer by half of their difference.
  const slow: Trip = [0.1, 1.5];
  const quick: Trip = [0.004, 0.006];
  for (const trips of [
    [quick, slow, slow],
    [slow, quick, slow],
    [slow, slow, quick],
  ]) {
    const { offset, pings, session } = measured(trips, 3);
    // 2: the page is done, and the worker need not continue spinning.
    expect([pings, session]).toEqual([3, 2]);
    expect(offset?.uncertaintyMs).toBeCloseTo(0.005, 9);
    expect(offset?.offsetMs).toBeCloseTo(AHEAD_MS - 0.001, 9);
  }
});

test('a round trip counts for as long as it was said to, and one that took negative time does not', () => {
  const trips = new RoundTrips(1000);
  expect(trips.best).toBeUndefined();
  trips.note(10, 500, 9);
  trips.note(0, Number.NaN, 10);
  expect(trips.best).toBeUndefined();
  trips.note(0, 105, 10);
  trips.note(500, 620, 530);
  expect(trips.best).toMatchObject({ offsetMs: 100, uncertaintyMs: 5 });
  trips.note(1000, 1140, 1040);
  expect(trips.best).toMatchObject({ offsetMs: 105, uncertaintyMs: 15 });
});

test('the page has no clock offset when nothing answers', () => {
  let readings = 0;
  const views = createBuffer(1, 2);
  Atomics.store(views.control, CONTROL.clockSession, 1);
  const offset = measureClockOffset(views, () => 0.5 * readings++);
  expect(offset).toBeUndefined();
  // Each ping is waited for until 2 ms have passed, and none begins after 5 ms.
  expect(readings).toBe(1 + 2 * 5 + 1);
  expect(Atomics.load(views.control, CONTROL.clockRequest)).toBe(2);
});

test('the page stops its clock pings when the worker gives up, and does not end the session after this one', () => {
  const { offset, pings, session } = measured([[0.01, 0.01]], 24, (ping, control) => {
    if (ping === 3) Atomics.store(control, CONTROL.clockSession, 0);
  });
  expect(offset?.offsetMs).toBeCloseTo(AHEAD_MS, 9);
  expect([pings, session]).toEqual([3, 0]);
});

/**
 * Answers on a clock on which each reading takes 0.1 ms, with actions of the page between readings.
 */
function answering(page: (views: BufferViews, reading: number) => void) {
  const views = createBuffer(1, 2);
  let readings = 0;
  answerClockPings(views, () => {
    readings += 1;
    page(views, readings);
    return 500 + readings / 10;
  });
  return { views, readings };
}

test('the worker answers each clock ping once with its clock, until the page is done', () => {
  const answers: number[] = [];
  const { views } = answering(({ control, clockReplyMs }, reading) => {
    const isAnswered =
      Atomics.load(control, CONTROL.clockReply) === Atomics.load(control, CONTROL.clockRequest);
    if (reading < 2 || !isAnswered) return;
    if (Atomics.load(control, CONTROL.clockReply) > 0) answers.push(clockReplyMs[0] ?? Number.NaN);
    if (answers.length < 3) Atomics.add(control, CONTROL.clockRequest, 1);
    else Atomics.store(control, CONTROL.clockSession, 2);
  });
  expect(answers).toHaveLength(3);
  expect(answers).toEqual(answers.toSorted((a, b) => a - b));
  expect(new Set(answers).size).toBe(3);
  // Closed: the next page that asks gets no answer until a worker is there again.
  expect(isAnsweringClockPings(views)).toBe(false);
  expect(Atomics.load(views.control, CONTROL.clockSession)).toBe(0);
});

test('the worker gives up on a page that does not ask for its clock for 30 ms', () => {
  const { views, readings } = answering(() => {});
  // One every 0.1 ms.
  expect(readings).toBe(301);
  expect(Atomics.load(views.control, CONTROL.clockReply)).toBe(0);
  expect(isAnsweringClockPings(views)).toBe(false);
});

test('the worker does not answer a clock ping of the previous session', () => {
  const views = createBuffer(1, 2);
  Atomics.store(views.control, CONTROL.clockRequest, 7);
  let ms = 0;
  answerClockPings(views, () => (ms += 1));
  expect(Atomics.load(views.control, CONTROL.clockReply)).toBe(0);
  expect(views.clockReplyMs[0]).toBe(0);
});

/** A clock that shows these values, and then continues with the last. */
const showing = (...readings: number[]) => {
  let reading = 0;
  return () => readings[Math.min(reading++, readings.length - 1)] ?? 0;
};

test.each<[string, number[], number]>([
  ['the smallest of three, because a thread may be preempted', [0, 0, 0.7, 0.7, 0.8, 3, 3.01], 0.1],
  ['that of a clock that goes back', [5, 4.9, 5, 5.1], 0.1],
  ['the first, if it takes more than 5 ms', [3, 3, 20, 21], 17],
  ['one after another until 5 ms have passed', [0, 5, 9, 10], 4],
  ['none if the clock never moves', [7], Infinity],
])('the resolution of a clock is %s', (_, readings, resolutionMs) => {
  expect(clockResolutionMs(showing(...readings))).toBeCloseTo(resolutionMs, 12);
});
