/**
 * Determines when something periodic is due: a frame limit. Beats start at the first call; beat k is at
 *
 *     anchor + k × 1,000,000 / rateHz        (in µs)
 *
 * and is due at the first call whose time is *greater than* that. A sum of periods would drift: truncated to whole
 * microseconds, those of 60 Hz would be 3.4 s ahead after 24 hours.
 *
 *     beats     0─────────1─────────2─────────3─────────4─────────5
 *     calls     x  x  x  x  x  x  x  x ─── lag ─────────── x  x  x
 *     returns   1  0  0  0  1  0  0  1                     2  0  1
 *
 * Source: the main loop of an engine in Pascal, author unknown: its counters, each an accumulator of integer
 * clock ticks.
 */

const US_PER_SECOND = 1_000_000;

export class Metronome {
  readonly #rateHz: number;
  readonly #earlyUs: number;
  #anchorUs = Number.NaN;
  #beat = 0;

  /**
   * @param rateHz Beats per second, more than 0 and at most 1,000,000. Need not be whole.
   * @param earlyUs How early a beat counts as due, in whole µs.
   */
  constructor(rateHz: number, earlyUs = 0) {
    this.#rateHz = rateHz;
    this.#earlyUs = earlyUs;
  }

  /** The first whole µs at which the next beat is due; NaN before the first call, which is always due. */
  get nextDueUs(): number {
    return this.#anchorUs + this.#dueUs(this.#beat + 1) - this.#earlyUs;
  }

  /**
   * How many beats are due. The first call is always due and sets the anchor.
   *
   * @param nowUs The clock's time, in whole µs, never decreasing.
   */
  advance(nowUs: number): number {
    if (Number.isNaN(this.#anchorUs)) {
      this.#anchorUs = nowUs;
      return 1;
    }
    const elapsedUs = nowUs + this.#earlyUs - this.#anchorUs;
    let beat = Math.floor((elapsedUs * this.#rateHz) / US_PER_SECOND);
    // The quotient may round across a whole number, and a beat exactly at now is not due yet. The beats' own times
    // decide, and the quotient is off by one at most.
    if (this.#dueUs(beat) > elapsedUs) beat -= 1;
    else if (this.#dueUs(beat + 1) <= elapsedUs) beat += 1;
    const due = Math.max(0, beat - this.#beat);
    this.#beat += due;
    return due;
  }

  /** The first whole µs after a beat, counted from the anchor. */
  #dueUs(beat: number): number {
    return Math.floor((beat * US_PER_SECOND) / this.#rateHz) + 1;
  }
}
