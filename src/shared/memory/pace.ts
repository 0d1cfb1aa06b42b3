/**
 * The pace: whether the page wants the simulation to run, and how fast. It is state that the page writes and the worker
 * follows, not a series of calls: of several changes the last one counts, and a worker that takes the place of another is given the same record.
 *
 *     page     write ─ ready() ─ ring ···························▶ answered: the pace is followed
 *                │                                     ▲
 *     memory     └▶ paused, 60 Hz ───┐                 │
 *     worker   ── ticks of a pass ── looks, follows ── turn: ready() looks again ── sleeps unless the bell has rung
 *
 * ROLES. The page writes (`WorkerLink`), the worker reads (`SimulationLoop.followPace`): after the ticks of each pass, and
 * when it answers `ready`. A parked worker makes no pass, so each write is followed by that call, whose answer tells the
 * page that the worker has got there.
 *
 * NOTHING TEARS. A pace is one record in a mailbox, so the reader has it whole. mailbox.ts proves that, with its own
 * race test; here the page is the writer and the worker the reader.
 *
 * NOTHING IS LOST. The reader may miss a record only if a newer one replaces it, and each record says everything. One
 * thing is not state, though: a worker may pause by itself (an invalid pose, the end of a replay), and "not paused" in a record
 * that was written before the page knew must not resume it. So `resumes` counts, and only another count resumes.
 *
 * NO SLEEP IS TOO LONG. The page writes, then posts the call, then rings. The worker reads the bell, then looks, then
 * sleeps only if the bell is as it was (doorbell.ts). A record written after the look is followed by a ring.
 */
import { SnapshotFormatError, memoryIsCorrupt } from '../util/errors.js';
import * as LIMITS from '../util/limits.js';
import { CONTROL, PACE, type BufferViews } from './layout.js';
import { MailboxReader, MailboxWriter } from './mailbox.js';

export interface Pace {
  readonly isPaused: boolean;
  /** How often the page has resumed the simulation. */
  readonly resumes: number;
  readonly tickRateHz: number;
  /** Simulated seconds per second. */
  readonly timeScale: number;
  /** Most ticks of a pass. */
  readonly maxCatchUpTicks: number;
}

export class PaceWriter {
  readonly #views: BufferViews;
  readonly #mailbox: MailboxWriter;

  constructor(views: BufferViews) {
    this.#views = views;
    this.#mailbox = new MailboxWriter(views.control, CONTROL.paceMailbox);
  }

  write(pace: Pace): void {
    const record = this.#views.paces[this.#mailbox.slot] as Float64Array;
    record[PACE.isPaused] = Number(pace.isPaused);
    record[PACE.resumes] = pace.resumes;
    record[PACE.tickRateHz] = pace.tickRateHz;
    record[PACE.timeScale] = pace.timeScale;
    record[PACE.maxCatchUpTicks] = pace.maxCatchUpTicks;
    this.#mailbox.publish();
  }
}

export class PaceReader {
  readonly #views: BufferViews;
  readonly #mailbox: MailboxReader;

  constructor(views: BufferViews) {
    this.#views = views;
    this.#mailbox = new MailboxReader(views.control, CONTROL.paceMailbox);
  }

  /** The newest pace; undefined: it was taken before. @throws SnapshotFormatError if there is no such pace. */
  take(): Pace | undefined {
    if (!this.#mailbox.fetch()) return undefined;
    const record = this.#views.paces[this.#mailbox.slot] as Float64Array;
    const word = (index: number): number => record[index] as number;
    const pace = {
      isPaused: word(PACE.isPaused) !== 0,
      resumes: word(PACE.resumes),
      tickRateHz: word(PACE.tickRateHz),
      timeScale: word(PACE.timeScale),
      maxCatchUpTicks: word(PACE.maxCatchUpTicks),
    };
    if (!isPossible(pace)) throw new SnapshotFormatError(memoryIsCorrupt('a pace'));
    return pace;
  }
}

function isPossible({ tickRateHz, timeScale, maxCatchUpTicks }: Pace): boolean {
  return (
    isWithin(tickRateHz, LIMITS.tickRateHz) &&
    isWithin(timeScale, LIMITS.timeScale) &&
    isWithin(maxCatchUpTicks, LIMITS.maxCatchUpTicks) &&
    Number.isInteger(maxCatchUpTicks)
  );
}

const isWithin = (value: number, [low, high]: readonly [number, number]): boolean =>
  value >= low && value <= high;
