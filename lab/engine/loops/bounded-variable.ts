/**
 * The `bounded-variable` stepper: variable steps of at most maxDt, as many as needed.
 *
 * Source: tripzilch, "Timing en de gameloop" (https://gist.github.com/10fc1af97830e515bcbb).
 *
 *     dt = min(now − gameTime, maxDt)
 *     while gameTime < now: update(dt), gameTime += dt
 *
 * All steps of a frame are equal, so game time ends up to one dt ahead of now, and the next frame may
 * have nothing to do. With `remainder`, only whole steps that end by now are run. If more than `maxLagMs` is
 * left, a final short step ends exactly at now.
 */
import { flag, numberFrom, stepCap, type OptionChecks } from './option-checks.js';
import { ActionSet, EPSILON_MS, type Action, type Stepper } from './stepper.js';

/** Options of the loop `bounded-variable`. */
export interface BoundedVariableOptions {
  /** Which loop. */
  readonly kind: 'bounded-variable';
  /** Longest step, in ms, 1 to 1000. Default 20. */
  readonly maxDtMs?: number;
  /** Never run ahead of now; end with a short step instead. Default false. */
  readonly remainder?: boolean;
  /** With `remainder`: leftover time, in ms, up to which no short step is run, 0 to 1000. Default 5. */
  readonly maxLagMs?: number;
  /** Maximum updates per frame, a whole number from 1; time beyond is dropped. Default Infinity. */
  readonly maxSteps?: number;
}

export const BOUNDED_VARIABLE: OptionChecks<BoundedVariableOptions> = {
  maxDtMs: numberFrom(1, 1000, 20),
  remainder: flag(false),
  maxLagMs: numberFrom(0, 1000, 5),
  maxSteps: stepCap(Infinity),
};

export class BoundedVariableStepper implements Stepper {
  readonly kind = 'bounded-variable';
  readonly stepBoundMs: number;
  readonly inventedMs = 0;
  passes = 0;
  droppedMs = 0;
  readonly #options: Required<BoundedVariableOptions>;
  readonly #actions = new ActionSet();
  #isInPass = false;
  #nowMs = 0;
  #dtMs = 0;
  #gameMs = 0;

  constructor(options: Required<BoundedVariableOptions>) {
    this.#options = options;
    this.stepBoundMs = options.maxDtMs;
  }

  get idleUntilMs(): number {
    return this.#gameMs;
  }

  start(nowMs: number): void {
    this.#gameMs = nowMs;
    this.#nowMs = nowMs;
    this.droppedMs = 0;
    this.#isInPass = false;
  }

  next(nowMs: number): Action {
    if (!this.#isInPass) this.#begin(nowMs);
    const stepMs = this.#nextStepMs();
    if (stepMs > 0) {
      // A step of all the remaining time ends at now, even if the sum would be rounded.
      const isAll = stepMs === this.#nowMs - this.#gameMs;
      this.#gameMs = isAll ? this.#nowMs : this.#gameMs + stepMs;
      return this.#actions.update(stepMs, this.#gameMs);
    }
    this.#isInPass = false;
    return this.#actions.frame();
  }

  leftMs(nowMs: number): number {
    return nowMs - this.#gameMs;
  }

  #begin(nowMs: number): void {
    const { maxDtMs, maxSteps } = this.#options;
    this.#isInPass = true;
    this.passes += 1;
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    const excessMs = this.#nowMs - this.#gameMs - maxSteps * maxDtMs;
    if (excessMs > 0) {
      this.droppedMs += excessMs;
      this.#gameMs += excessMs;
    }
    this.#dtMs = Math.min(this.#nowMs - this.#gameMs, maxDtMs);
  }

  /** 0 if the frame is next. */
  #nextStepMs(): number {
    const behindMs = this.#nowMs - this.#gameMs;
    if (behindMs <= EPSILON_MS) return 0;
    if (!this.#options.remainder) return this.#dtMs;
    if (this.#dtMs <= behindMs) return this.#dtMs;
    return behindMs > this.#options.maxLagMs ? behindMs : 0;
  }
}
