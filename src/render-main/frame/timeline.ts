/**
 * What time the display shows. Pure: from a frame's time stamp and a snapshot it computes which two states enclose the
 * time to show, and the position between them.
 *
 * The display follows the schedule and not arrivals:
 *
 *     target = virtual time at the frame's time stamp − delay        delay = one period + margin
 *
 *     due times         k−2        k−1         k          k+1
 *     virtual time  ─────┼──────────┼──────────┼───────────┼────▶
 *                               ▲ target            ▲ frame
 *                               └───── delay ───────┘
 *                         alpha = (target − due(k−2)) / (due(k−1) − due(k−2))
 *
 * Tick k is published a little after it was due. While that lateness is smaller than the margin, it is never visible.
 *
 *   T1  The target never runs backwards.
 *   T2  The target never jumps, except by a counted reset. The delay changes by slewing.
 *   T3  Without a state at or after the target the frame is *starved*: it holds the newest state, the
 *       time held becomes delay, and the margin grows. The next frames continue from there.
 *   T4  alpha is in [0, 1].
 *   T5  Times come only from due times; arrivals only set the margin.
 *
 * The margin grows quickly and shrinks slowly, as in Quake III's `cl_timeNudge` adaptation (+1 ms per good snapshot,
 * −2 ms per extrapolated frame) and with the look-back of Unreal's async physics.
 */
import type { InterpolationMode } from '../api/connect-options.js';
import { noFrame, type TimelineFrame } from './timeline-frame.js';
import { SLOT_HEADER, STATE_HEADER, type SlotViews } from '../../shared/memory/layout.js';

export interface TimelineOptions {
  /** A number fixes the margin, in ms; `'auto'` lets it follow the lateness of publications. */
  readonly marginMs?: number | 'auto';
  readonly mode?: InterpolationMode;
}

/**
 * In the model of a 60 Hz worker and a 144 Hz display, half a period prevents starved frames at 0.5 ms of jitter. Above
 * 8 ms it would only add latency at low tick rates.
 */
const MIN_MARGIN_SHARE = 0.5;
const MAX_MIN_MARGIN_MS = 8;
/** Distance that the margin keeps above the largest lateness seen, in ms. */
const HEADROOM_MS = 0.5;
/** The margin shrinks by at least 1 ms per second: 0.007 ms of animation error per frame at 144 Hz. */
const SHRINK_RATE = 0.001;
/** Time constant of a large margin's decay to the minimum, in ms: one hitch must not cost latency for minutes. */
const SHRINK_MS = 20_000;
/** At most 6 ms per second: 0.042 ms of animation error per frame at 144 Hz. */
const MAX_SHRINK_RATE = 0.006;
/** The delay changes by at most 5 % of display time: too little to see as a change of speed. */
const SLEW = 0.05;
/** Excess delay decays with this time constant, in ms, once it is below the slew limit. */
const EASE_MS = 1000;
/** Differences below this are applied immediately, in ms: a microsecond is invisible. */
const SNAP_MS = 1e-3;
/** Excess delay above the larger of these, in ms and in periods, is not slewed away but causes a reset. */
const RESET_MS = 250;
const RESET_PERIODS = 4;

export class Timeline {
  readonly frame: TimelineFrame = noFrame();
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
  // The frame being placed. Fields instead of arguments: numbers passed to a function that is not inlined are boxed,
  // which would be the only garbage of a frame.
  #elapsedMs = Number.NaN;
  #periodMs = Number.NaN;
  #minMarginMs = Number.NaN;
  #wishMs = Number.NaN;
  #shownMs = Number.NaN;
  #overstepMs = Number.NaN;
  #missingMs = Number.NaN;

  constructor(options: TimelineOptions = {}) {
    this.mode = options.mode ?? 'interpolate';
    const margin = options.marginMs ?? 'auto';
    this.#fixedMarginMs = margin === 'auto' ? undefined : margin;
  }

