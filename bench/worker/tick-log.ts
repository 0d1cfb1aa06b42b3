/**
 * Notes every tick: when it was due, when its step began and ended, and when it was published.
 *
 * The loop does not report when ticks are due; it writes how late a state is into the header of the
 * state, and reads its clock when a step has returned and again when the state is published. So the
 * log replaces the loop's clock, and reads the header at the second of these readings. This thread
 * itself writes the headers.
 */
import { openBuffer } from '../../src/shared/memory/buffer.js';
import { STATE_HEADER, STATISTICS } from '../../src/shared/memory/layout.js';
import type { WorkerHost } from '../../src/sim-worker/thread/host.js';

/** Numbers of a tick, as in {@link LoggedTicks}. */
export const TICK_NUMBERS = 5;
/** A minute at the highest tick rate. */
const MAX_TICKS = 60_000;

export interface LoggedTicks {
  /**
   * For each tick due time and start of its step, in ms of the worker's clock, and the durations of
   * step and publication in ms, and how long the loop had slept in all before it, in ms modulo 2^32 µs. Dropped ticks leave a gap in
   * the due times.
   */
  readonly ticks: Float64Array;
  /** Time for which ticks were noted, by the worker's clock. */
  readonly seconds: number;
  /** How often the thread was held up in a loop without work after that. */
  readonly gaps: number;
}

const LOOP_MS = 100;
/** Longer than a system's own work on a thread that it does not interrupt. */
const GAP_MS = 2;

/** Reads the clock for a while. How often it advanced by more than reading takes: another thread ran. */
export function gapsIn(now: () => number): number {
  let gaps = 0;
  const endMs = now() + LOOP_MS;
  for (let lastMs = now(), nowMs = lastMs; nowMs < endMs; nowMs = now()) {
    if (nowMs - lastMs > GAP_MS) gaps += 1;
    lastMs = nowMs;
  }
  return gaps;
}

export class TickLog {
  /** The loop's host, with an observed clock. */
  readonly host: WorkerHost;
  readonly #now: () => number;
  readonly #numbers = new Float64Array(MAX_TICKS * TICK_NUMBERS);
  #headers: readonly Float64Array[] = [];
  #statistics: Int32Array | undefined;
  #asleepUs = 0;
  #count = 0;
  #beganMs = 0;
  #tick = 0;
  #startMs = 0;
  #steppedMs = 0;
  /** Clock readings since the step returned; 2 and more: nothing to note. */
  #readings = 2;

  constructor(host: WorkerHost) {
    this.#now = host.now;
    this.host = { ...host, now: () => this.#read() };
  }

  now(): number {
    return this.#now();
  }

  /** @param buffer The memory that this worker publishes into. */
  begin(buffer: ArrayBufferLike): void {
    const { slots, statistics } = openBuffer(buffer);
    this.#headers = slots.flatMap(({ stateHeaders }) => stateHeaders);
    this.#statistics = statistics;
    this.#count = 0;
    this.#readings = 2;
    this.#beganMs = this.#now();
  }

  /**
   * The notes since {@link begin}.
   *
   * @param countGaps Runs a loop without work; see {@link gapsIn}.
   */
  end(countGaps: () => number = () => gapsIn(this.#now)): LoggedTicks {
    const seconds = (this.#now() - this.#beganMs) / 1000;
    const ticks = this.#numbers.slice(0, this.#count * TICK_NUMBERS);
    this.#headers = [];
    return { ticks, seconds, gaps: countGaps() };
  }

  stepBegins(tick: number): void {
    this.#tick = tick;
    this.#asleepUs = this.#statistics?.[STATISTICS.asleepUs] ?? 0;
    this.#startMs = this.#now();
  }

  stepEnds(): void {
    this.#readings = 0;
  }

  #read(): number {
    const ms = this.#now();
    if (this.#readings >= 2) return ms;
    this.#readings += 1;
    if (this.#readings === 1) this.#steppedMs = ms;
    else this.#note(ms);
    return ms;
  }

  #note(publishedMs: number): void {
    const header = this.#headers.find((one) => one[STATE_HEADER.tick] === this.#tick);
    if (header === undefined || this.#count === MAX_TICKS) return;
    const at = this.#count * TICK_NUMBERS;
    this.#numbers[at] = this.#steppedMs - (header[STATE_HEADER.latenessMs] ?? Number.NaN);
    this.#numbers[at + 1] = this.#startMs;
    this.#numbers[at + 2] = this.#steppedMs - this.#startMs;
    this.#numbers[at + 3] = publishedMs - this.#steppedMs;
    this.#numbers[at + 4] = (this.#asleepUs >>> 0) / 1000;
    this.#count += 1;
  }
}
