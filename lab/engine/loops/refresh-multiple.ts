/**
 * The `refresh-multiple` stepper: updates only by whole multiples of the display's refresh
 * interval.
 *
 * Source: an article on update time steps whose author is not known. Time is collected in a buffer,
 * and a frame takes out of it the whole refresh intervals that it holds, so that what is drawn
 * moves by as much as the display's time does. One update takes at most four of them (a quarter of
 * the refresh rate); more are split. Above a threshold `slow-down` runs two updates of half the
 * threshold and forgets the rest, while `pass-through` simulates all of it in one update, and fast
 * things pass through thin ones.
 *
 *     60 Hz, 100 units a second    0      10     21     33.3   43     54     66.7 ms
 *     variable                     0      1      2.1    3.33   4.3    5.4    6.67
 *     refresh-multiple             0      0      1.67   3.33   3.33   5.0    6.67
 */
import { numberFrom, rate, type OptionChecks } from './option-checks.js';
import { ActionSet, type Action, type Stepper } from './stepper.js';
import { requireChoice, requireInteger } from '../../../src/shared/util/validate.js';

export const OVERLOADS = ['slow-down', 'pass-through'] as const;
export type Overload = (typeof OVERLOADS)[number];

export interface RefreshMultipleOptions {
  readonly kind: 'refresh-multiple';
  /** The display's refresh rate as the loop assumes it, 1 to 1000 Hz. Default 60. */
  readonly assumedHz?: number;
  /** Maximum number of refresh intervals in one update, a whole number from 1. Default 4. */
  readonly maxIntervals?: number;
  /** Threshold of the buffered time, in ms. Default 100. */
  readonly thresholdMs?: number;
  /** The reaction above it. Default `slow-down`. */
  readonly overload?: Overload;
}

export const REFRESH_MULTIPLE: OptionChecks<RefreshMultipleOptions> = {
  assumedHz: rate(60),
  maxIntervals: (name, value) => requireInteger(name, value ?? 4, 1, 1000),
  thresholdMs: numberFrom(1, Number.MAX_VALUE, 100),
  overload: (name, value) => requireChoice(name, value ?? 'slow-down', OVERLOADS),
};

/**
 * How much an interval may be short of, in ms, and still count as whole. Time stamps are rounded:
 * the article's own 33.3 ms for two intervals is short by 0.033, and browsers round to up to 0.1.
 */
const ROUNDING_MS = 0.1;

export class RefreshMultipleStepper implements Stepper {
  readonly kind = 'refresh-multiple';
  readonly stepBoundMs: number;
  readonly inventedMs = 0;
  readonly #options: Required<RefreshMultipleOptions>;
  readonly #intervalMs: number;
  readonly #actions = new ActionSet();
  #passes = 0;
  #droppedMs = 0;
  #isInPass = false;
  #lastMs = 0;
  /** Where the intervals are counted from, and how many of them have been simulated. */
  #anchorMs = 0;
  #done = 0;
  /** Intervals of this pass still to simulate; in overload, equal steps instead. */
  #due = 0;
  #overloadSteps = 0;
  #overloadStepMs = 0;

  constructor(options: Required<RefreshMultipleOptions>) {
    this.#options = options;
    this.#intervalMs = 1000 / options.assumedHz;
    this.stepBoundMs =
      options.overload === 'pass-through'
        ? Number.POSITIVE_INFINITY
        : Math.max(options.maxIntervals * this.#intervalMs, options.thresholdMs / 2);
  }

  get passes(): number {
    return this.#passes;
  }

  get droppedMs(): number {
    return this.#droppedMs;
  }

  get idleUntilMs(): number {
    return this.#intervalEndMs(this.#done + 1);
  }

  start(nowMs: number): void {
    this.#anchorMs = nowMs;
    this.#lastMs = nowMs;
    this.#done = 0;
    this.#due = 0;
    this.#overloadSteps = 0;
    this.#droppedMs = 0;
    this.#isInPass = false;
  }

  next(nowMs: number): Action {
    if (!this.#isInPass) this.#begin(nowMs);
    if (this.#overloadSteps > 0) {
      this.#overloadSteps -= 1;
      const aheadMs = this.#overloadSteps * this.#overloadStepMs;
      return this.#actions.update(this.#overloadStepMs, this.#lastMs - aheadMs);
    }
    if (this.#due > 0) {
      const intervals = Math.min(this.#due, this.#options.maxIntervals);
      this.#due -= intervals;
      this.#done += intervals;
      return this.#actions.update(intervals * this.#intervalMs, this.#intervalEndMs(this.#done));
    }
    this.#isInPass = false;
    return this.#actions.frame();
  }

  /** Below 0 by at most 0.1 ms where an interval was taken for whole. */
  leftMs(nowMs: number): number {
    const queuedMs = this.#overloadSteps * this.#overloadStepMs;
    return nowMs - this.#intervalEndMs(this.#done) + queuedMs;
  }

  #begin(nowMs: number): void {
    const { thresholdMs, overload } = this.#options;
    this.#isInPass = true;
    this.#passes += 1;
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    const bufferMs = this.leftMs(this.#lastMs);
    if (bufferMs > thresholdMs + ROUNDING_MS) {
      this.#overloadSteps = overload === 'slow-down' ? 2 : 1;
      this.#overloadStepMs = overload === 'slow-down' ? thresholdMs / 2 : bufferMs;
      this.#droppedMs += bufferMs - this.#overloadSteps * this.#overloadStepMs;
      // The buffer is empty now: intervals count from here.
      this.#anchorMs = this.#lastMs;
      this.#done = 0;
      return;
    }
    this.#due = Math.max(0, Math.floor((bufferMs + ROUNDING_MS) / this.#intervalMs));
  }

  #intervalEndMs(interval: number): number {
    return this.#anchorMs + interval * this.#intervalMs;
  }
}
