/**
 * The margin of a timeline, from the lateness of publications. Loaded on demand: with a fixed margin, none of it is
 * needed.
 */
import type { SlotViews } from '../../shared/memory/layout.js';
import { LatenessWindow } from './lateness-window.js';

/** What the margin has beyond the lateness to cover, in ms: the worker reads its clock before it publishes. */
const HEADROOM_MS = 0.2;
/** A margin that is only this much too long stays, in ms: each change is an animation error. */
const SLACK_MS = 0.5;
/**
 * A freeze in spite of the margin adds this much, in ms, and each frame takes a thousandth of it. So at most one frame in
 * a thousand begins a freeze, even if frames keep the worst phase to the ticks, as on a display with the ticks' rate.
 */
const FREEZE_MS = 1;
const FREEZE_SHARE = 0.001;

export class AdaptiveMargin {
  marginMs = 0;
  // Inputs. Fields instead of arguments, as in the timeline: no numbers are boxed.
  /** The margin until the lateness is known, in ms, and the most that freezes add. */
  startMs = Number.NaN;
  /** The drawing froze with the delay that was wanted. */
  isFrozen = false;
  readonly lateness = new LatenessWindow();
  #addedMs = 0;

  /** For each frame: takes the states from the first one on. */
  advance(slot: SlotViews, first: number, newest: number): void {
    const { lateness, startMs } = this;
    this.#addedMs = Math.max(0, this.#addedMs - FREEZE_SHARE * FREEZE_MS);
    if (first <= newest) {
      lateness.update(slot, first, newest);
      if (this.isFrozen && lateness.isKnown && !lateness.isHitch) {
        this.#addedMs = Math.min(startMs, this.#addedMs + FREEZE_MS);
      }
      this.isFrozen = false;
    }
    const neededMs = lateness.neededMs + HEADROOM_MS + this.#addedMs;
    if (!lateness.isKnown) this.marginMs = Math.max(startMs, neededMs);
    else if (neededMs > this.marginMs || neededMs < this.marginMs - SLACK_MS) {
      this.marginMs = neededMs;
    }
  }
}
