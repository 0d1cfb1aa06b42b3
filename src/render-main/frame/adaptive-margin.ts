/** The margin of a timeline, from the lateness of publications. */
import type { InterpolationMode } from '../api/connect-options.js';
import { CONTROL, type SlotViews } from '../../shared/memory/layout.js';
import { FrameRhythm } from './frame-rhythm.js';
import { LatenessWindow } from './lateness-window.js';
import type { Frame } from './frame.js';

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
/** A frame needs the ticks that are due up to this much after its time, in ms: its stamp and the delay are not exact. */
const NEEDED_MS = 0.25;

export class AdaptiveMargin {
  marginMs = 0;
  // Inputs. Fields instead of arguments, as in the timeline: no numbers are boxed.
  /** The margin until the lateness is known, in ms, and the most that freezes add. */
  startMs = Number.NaN;
  /** The drawing froze with the delay that was wanted. */
  isFrozen = false;
  /** Time since a tick was due that the frame does not have yet, in ms; 0 or less: there is none. */
  overdueMs = 0;
  readonly lateness = new LatenessWindow();
  readonly rhythm = new FrameRhythm();
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

  /**
   * Ends a frame: lets the worker begin ticks as late as frames need them, so that they have the newest inputs.
   *
   *     frames            f           f           f           f        needs the ticks due up to its stamp − margin
   *     due        k           k+1         k+2         k+3
   *     begins     └──wait─k   └──wait─k+1 └──wait─k+2                 a lead before the first frame that needs it
   *
   * @param frameMs Its time stamp, in ms.
   * @param frame The frame before.
   * @param control The control words; undefined: there are none.
   */
  follow(
    frameMs: number,
    frame: Frame,
    mode: InterpolationMode,
    control: Int32Array | undefined,
  ): void {
    const { lateness, rhythm, overdueMs } = this;
    const marginMs = frame.delayMs - lateness.periodMs;
    rhythm.add(frameMs);
    // While they wait, only a tick that the frame needs is late: by its lead, or more if earlier frames needed it.
    if (frame.paused) lateness.missedMs = 0;
    else if (lateness.frameMs === 0) lateness.missedMs = overdueMs;
    else if (!(overdueMs >= marginMs)) lateness.missedMs = 0;
    else lateness.missedMs = Math.max(lateness.leadMs, overdueMs - lateness.frameMs);
    // If the memory is not shared, nothing reads the words.
    if (control === undefined || control.buffer instanceof ArrayBuffer) return;
    const isFollowing = frame.following && !frame.paused && mode === 'interpolate';
    const isTimed = isFollowing && rhythm.isSteady;
    lateness.frameMs = isTimed ? rhythm.periodMs : 0;
    const isWaiting = isTimed && lateness.isKnown;
    // A tick that is almost needed by a frame counts as needed, and one that soon will be, because the delay decreases.
    const usedMs = Math.min(marginMs, frame.marginMs) - NEEDED_MS;
    const earlyMs = lateness.leadMs + HEADROOM_MS + this.#addedMs - usedMs;
    Atomics.store(control, CONTROL.frameUs, (1000 * (rhythm.placeMs - usedMs)) | 0);
    Atomics.store(control, CONTROL.frameEarlyUs, Math.max(0, 1000 * earlyMs) | 0);
    Atomics.store(control, CONTROL.framePeriodUs, isWaiting ? (1000 * rhythm.periodMs) | 0 : 0);
  }
}
