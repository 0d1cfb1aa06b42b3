/**
 * Decides which time the display shows. Pure: from a frame's time stamp and a snapshot it computes the two states that
 * enclose this time, and the position between them.
 *
 * The display follows the schedule and not arrivals:
 *
 *     target = virtual time at the frame's time stamp − delay        delay = one period + margin + lead
 *
 *     due times         k−2        k−1         k          k+1
 *     virtual time  ─────┼──────────┼──────────┼───────────┼────▶
 *                               ▲ target            ▲ frame
 *                               └───── delay ───────┘
 *                         alpha = (target − due(k−2)) / (due(k−1) − due(k−2))
 *
 * Tick k is published a little after it was due. While that lateness is smaller than the margin, it is never visible.
 * The lead is 0 unless time stamps lie ahead of the time at which frames are drawn, as in a headset; see stamp-lead.ts.
 *
 *   T1  The target never runs backwards.
 *   T2  The target never jumps, except by a counted reset. The delay changes by slewing.
 *   T3  Without a state at or after the target the frame is *starved*: it holds the newest state, and the
 *       time held becomes delay. The next frames continue from there.
 *   T4  alpha is in [0, 1].
 *   T5  Times come only from due times; arrivals only set the margin.
 *   T6  While the schedule is paused, no state is due that could be waited for: the frame shows the newest one. After
 *       that it stays there until the target has come.
 *
 * The margin is the shortest with which at most one frame in a thousand starves, by the lateness of the last seconds;
 * see adaptive-margin.ts.
 */
import type { InterpolationMode } from '../api/connect-options.js';
import { Frame } from './frame.js';
import { AdaptiveMargin } from './adaptive-margin.js';
import { StampLead } from './stamp-lead.js';
import { SLOT_HEADER, STATE_HEADER, type SlotViews } from '../../shared/memory/layout.js';

export interface TimelineOptions {
  /** A number fixes the margin, in ms; `'auto'` lets it follow the lateness of publications. */
  readonly marginMs?: number | 'auto';
  readonly mode?: InterpolationMode;
}

/** The margin until the lateness of publications is known: half a period. More than 8 ms would only add latency at low tick rates. */
const START_MARGIN_SHARE = 0.5;
const MAX_START_MARGIN_MS = 8;
/** The delay changes by at most 5 % of display time: too little to see as a change of speed. */
const SLEW = 0.05;
/** The least of it: 0.007 ms of animation error per frame at 144 Hz. */
const MIN_SLEW = 0.001;
/** Excess delay decays with this time constant, in ms, once it is below the slew limit. */
const EASE_MS = 500;
/** Differences below this are applied immediately, in ms: a microsecond is invisible. */
const SNAP_MS = 1e-3;
/** Excess delay above the larger of these, in ms and in periods, is not slewed away but causes a reset. */
const RESET_MS = 250;
const RESET_PERIODS = 4;

export class Timeline {
  readonly frame: Frame;
  /** The lead, whose `nowMs` is an input of each frame. */
  readonly lead = new StampLead();
  mode: InterpolationMode;
  readonly #fixedMarginMs: number | undefined;
  #lastFrameMs = Number.NaN;
  #targetMs = Number.NEGATIVE_INFINITY;
  #delayMs = Number.NaN;
  #marginMs = 0;
  /**
   * How far the newest state was ahead of the frame's virtual time recently, in ms. At most a period: a single long
   * delay of the page must not cost margin for long.
   */
  #aheadMs = 0;
  /** Part of the margin that the history can cover, in ms. */
  #usedMarginMs = 0;
  #seenState = -1;
  readonly #margin: AdaptiveMargin | undefined;
  // The frame being placed. Fields instead of arguments: numbers passed to a function that is not inlined are boxed,
  // which would be the only garbage of a frame.
  #elapsedMs = Number.NaN;
  #periodMs = Number.NaN;
  #startMarginMs = Number.NaN;
  #wantedMs = Number.NaN;
  #shownMs = Number.NaN;
  #overstepMs = Number.NaN;

  /** @param frame The frame to fill. A timeline that replaces another one gets the same frame. */
  constructor(options: TimelineOptions = {}, frame = new Frame()) {
    this.frame = frame;
    frame.following = false;
    frame.shownVirtualMs = Number.NaN;
    this.mode = options.mode ?? 'interpolate';
    const { marginMs = 'auto' } = options;
    if (marginMs === 'auto') this.#margin = new AdaptiveMargin();
    else this.#fixedMarginMs = marginMs;
  }

