/**
 * The `fixed` stepper as its article has it: an accumulator, and frames of at most 0.25 s.
 *
 * The library's `pacer.ts` runs the same loop without frames: it drops ticks by a limit in ticks and takes gaps out of the
 * schedule. This one is the loop to compare others with. While nothing is dropped both run the same ticks at the same times.
 *
 * Source: Glenn Fiedler, "Fix Your Timestep!", "The final touch"; without the limit on a frame it
 * is "Play catch up" in Robert Nystrom, "Game Programming Patterns: Game Loop". Unity's FixedUpdate
 * is the same with a `maxFrameMs` of 1000 / 3.
 *
 *     accumulator += min(frame time, 0.25 s)
 *     while accumulator ≥ dt: previous = current, update, accumulator −= dt
 *     alpha = accumulator / dt
 *
 * The accumulator is the distance between virtual time and the last tick on a {@link Schedule}: the
 * same number without the rounding of repeated additions, which at 60 Hz ticks on a 60 Hz display
 * would sometimes run no update in one frame and two in the next.
 */
import { Schedule } from '../../../src/shared/time/schedule.js';
import { flag, numberFrom, rate, stepCap, type OptionChecks } from './option-checks.js';
import { ActionSet, type Action, type Stepper } from './stepper.js';

/** Options of the loop `fixed`. */
export interface FixedOptions {
  /** Which loop. */
  readonly kind: 'fixed';
  /** Updates a second, 1 to 1000 Hz. Default 100: the article's dt of 0.01 s. */
  readonly tickRateHz?: number;
  /** Maximum time of a frame that is simulated, in ms, from 1. Default 250; the rest is dropped. */
  readonly maxFrameMs?: number;
  /**
   * Maximum updates a frame, a whole number from 1; whole ticks beyond are dropped. Default
   * Infinity.
   */
  readonly maxSteps?: number;
  /** Draw between the previous and the current state. Default true; otherwise the current one. */
  readonly interpolate?: boolean;
}

export const FIXED: OptionChecks<FixedOptions> = {
  tickRateHz: rate(100),
  maxFrameMs: numberFrom(1, Number.MAX_VALUE, 250),
  maxSteps: stepCap(Infinity),
  interpolate: flag(true),
};

/** The largest double below 1: alpha never rounds up to the next state. */
export const ALPHA_MAX = 1 - Number.EPSILON / 2;

export class FixedStepper implements Stepper {
  readonly kind = 'fixed';
  readonly inventedMs = 0;
  readonly #options: Required<FixedOptions>;
  readonly #actions = new ActionSet();
  #schedule: Schedule;
  #passes = 0;
  #clampedMs = 0;
  #isInPass = false;
  #lastMs = 0;
  #tick = 0;
  #ticksDue = 0;
  #alpha = 0;

  constructor(options: Required<FixedOptions>) {
    this.#options = options;
    this.#schedule = new Schedule(options.tickRateHz);
  }

  get stepBoundMs(): number {
    return this.#schedule.periodMs;
  }

  get passes(): number {
    return this.#passes;
  }

  get droppedMs(): number {
    return this.#clampedMs + this.#schedule.droppedMs;
  }

  get idleUntilMs(): number {
    // With ticks as long as the clamp it must check in between, or a late wake-up would drop time.
    const { maxFrameMs } = this.#options;
    return Math.min(this.#schedule.dueMs(this.#tick + 1), this.#lastMs + maxFrameMs / 2);
  }

  start(nowMs: number): void {
    this.#schedule = new Schedule(this.#options.tickRateHz);
    this.#schedule.resume(nowMs);
    this.#lastMs = nowMs;
    this.#tick = 0;
    this.#ticksDue = 0;
    this.#clampedMs = 0;
    this.#isInPass = false;
  }

  next(nowMs: number): Action {
    if (!this.#isInPass) this.#begin(nowMs);
    if (this.#ticksDue > 0) {
      this.#ticksDue -= 1;
      this.#tick += 1;
      return this.#actions.update(this.#schedule.periodMs, this.#schedule.dueMs(this.#tick));
    }
    this.#isInPass = false;
    return this.#actions.frame(this.#options.interpolate ? this.#alpha : 1);
  }

  leftMs(nowMs: number): number {
    return this.#schedule.virtualMsAt(nowMs) - this.#schedule.dueVirtualMs(this.#tick);
  }

  /** Reads the clock once a pass: the cost of the updates is part of the next pass's time. */
  #begin(nowMs: number): void {
    const schedule = this.#schedule;
    const { maxFrameMs, maxSteps } = this.#options;
    this.#isInPass = true;
    this.#passes += 1;
    const excessMs = Math.max(0, nowMs - this.#lastMs - maxFrameMs);
    if (excessMs > 0) {
      schedule.skipGap(excessMs);
      this.#clampedMs += excessMs;
    }
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    const due = Math.max(0, schedule.lastTickDueAt(schedule.virtualMsAt(nowMs)) - this.#tick);
    this.#ticksDue = Math.min(due, maxSteps);
    if (due > this.#ticksDue) schedule.drop(due - this.#ticksDue);
    const oversteppedMs =
      schedule.virtualMsAt(nowMs) - schedule.dueVirtualMs(this.#tick + this.#ticksDue);
    this.#alpha = Math.min(ALPHA_MAX, Math.max(0, oversteppedMs / schedule.periodMs));
  }
}
