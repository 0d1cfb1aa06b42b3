/**
 * How far the time stamps of frames lie ahead of the moment at which they are drawn. In a window, they lie behind it. In a
 * headset, a time stamp may be the time at which the frame will be shown, 10 to 40 ms later: no state of that time exists
 * yet, but the worker is not late. Chromium counts a session's own time stamps from its first frame, so they lie ahead, too, if
 * that frame came late.
 */

/** In ms. A time stamp further ahead is from another clock, or the frame is not drawn in real time, as for a video. */
const MAX_LEAD_MS = 100;
/**
 * In ms. The lead is the largest one of the current window and the one before, so of the last 4 to 8 s: a frame with a smaller
 * lead was drawn late, and has newer states than it needs.
 */
const WINDOW_MS = 4000;
/** In ms. A lead that is too long by no more than this stays as it is, because each change is an animation error. */
const SLACK_MS = 0.5;

export class StampLead {
  /** In ms; 0 if the time stamps lie behind. */
  leadMs = 0;
  // Inputs. Fields instead of arguments, as in the timeline: no numbers are boxed.
  /** When the page draws the frame, in ms. NaN if that is unknown; then there is no lead. */
  nowMs = Number.NaN;
  #largestMs = 0;
  #largestBeforeMs = 0;
  #endMs = Number.NEGATIVE_INFINITY;

  /**
   * Takes a frame that is drawn at `nowMs`.
   *
   * @param frameMs Its time stamp, in ms.
   */
  add(frameMs: number): void {
    const { nowMs } = this;
    const aheadMs = frameMs - nowMs;
    if (!(nowMs < this.#endMs)) {
      this.#largestBeforeMs = this.#largestMs;
      this.#largestMs = 0;
      this.#endMs = nowMs + WINDOW_MS;
    }
    if (aheadMs > this.#largestMs && aheadMs <= MAX_LEAD_MS) this.#largestMs = aheadMs;
    const largestMs = Math.max(this.#largestMs, this.#largestBeforeMs);
    if (largestMs > this.leadMs || largestMs < this.leadMs - SLACK_MS) this.leadMs = largestMs;
  }
}
