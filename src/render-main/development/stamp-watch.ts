/**
 * Judges whether the stamps that a page gives to `sample` are the page's time in ms. Counts frames, because a single one
 * proves nothing: a callback may be late by the time that is spent at a breakpoint.
 */

/** This many frames in a row leave no doubt. */
const CERTAIN_FRAMES = 10;

/** No page draws as many views of one frame: the stamp never changes. */
const MAX_VIEWS = 100;

/** A stamp that differs by more from the page's time is of another clock or unit, in ms. */
const MAX_DIFFERENCE_MS = 10_000;

/** No display shows two frames within this time, in ms; in seconds, all frames are that close. */
const MIN_FRAME_MS = 1;

const MS_PER_SECOND = 1000;

export class StampWatch {
  #stamp = Number.NaN;
  #nowMs = Number.NaN;
  /** Calls in a row with this stamp. */
  #views = 0;
  /** Frames in a row that were far from the page's time. */
  #farFrames = 0;
  /** Frames in a row that were closer than frames in ms can be, and by how much stamps and page advanced in them. */
  #closeFrames = 0;
  #closeStamps = 0;
  #closeMs = 0;

  /**
   * Notes a call of `sample`.
   *
   * @param stamp What it was given.
   * @param nowMs The page's time, in ms.
   * @returns Whether the stamps are certainly wrong.
   */
  isWrong(stamp: number, nowMs: number): boolean {
    const isFar = Math.abs(stamp - nowMs) > MAX_DIFFERENCE_MS;
    if (stamp === this.#stamp) this.#views += 1;
    else this.#noteFrame(stamp, nowMs, isFar);
    return (
      this.#farFrames >= CERTAIN_FRAMES || (isFar && this.#views > MAX_VIEWS) || this.#areSeconds
    );
  }

  #noteFrame(stamp: number, nowMs: number, isFar: boolean): void {
    this.#views = 1;
    this.#farFrames = isFar ? this.#farFrames + 1 : 0;
    const advance = stamp - this.#stamp;
    if (advance > 0 && advance < MIN_FRAME_MS) {
      this.#closeFrames += 1;
      this.#closeStamps += advance;
      this.#closeMs += nowMs - this.#nowMs;
    } else {
      this.#closeFrames = 0;
      this.#closeStamps = 0;
      this.#closeMs = 0;
    }
    this.#stamp = stamp;
    this.#nowMs = nowMs;
  }

  /** Whether the stamps advance as the page's time does in seconds; its origin does not matter. */
  get #areSeconds(): boolean {
    if (this.#closeFrames < CERTAIN_FRAMES) return false;
    const ratio = (this.#closeStamps * MS_PER_SECOND) / this.#closeMs;
    return ratio > 0.5 && ratio < 2;
  }
}
