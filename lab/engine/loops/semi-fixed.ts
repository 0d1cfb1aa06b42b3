/**
 * The `semi-fixed` stepper: divides each frame's time into steps of at most dt, the last one shorter.
 *
 * Source: Glenn Fiedler, "Fix Your Timestep!", "Semi-fixed timestep". No step is too long for the
 * physics, but the short ones depend on the display, so two runs are never bit-identical. If an update takes
 * longer than its step, each frame has more time to simulate than the one before (the spiral of death).
 */
import { rate, stepCap, type OptionChecks } from './option-checks.js';
import { ActionSet, EPSILON_MS, type Action, type Stepper } from './stepper.js';

/** Options of the loop `semi-fixed`. */
export interface SemiFixedOptions {
  /** Which loop. */
  readonly kind: 'semi-fixed';
  /** Rate whose period is the longest step. 1 to 1000 Hz, default 60. */
  readonly tickRateHz?: number;
  /**
   * Frame time beyond this many whole steps is dropped. A whole number from 1. Default Infinity: the article's loop
   * has no limit.
   */
  readonly maxSteps?: number;
}

export const SEMI_FIXED: OptionChecks<SemiFixedOptions> = {
  tickRateHz: rate(60),
  maxSteps: stepCap(Infinity),
};

export class SemiFixedStepper implements Stepper {
  readonly kind = 'semi-fixed';
  readonly stepBoundMs: number;
  readonly inventedMs = 0;
  passes = 0;
  droppedMs = 0;
  readonly #maxFrameMs: number;
  readonly #actions = new ActionSet();
  #isInPass = false;
  #lastMs = 0;
  #remainingMs = 0;

  constructor(options: Required<SemiFixedOptions>) {
    this.stepBoundMs = 1000 / options.tickRateHz;
    this.#maxFrameMs = options.maxSteps * this.stepBoundMs;
  }

  get idleUntilMs(): number {
    return this.#lastMs;
  }

  start(nowMs: number): void {
    this.#lastMs = nowMs;
    this.#remainingMs = 0;
    this.droppedMs = 0;
    this.#isInPass = false;
  }

  next(nowMs: number): Action {
    if (!this.#isInPass) this.#begin(nowMs);
    if (this.#remainingMs > EPSILON_MS) {
      const stepMs = Math.min(this.#remainingMs, this.stepBoundMs);
      this.#remainingMs -= stepMs;
      return this.#actions.update(stepMs, this.#lastMs - this.#remainingMs);
    }
    this.#isInPass = false;
    return this.#actions.frame();
  }

  leftMs(nowMs: number): number {
    return nowMs - this.#lastMs + this.#remainingMs;
  }

  #begin(nowMs: number): void {
    this.#isInPass = true;
    this.passes += 1;
    const frameMs = this.leftMs(Math.max(this.#lastMs, nowMs));
    this.#lastMs = Math.max(this.#lastMs, nowMs);
    this.#remainingMs = Math.min(frameMs, this.#maxFrameMs);
    this.droppedMs += frameMs - this.#remainingMs;
  }
}