  /**
   * Places a frame.
   *
   * @param frameMs The frame's time stamp: the argument of the requestAnimationFrame callback, in ms.
   * @param slot The newest snapshot.
   */
  advance(frameMs: number, slot: SlotViews): TimelineFrame {
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
    this.#elapsedMs = elapsedMs;
    this.#periodMs = periodMs;
    this.#minMarginMs = Math.min(MAX_MIN_MARGIN_MS, MIN_MARGIN_SHARE * periodMs);

    const virtualMs = frame.paused ? pausedVirtualMs : frameMs - shiftMs;
    const newest = header[SLOT_HEADER.newestState] ?? 0;
    const oldest = newest - stateCount + 1;
    // A cut: the ring is not full, and none of its states was there at the last frame.
    if (stateCount < capacity && oldest > this.#seenState) frame.following = false;
    this.#adaptMargin(slot, stateCount);
    this.#seenState = newest;
    // Read in place here and below: a small function would return a boxed number.
    const newestVirtualMs = stateHeaders[newest % capacity]?.[STATE_HEADER.virtualMs] ?? 0;
    const aheadMs = Math.min(newestVirtualMs - virtualMs, periodMs);
    this.#aheadMs = Math.max(this.#aheadMs - SHRINK_RATE * elapsedMs, aheadMs);
    this.#limitMargin(capacity);
    const oldestVirtualMs = stateHeaders[oldest % capacity]?.[STATE_HEADER.virtualMs] ?? 0;

    const wishMs = this.mode === 'extrapolate' ? 0 : periodMs + this.#usedMarginMs;
    this.#wishMs = wishMs;
    // Before the first frame between two states nothing can jump.
    if (!frame.following) this.#delayMs = wishMs;
    else if (!frame.paused) this.#slewDelay();
    let targetMs = virtualMs - this.#delayMs;
    let onSchedule = !frame.paused;
    if (targetMs < this.#targetMs) {
      // T1: a pause, dropped ticks or a noisy stamp moved virtual time back relative to the frames. Hold, and reduce
      // only the delay beyond the wanted one: with less, the next frames would starve.
      targetMs = this.#targetMs;
      this.#delayMs = Math.max(Math.min(this.#delayMs, wishMs), virtualMs - targetMs);
      onSchedule = false;
    }

    let shownMs = Math.max(targetMs, oldestVirtualMs);
    let overstepMs = 0;
    if (targetMs > newestVirtualMs) {
      overstepMs = targetMs - newestVirtualMs;
      // After a change of mode the frame stays as far beyond the newest state as it is: T1.
      const beyondMs = Math.min(periodMs, Math.max(0, this.#targetMs - newestVirtualMs));
      // A state arrives one period after the previous one plus its lateness, which the margin covers.
      const maxMs = this.mode === 'extrapolate' ? periodMs + this.#usedMarginMs : beyondMs;
      const allowedMs = stateCount > 1 ? maxMs : 0;
      if (overstepMs > allowedMs) {
        frame.starved = frame.following && !frame.paused;
        // With less than the wanted delay, the margin is not what was too small.
        if (frame.starved && this.mode !== 'extrapolate' && this.#delayMs >= wishMs - SNAP_MS) {
          this.#missingMs = overstepMs - allowedMs;
          this.#grow(capacity);
        }
        overstepMs = allowedMs;
        shownMs = newestVirtualMs + allowedMs;
        // T3: the time held becomes delay.
        targetMs = Math.max(shownMs, this.#targetMs);
        if (!frame.paused) this.#delayMs = Math.max(0, virtualMs - targetMs);
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
          shownMs = Math.min(newestVirtualMs, Math.max(oldestVirtualMs, virtualMs - wishMs));
          minDelayMs = Math.min(this.#delayMs, wishMs);
          frame.reset = true;
        }
        targetMs = shownMs;
        this.#delayMs = Math.max(minDelayMs, virtualMs - targetMs);
      }
    }
    frame.following = stateCount > 1 && (frame.following || targetMs >= oldestVirtualMs);
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
    const periodMs = this.#periodMs;
    const capacity = slot.stateHeaders.length;
    // With more margin than the history covers there would be nothing to interpolate between.
    const maxMarginMs = (capacity - 2) * periodMs;
    if (this.#fixedMarginMs !== undefined) {
      this.#marginMs = Math.min(this.#fixedMarginMs, maxMarginMs);
      return;
    }
    const newest = slot.header[SLOT_HEADER.newestState] ?? 0;
    const minMarginMs = this.#minMarginMs;
    const decay = (this.#marginMs - minMarginMs) / SHRINK_MS;
    const shrinkMs = Math.min(MAX_SHRINK_RATE, Math.max(SHRINK_RATE, decay)) * this.#elapsedMs;
    this.#marginMs = Math.max(minMarginMs, this.#marginMs - shrinkMs);
    const first = Math.max(this.#seenState + 1, newest - stateCount + 1);
    for (let state = first; state <= newest; state++) {
      const latenessMs = slot.stateHeaders[state % capacity]?.[STATE_HEADER.latenessMs] ?? 0;
      this.#marginMs = Math.max(this.#marginMs, latenessMs + HEADROOM_MS);
    }
    this.#marginMs = Math.min(this.#marginMs, maxMarginMs);
  }

  /**
   * A page's callback runs after its frame's stamp. States that arrive in between displace the same number at the
   * history's other end. With a larger margin, each new state would remove the history around the target.
   */
  #limitMargin(capacity: number): void {
    const reachMs = (capacity - 2) * this.#periodMs - this.#aheadMs;
    const minMs = capacity > 2 ? this.#minMarginMs : 0;
    this.#usedMarginMs = Math.min(this.#marginMs, Math.max(minMs, reachMs));
  }

  #grow(capacity: number): void {
    if (this.#fixedMarginMs !== undefined) return;
    const maxMarginMs = Math.max(this.#marginMs, (capacity - 2) * this.#periodMs);
    const grownMs = this.#marginMs + Math.max(this.#missingMs, 0.1 * this.#periodMs);
    this.#marginMs = Math.min(maxMarginMs, grownMs);
  }

  #slewDelay(): void {
    const wishMs = this.#wishMs;
    const elapsedMs = this.#elapsedMs;
    const excessMs = this.#delayMs - wishMs;
    if (excessMs > Math.max(RESET_MS, RESET_PERIODS * this.#periodMs)) {
      this.#delayMs = wishMs;
      this.frame.reset = true;
    } else if (Math.abs(excessMs) <= SNAP_MS) {
      this.#delayMs = wishMs;
    } else if (excessMs < 0) {
      this.#delayMs += Math.min(-excessMs, SLEW * elapsedMs);
    } else {
      const rate = Math.min(SLEW, Math.max(excessMs / EASE_MS, SHRINK_RATE));
      this.#delayMs -= Math.min(excessMs, rate * elapsedMs);
    }
  }
}