  /**
   * Places a frame.
   *
   * @param frameMs The frame's time stamp: the argument of the requestAnimationFrame callback, in ms.
   * @param slot The newest snapshot.
   * @param control The control words, for the worker to time its ticks. Default: it does not.
   */
  advance(frameMs: number, slot: SlotViews, control?: Int32Array): Frame {
    const { frame } = this;
    const { header, stateHeaders } = slot;
    const stateCount = header[SLOT_HEADER.stateCount] ?? 0;
    frame.hasState = stateCount > 0;
    frame.starved = false;
    frame.reset = false;
    if (!frame.hasState) return frame;

    const pausedVirtualMs = header[SLOT_HEADER.pausedVirtualMs] ?? Number.NaN;
    const shiftMs = header[SLOT_HEADER.shiftMs] ?? 0;
    const periodMs =
      1000 / ((header[SLOT_HEADER.tickRateHz] ?? 60) * (header[SLOT_HEADER.timeScale] ?? 1));
    const capacity = stateHeaders.length;
    frame.paused = !Number.isNaN(pausedVirtualMs);
    const isFirst = Number.isNaN(this.#lastFrameMs);
    const elapsedMs = isFirst ? 0 : Math.max(0, frameMs - this.#lastFrameMs);
    this.#lastFrameMs = frameMs;
    const leadBeforeMs = this.lead.leadMs;
    this.lead.add(frameMs);
    const { leadMs } = this.lead;
    // The drawing continues from where it is.
    if (leadMs > leadBeforeMs && frame.following && this.mode !== 'extrapolate') {
      this.#delayMs += leadMs - leadBeforeMs;
      frame.delayMs = this.#delayMs;
    }
    this.#elapsedMs = elapsedMs;
    this.#periodMs = periodMs;
    this.#startMarginMs = Math.min(MAX_START_MARGIN_MS, START_MARGIN_SHARE * periodMs);

    const virtualMs = frame.paused ? pausedVirtualMs : frameMs - shiftMs;
    const newest = header[SLOT_HEADER.newestState] ?? 0;
    const oldest = newest - stateCount + 1;
    // The ring is not full, and none of its states was there at the last frame.
    const isCut = stateCount < capacity && oldest > this.#seenState;
    if (isCut || frame.paused) frame.following = false;
    this.#adaptMargin(slot, stateCount);
    this.#seenState = newest;
    // Read in place here and below: a small function would return a boxed number.
    const newestVirtualMs = stateHeaders[newest % capacity]?.[STATE_HEADER.virtualMs] ?? 0;
    const aheadMs = Math.min(newestVirtualMs - virtualMs + leadMs, periodMs);
    this.#aheadMs = Math.max(this.#aheadMs - MIN_SLEW * elapsedMs, aheadMs);
    this.#limitMargin(capacity);
    if (this.#margin !== undefined) {
      this.#margin.leadMs = leadMs;
      this.#margin.overdueMs = virtualMs - leadMs - newestVirtualMs - periodMs;
      this.#margin.follow(frameMs, frame, this.mode, control);
    }
    const oldestVirtualMs = stateHeaders[oldest % capacity]?.[STATE_HEADER.virtualMs] ?? 0;

    const coveredMs = periodMs + this.#usedMarginMs + leadMs;
    const wantedMs = this.mode === 'extrapolate' ? 0 : coveredMs;
    this.#wantedMs = wantedMs;
    // Before the first frame between two states nothing can jump.
    if (!frame.following) this.#delayMs = wantedMs;
    else this.#slewDelay();
    const dueMs = virtualMs - this.#delayMs;
    const isDue = !frame.paused && dueMs >= Math.max(oldestVirtualMs, this.#targetMs);
    let targetMs = frame.paused ? newestVirtualMs : dueMs;
    let onSchedule = !frame.paused;
    if (targetMs < this.#targetMs) {
      // T1: a pause, dropped ticks or a noisy stamp moved virtual time back relative to the frames. Hold, and reduce
      // only the delay beyond the wanted one: with less, the next frames would starve.
      targetMs = this.#targetMs;
      this.#delayMs = Math.max(Math.min(this.#delayMs, wantedMs), virtualMs - targetMs);
      onSchedule = false;
    }

    let shownMs = Math.max(targetMs, oldestVirtualMs);
    let overstepMs = 0;
    if (targetMs > newestVirtualMs) {
      overstepMs = targetMs - newestVirtualMs;
      // After a change of mode the frame stays as far beyond the newest state as it is: T1.
      const beyondMs = Math.min(periodMs, Math.max(0, this.#targetMs - newestVirtualMs));
      // A state arrives one period after the previous one plus its lateness, which the margin covers.
      const maxMs = this.mode === 'extrapolate' ? coveredMs : beyondMs;
      const allowedMs = stateCount > 1 && !frame.paused ? maxMs : 0;
      if (overstepMs > allowedMs) {
        frame.starved = frame.following;
        // With less than the wanted delay, the margin is not what was too small.
        if (this.#margin !== undefined && frame.starved && this.#delayMs >= wantedMs - SNAP_MS) {
          this.#margin.isFrozen = true;
        }
        overstepMs = allowedMs;
        shownMs = newestVirtualMs + allowedMs;
        // T3: the time held becomes delay.
        targetMs = Math.max(shownMs, this.#targetMs);
        this.#delayMs = Math.max(0, virtualMs - targetMs);
        // A held target has not jumped, whatever happened to its delay.
        frame.reset &&= targetMs !== this.#targetMs;
        onSchedule = false;
      }
    } else if (targetMs < oldestVirtualMs - SNAP_MS) {
      // Start or cut: show the oldest state until its time comes.
      onSchedule = false;
      if (frame.following) {
        // T2: a burst of late ticks or a higher rate removed the history around the target.
        let minDelayMs = 0;
        if (shownMs - targetMs > SLEW * elapsedMs + SNAP_MS) {
          shownMs = Math.min(newestVirtualMs, Math.max(oldestVirtualMs, virtualMs - wantedMs));
          minDelayMs = Math.min(this.#delayMs, wantedMs);
          frame.reset = true;
        }
        targetMs = shownMs;
        this.#delayMs = Math.max(minDelayMs, virtualMs - targetMs);
      }
    }
    frame.following = stateCount > 1 && (frame.following || isDue);
    this.#targetMs = targetMs;
    this.#shownMs = shownMs;
    this.#overstepMs = overstepMs;
    this.#place(slot, oldest, newest);

    frame.delayMs = this.#delayMs;
    frame.marginMs = this.#usedMarginMs;
    // In the steady state computed without the frame time, so that a constant delay gives an animation error of exactly
    // 0, without the rounding error of two large times.
    frame.lagMs =
      onSchedule && frame.shownVirtualMs === shownMs
        ? shiftMs + this.#delayMs
        : frameMs - frame.shownVirtualMs;
    return frame;
  }

  /** Finds the two states around the time to show, and alpha. */
  #place({ stateHeaders }: SlotViews, oldest: number, newest: number): void {
    const { frame } = this;
    const shownMs = this.#shownMs;
    const overstepMs = this.#overstepMs;
    const capacity = stateHeaders.length;
    let current = newest;
    while (current - 1 > oldest) {
      const dueMs = stateHeaders[(current - 1) % capacity]?.[STATE_HEADER.virtualMs] ?? 0;
      if (!(dueMs >= shownMs)) break;
      current -= 1;
    }
    const previous = Math.max(oldest, current - 1);
    frame.previous = previous % capacity;
    frame.current = current % capacity;
    const fromMs = stateHeaders[frame.previous]?.[STATE_HEADER.virtualMs] ?? 0;
    const toMs = stateHeaders[frame.current]?.[STATE_HEADER.virtualMs] ?? 0;
    frame.shownVirtualMs = shownMs;
    if (overstepMs > 0) {
      frame.alpha = Math.min(1, overstepMs / this.#periodMs);
      // At the speed between the two states: after a change of rate they are not one period apart.
      frame.blend = toMs > fromMs ? 1 + overstepMs / (toMs - fromMs) : 1;
    } else {
      frame.alpha =
        toMs > fromMs ? Math.min(1, Math.max(0, (shownMs - fromMs) / (toMs - fromMs))) : 1;
      frame.blend = frame.alpha;
    }
    if (this.mode === 'none') {
      frame.blend = 1;
      frame.shownVirtualMs = toMs;
    }
  }

  #adaptMargin(slot: SlotViews, stateCount: number): void {
    const margin = this.#margin;
    // With more margin than the history covers there would be nothing to interpolate between.
    const maxMs = (slot.stateHeaders.length - 2) * this.#periodMs;
    this.#marginMs = this.#fixedMarginMs ?? this.#startMarginMs;
    if (margin !== undefined) {
      const newest = slot.header[SLOT_HEADER.newestState] ?? 0;
      margin.startMs = this.#startMarginMs;
      margin.lateness.periodMs = this.#periodMs;
      margin.lateness.maxMs = maxMs;
      const first = Math.max(this.#seenState + 1, newest - stateCount + 1);
      margin.advance(slot, this.frame.paused ? newest + 1 : first, newest);
      this.#marginMs = margin.marginMs;
    }
    this.#marginMs = Math.min(this.#marginMs, maxMs);
  }

  /**
   * A page's callback runs after its frame's stamp. States that arrive in between displace the same number at the
   * history's other end. With a larger margin, each new state would remove the history around the target.
   */
  #limitMargin(capacity: number): void {
    const reachMs = (capacity - 2) * this.#periodMs - this.#aheadMs;
    const minMs = capacity > 2 ? this.#startMarginMs : 0;
    this.#usedMarginMs = Math.min(this.#marginMs, Math.max(minMs, reachMs));
  }

  #slewDelay(): void {
    const wantedMs = this.#wantedMs;
    const elapsedMs = this.#elapsedMs;
    const excessMs = this.#delayMs - wantedMs;
    if (excessMs > Math.max(RESET_MS, RESET_PERIODS * this.#periodMs)) {
      this.#delayMs = wantedMs;
      this.frame.reset = true;
    } else if (Math.abs(excessMs) <= SNAP_MS) {
      this.#delayMs = wantedMs;
    } else if (excessMs < 0) {
      this.#delayMs += Math.min(-excessMs, SLEW * elapsedMs);
    } else {
      const rate = Math.min(SLEW, Math.max(excessMs / EASE_MS, MIN_SLEW));
      this.#delayMs -= Math.min(excessMs, rate * elapsedMs);
    }
  }
}
