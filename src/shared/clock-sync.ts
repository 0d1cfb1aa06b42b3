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
import { CONTROL, type BufferViews } from './layout.js';

type Clock = () => number;

const SESSION = { closed: 0, answering: 1, done: 2 } as const;

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
  Atomics.store(control, CONTROL.clockSession, SESSION.answering);
  while (Atomics.load(control, CONTROL.clockSession) === SESSION.answering && now() < endMs) {
    const request = Atomics.load(control, CONTROL.clockRequest);
    if (request === answered) continue;
    clockReplyMs[0] = now();
    answered = request;
    Atomics.store(control, CONTROL.clockReply, request);
  }
  Atomics.store(control, CONTROL.clockSession, SESSION.closed);
}

/** Whether the worker is answering now: {@link measureClockOffset} may be called. */
export function isAnsweringClockPings(views: BufferViews): boolean {
  return Atomics.load(views.control, CONTROL.clockSession) === SESSION.answering;
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
  Atomics.compareExchange(control, CONTROL.clockSession, SESSION.answering, SESSION.done);
  return best;
}
