/**
 * Aligns the worker's clock with the page's, by a ping-pong over shared memory.
 *
 * Each thread's `performance.now()` starts when the thread starts, and the wall-clock origin that would relate them
 * may be wrong after a system sleep. So the page stores a ping, the worker (which spins for these few milliseconds)
 * answers with its clock, and the shortest of all round trips gives the best estimate:
 *
 *     page     t0 ─────────────────── t1        offset = answer − (t0 + t1) / 2
 *     worker          answer                    error ≤ (t1 − t0) / 2
 *
 * David L. Mills' clock filter in NTP takes the smallest round trip for the same reason ({@link RoundTrips}). The request and reply words
 * hand over the pings (store and load of `Atomics`). The answer itself is a plain Float64: it is written before the
 * reply word is stored, read after the reply word was seen, and not written again before the next request.
 *
 * Clocks are arguments: this file reads none.
 */
import { type BufferViews, CONTROL } from '../memory/layout.js';

type Clock = () => number;

/** Values of the session word. */
const CLOSED = 0;
const ANSWERING = 1;
const DONE = 2;

/** How long the worker answers before it gives up on a page that does not ask, in ms. */
const ANSWER_LIMIT_MS = 30;
/** How long the page waits for one answer, in ms. */
const PING_LIMIT_MS = 2;

/** After how long the page sends no other ping, in ms. If both threads have a processor, all of them take a tenth of that. */
const MEASURE_LIMIT_MS = 5;

/** How far a worker's clock is ahead of the page's, and how accurately that is known. */
export interface ClockOffset {
  /** Worker clock minus page clock, in ms. */
  readonly offsetMs: number;
  /** Maximum error of the offset, in ms: half of the shortest round trip, plus the resolutions of both clocks. */
  readonly uncertaintyMs: number;
}

/** Estimates the offset of another clock from its answers to pings: the shortest round trip decides. */
export class RoundTrips {
  readonly #windowMs: number;
  #samples: (ClockOffset & { readonly endMs: number })[] = [];
  #best: ClockOffset | undefined;

  /** @param windowMs How long a round trip counts, in ms: clocks drift, and routes change. Default: for good. */
  constructor(windowMs = Number.POSITIVE_INFINITY) {
    this.#windowMs = windowMs;
  }

  /** The best of the round trips that count; undefined: there was none. */
  get best(): ClockOffset | undefined {
    return this.#best;
  }

  /** Notes an answer. @param answerMs By the other clock. The others are by this one. */
  note(startMs: number, answerMs: number, endMs: number): void {
    const uncertaintyMs = (endMs - startMs) / 2;
    // Such a clock was set back, or is another machine's.
    if (!(uncertaintyMs >= 0) || !Number.isFinite(answerMs)) return;
    this.#samples.push({ offsetMs: answerMs - (startMs + endMs) / 2, uncertaintyMs, endMs });
    this.#samples = this.#samples.filter((sample) => endMs - sample.endMs <= this.#windowMs);
    this.#best = this.#samples.reduce((best, sample) =>
      sample.uncertaintyMs <= best.uncertaintyMs ? sample : best,
    );
  }
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

/** Whether the worker is answering now, so that {@link measureClockOffset} may be called. */
export function isAnsweringClockPings(views: BufferViews): boolean {
  return Atomics.load(views.control, CONTROL.clockSession) === ANSWERING;
}

/**
 * The page's half: sends pings, spinning for each answer.
 *
 * @returns The best estimate, or undefined if the worker did not answer. Its error bound does not include the steps
 *   of the two clocks.
 */
export function measureClockOffset(
  views: BufferViews,
  now: Clock,
  pings = 24,
): ClockOffset | undefined {
  const { control, clockReplyMs } = views;
  const trips = new RoundTrips();
  const untilMs = now() + MEASURE_LIMIT_MS;
  for (let ping = 0; ping < pings && isAnsweringClockPings(views); ping++) {
    const startMs = now();
    if (startMs > untilMs) break;
    const request = Atomics.add(control, CONTROL.clockRequest, 1) + 1;
    let endMs = startMs;
    let isAnswered = false;
    while (!isAnswered && endMs - startMs < PING_LIMIT_MS) {
      isAnswered = Atomics.load(control, CONTROL.clockReply) === request;
      endMs = now();
    }
    if (isAnswered) trips.note(startMs, clockReplyMs[0] ?? 0, endMs);
  }
  // Not a plain store: a worker that has given up in the meantime has closed the session, and would find the next one
  // done before it began.
  Atomics.compareExchange(control, CONTROL.clockSession, ANSWERING, DONE);
  return trips.best;
}

/** Changes of a clock to measure. One may contain several if the thread lost its processor; the smallest counts. */
const CHANGES = 3;
/** In ms. If the changes of a clock take longer, the first one is enough. */
const MAX_MEASURING_MS = 5;
/** At 30 to 100 ns per reading this ends after 15 to 50 ms, even if the clock is frozen. */
const MAX_READINGS = 500_000;

/**
 * Measures the resolution of a clock: spins until it has moved a few times. Browsers make clocks coarse to prevent
 * timing attacks: a fraction of a microsecond in Node, 5 to 20 µs on isolated pages, 0.1 to 1 ms on others.
 *
 * @returns The resolution in ms; Infinity for a clock that does not move.
 */
export function clockResolutionMs(now: () => number): number {
  let resolutionMs = Number.POSITIVE_INFINITY;
  const startMs = now();
  let lastMs = startMs;
  let changes = 0;
  for (let reading = 0; reading < MAX_READINGS; reading++) {
    const nowMs = now();
    if (nowMs === lastMs) continue;
    resolutionMs = Math.min(resolutionMs, Math.abs(nowMs - lastMs));
    lastMs = nowMs;
    changes += 1;
    if (changes === CHANGES || nowMs - startMs > MAX_MEASURING_MS) break;
  }
  return resolutionMs;
}
