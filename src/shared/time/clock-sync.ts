/**
 * Aligning the worker's clock with the page's, by a ping-pong over shared memory.
 *
 * Each thread's `performance.now()` starts at the thread's own start, and the wall-clock origin that would
 * relate them may be wrong after a system sleep. So the page stores a ping, the worker (which
 * spins for these few milliseconds) answers with its clock, and of all round trips the shortest gives the
 * best estimate:
 *
 *     page     t0 ─────────────────── t1        offset = answer − (t0 + t1) / 2
 *     worker          answer                    error ≤ (t1 − t0) / 2
 *
 * David L. Mills' clock filter in NTP takes the smallest round trip for the same reason. The pings are
 * handed over by the request and reply words (store and load of `Atomics`); the answer itself is a plain
 * Float64, written before the reply word is stored and read after it was seen, and not written again
 * before the next request.
 *
 * Clocks are arguments: this file reads none.
 */
import { type BufferViews, CONTROL } from '../memory/layout.js';

type Clock = () => number;

/** Values of the word of the session. */
const CLOSED = 0;
const ANSWERING = 1;
const DONE = 2;

/** How long the worker answers before it gives up on a page that does not ask, in ms. */
const ANSWER_LIMIT_MS = 30;
/** How long the page waits for one answer, in ms. */
const PING_LIMIT_MS = 2;

/** How far a worker's clock is ahead of the page's, and how surely. */
export interface ClockOffset {
  /** Worker clock minus page clock, in ms. */
  readonly offsetMs: number;
  /** The offset is at most so far off, in ms: half of the shortest round trip, and the steps of both clocks. */
  readonly uncertaintyMs: number;
}

/** The worker's half: spins, answering pings, until the page is done or the limit has passed. */
export function answerClockPings(views: BufferViews, now: Clock): void {
  const { control, clockReplyMs } = views;
  const endMs = now() + ANSWER_LIMIT_MS;
  let answered = Atomics.load(control, CONTROL.clockRequest);
  Atomics.store(control, CONTROL.clockSession, ANSWERING);
  while (Atomics.load(control, CONTROL.clockSession) === ANSWERING && now() < endMs) {
    const request = Atomics.load(control, CONTROL.clockRequest);
    if (request === answered) continue;
    clockReplyMs[0] = now();
    answered = request;
    Atomics.store(control, CONTROL.clockReply, request);
  }
  Atomics.store(control, CONTROL.clockSession, CLOSED);
}

/** Whether the worker is answering now: {@link measureClockOffset} may be called. */
export function isAnsweringClockPings(views: BufferViews): boolean {
  return Atomics.load(views.control, CONTROL.clockSession) === ANSWERING;
}

/**
 * The page's half: pings, spinning for each answer.
 *
 * @returns The best estimate, or undefined when the worker did not answer. Its bound is for clocks without steps: those of
 *   both clocks come on top.
 */
export function measureClockOffset(
  views: BufferViews,
  now: Clock,
  pings = 24,
): ClockOffset | undefined {
  const { control, clockReplyMs } = views;
  let best: ClockOffset | undefined;
  for (let ping = 0; ping < pings && isAnsweringClockPings(views); ping++) {
    const startMs = now();
    const request = Atomics.add(control, CONTROL.clockRequest, 1) + 1;
    let endMs = startMs;
    let isAnswered = false;
    while (!isAnswered && endMs - startMs < PING_LIMIT_MS) {
      isAnswered = Atomics.load(control, CONTROL.clockReply) === request;
      endMs = now();
    }
    if (!isAnswered) continue;
    const uncertaintyMs = (endMs - startMs) / 2;
    if (best === undefined || uncertaintyMs < best.uncertaintyMs) {
      const answerMs = clockReplyMs[0] ?? 0;
      best = { offsetMs: answerMs - (startMs + endMs) / 2, uncertaintyMs };
    }
  }
  // Not stored blindly: a worker that gave up meanwhile has closed the session, and would find the next
  // one done before it began.
  Atomics.compareExchange(control, CONTROL.clockSession, ANSWERING, DONE);
  return best;
}

/** One step may be several, where the thread lost its processor; the smallest of so many counts. */
const STEPS = 3;
/** Of a clock whose steps are longer the first one is enough, in ms. */
const MAX_MEASURING_MS = 5;
/** At 30 to 100 ns a reading this ends after 15 to 50 ms, also with a clock that stands still. */
const MAX_READINGS = 500_000;

/**
 * By how much a clock moves at a time: spins until it has moved a few times. Browsers make clocks coarse, so that pages
 * cannot measure what is none of their business: a fraction of a microsecond in Node, 5 to 20 µs on isolated pages, 0.1 to
 * 1 ms on others.
 *
 * @returns Its step in ms; Infinity for a clock that does not move.
 */
export function clockStepMs(now: () => number): number {
  let stepMs = Number.POSITIVE_INFINITY;
  const startMs = now();
  let lastMs = startMs;
  let steps = 0;
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const nowMs = now();
    if (nowMs === lastMs) continue;
    stepMs = Math.min(stepMs, Math.abs(nowMs - lastMs));
    lastMs = nowMs;
    steps += 1;
    if (steps === STEPS || nowMs - startMs > MAX_MEASURING_MS) break;
  }
  return stepMs;
}
