/**
 * Determines when something periodic is due: a frame limit, the activities of the `rate-groups` stepper. Beats start at
 * the first call; beat k is at
 *
 *     anchor + k × unitsPerSecond / rateHz        (in clock units)
 *
 * and is due at the first call whose time is *greater than* that. A sum of periods would drift: truncated to whole
 * microseconds, those of 60 Hz would be 3.4 s ahead after 24 hours.
 *
 *     beats     0─────────1─────────2─────────3─────────4─────────5
 *     calls     x  x  x  x  x  x  x  x ─── lag ─────────── x  x  x
 *     skip      1  0  0  0  1  0  0  1                     1  0  1     missed beats are counted, not acted on
 *     make-up   1  0  0  0  1  0  0  1                     2  0  1     missed beats are all acted on
 *
 * Source: the main loop of an engine in Pascal, author unknown: its counters, each an accumulator of integer
 * clock ticks.
 */
import { requireKnownKeys } from '../util/known-keys.js';
import { requireChoice, requireInteger, requireNumber } from '../util/validate.js';

/** What happens to missed beats. */
const MISSED_BEATS = ['skip', 'make-up'] as const;
type MissedBeats = (typeof MISSED_BEATS)[number];

export interface MetronomeOptions {
  /** Beats per second, more than 0 and at most `unitsPerSecond`. Need not be whole. */
  readonly rateHz: number;
  /** Clock units per second, a whole number. Default 1,000,000: microseconds. */
  readonly unitsPerSecond?: number;
  /** `skip` acts once for any number of missed beats, `make-up` once for each of them. Default `skip`. */
  readonly missed?: MissedBeats;
  /** How many units early a beat counts as due. Default 0. */
  readonly earlyUnits?: number;
}

/** The lowest rate: one beat in 11 days. */
const MIN_RATE_HZ = 1e-6;
/** Per second. */
const MAX_UNITS = 1e9;

export class Metronome {
  readonly #unitsPerSecond: number;
  readonly #missed: MissedBeats;
  readonly #earlyUnits: number;
  readonly #rateHz: number;
  #anchorUnits = Number.NaN;
  #beat = 0;
  #skipped = 0;

  /** @throws TypeError, RangeError naming the invalid option. */
  constructor(options: MetronomeOptions) {
    requireKnownKeys('a metronome', options, ['rateHz', 'unitsPerSecond', 'missed', 'earlyUnits']);
    const { unitsPerSecond = 1_000_000, missed = 'skip', earlyUnits = 0 } = options;
    this.#unitsPerSecond = requireInteger('unitsPerSecond', unitsPerSecond, 1, MAX_UNITS);
    this.#missed = requireChoice('missed', missed, MISSED_BEATS);
    this.#earlyUnits = requireInteger('earlyUnits', earlyUnits, 0, this.#unitsPerSecond);
    this.#rateHz = requireNumber('rateHz', options.rateHz, MIN_RATE_HZ, this.#unitsPerSecond);
  }

  /** Beats that were missed and not acted on. */
  get skipped(): number {
    return this.#skipped;
  }

  /** The first whole unit at which the next beat is due; NaN before the first call, which is always due. */
  get nextDueUnits(): number {
    return this.#anchorUnits + this.#dueUnits(this.#beat + 1) - this.#earlyUnits;
  }

  /**
   * How many times to act now. The first call is always due and sets the anchor.
   *
   * @param nowUnits The clock's time, a whole number of units, never decreasing.
   * @returns 0 if nothing is due; 1 or, with `make-up`, the number of beats due.
   */
  advance(nowUnits: number): number {
    if (Number.isNaN(this.#anchorUnits)) {
      this.#anchorUnits = nowUnits;
      this.#beat = 0;
      return 1;
    }
    const elapsedUnits = nowUnits + this.#earlyUnits - this.#anchorUnits;
    let beat = Math.floor((elapsedUnits * this.#rateHz) / this.#unitsPerSecond);
    // The quotient may round across a whole number, and a beat exactly at now is not due yet. The beats' own times
    // decide, and the quotient is off by one at most.
    if (this.#dueUnits(beat) > elapsedUnits) beat -= 1;
    else if (this.#dueUnits(beat + 1) <= elapsedUnits) beat += 1;
    const due = beat - this.#beat;
    if (due <= 0) return 0;
    this.#beat = beat;
    if (this.#missed === 'make-up') return due;
    this.#skipped += due - 1;
    return 1;
  }

  /** Discards the beats: the next call counts as the first. */
  restart(): void {
    this.#anchorUnits = Number.NaN;
  }

  /** The first whole unit after a beat, counted from the anchor. */
  #dueUnits(beat: number): number {
    return Math.floor((beat * this.#unitsPerSecond) / this.#rateHz) + 1;
  }
}
