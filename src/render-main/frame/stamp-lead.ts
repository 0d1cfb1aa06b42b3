/**
 * How far the time stamps of frames lie ahead of the moment at which they are drawn. A window's lie behind it. A headset's
 * may be the time at which the frame will be shown, 10 to 40 ms later: no state of that time exists yet, and that is no
 * lateness of the worker. In Chromium also a session's own stamps may lie ahead: they count from when its first frame came,
 * which may have been late.
 */

/** A stamp that is further ahead, in ms, comes from another clock, or from a video that is not drawn in real time. */
const MAX_LEAD_MS = 100;
/**
 * The lead is the largest of this time, in ms, up to twice: of the frame that was drawn earliest. Others were late, and
 * have more states than they need.
 */
const PART_MS = 4000;
/** A lead that is only this much too long stays, in ms: each change is an animation error. */
const SLACK_MS = 0.5;

export class StampLead {
  /** In ms; 0: the stamps lie behind. */
  leadMs = 0;
  // Inputs. Fields instead of arguments, as in the timeline: no numbers are boxed.
  /** When the page draws the frame, in ms. NaN: it does not say, and there is no lead. */
  nowMs = Number.NaN;
  #partMs = 0;
  #partBeforeMs = 0;
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
      this.#partBeforeMs = this.#partMs;
      this.#partMs = 0;
      this.#endMs = nowMs + PART_MS;
    }
    if (aheadMs > this.#partMs && aheadMs <= MAX_LEAD_MS) this.#partMs = aheadMs;
    const largestMs = Math.max(this.#partMs, this.#partBeforeMs);
    if (largestMs > this.leadMs || largestMs < this.leadMs - SLACK_MS) this.leadMs = largestMs;
  }
}
