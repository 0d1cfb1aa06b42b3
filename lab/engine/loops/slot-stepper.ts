/**
 * The steppers `frame-skip` and `fixed-predict`: while now is *after* the next tick, update, but at most `maxFrameSkip`
 * times without a frame. Further ticks remain due. The two differ in what a frame draws.
 *
 * Source: Koen Witters, "deWiTTERS Game Loop". The loop reads the clock before each update.
 *
 * `frame-skip` is "Constant Game Speed with Maximum FPS". Below rate / maxFrameSkip frames per second the game slows
 * down; above the update rate frames repeat.
 *
 * `fixed-predict` is "Constant Game Speed independent of Variable FPS". What the article calls interpolation is the
 * fraction of a tick that has passed since the last one,
 *
 *     interpolation = (now + period − nextTick) / period
 *
 * which is used to extrapolate from the current state: view = position + speed × interpolation. Between a
 * collision and the tick that detects it, objects are drawn inside walls.
 */
import { rate, stepCap, type OptionChecks } from './option-checks.js';
import { ActionSet, type Action, type Stepper } from './stepper.js';

/** Options of the loop `frame-skip`. */
export interface FrameSkipOptions {
  /** Which loop. */
  readonly kind: 'frame-skip';
  /** Updates per second, 1 to 1000 Hz. Default 50. */
  readonly tickRateHz?: number;
  /** Maximum updates before a frame is drawn, a whole number from 1, or Infinity. Default 10. */
  readonly maxFrameSkip?: number;
}

export const FRAME_SKIP: OptionChecks<FrameSkipOptions> = {
  tickRateHz: rate(50),
  maxFrameSkip: stepCap(10),
};

/** Options of the loop `fixed-predict`. */
export interface FixedPredictOptions {
  /** Which loop. */
  readonly kind: 'fixed-predict';
  /** Updates per second, 1 to 1000 Hz. Default 25. */
  readonly tickRateHz?: number;
  /** Maximum updates before a frame is drawn, a whole number from 1, or Infinity. Default 5. */
  readonly maxFrameSkip?: number;
}

export const FIXED_PREDICT: OptionChecks<FixedPredictOptions> = {
  tickRateHz: rate(25),
  maxFrameSkip: stepCap(5),
};

/** Time after which a tick counts as passed, in ms: the clock must be past it, not at it. */
const JUST_AFTER_MS = 0.001;

export class SlotStepper implements Stepper {
  readonly kind: 'frame-skip' | 'fixed-predict';
  readonly stepBoundMs: number;
  readonly droppedMs = 0;
  readonly inventedMs = 0;
  passes = 0;
  readonly #actions = new ActionSet();
  readonly #tickRateHz: number;
  readonly #maxFrameSkip: number;
  #startMs = 0;
  #ticks = 0;
  #loops = 0;
  #dueMs = 0;

  constructor(options: Required<FrameSkipOptions | FixedPredictOptions>) {
    this.kind = options.kind;
    this.#tickRateHz = options.tickRateHz;
    this.#maxFrameSkip = options.maxFrameSkip;
    this.stepBoundMs = 1000 / options.tickRateHz;
  }

  get idleUntilMs(): number {
    return this.#nextTickMs + JUST_AFTER_MS;
  }

  /** Time of the next tick: computed from its number, never summed. */
  get #nextTickMs(): number {
    return this.#startMs + (this.#ticks * 1000) / this.#tickRateHz;
  }

  start(nowMs: number): void {
    this.#startMs = nowMs;
    this.#dueMs = nowMs;
    this.#ticks = 0;
    this.#loops = -1;
  }

  next(nowMs: number): Action {
    // Negative: the frame was drawn, and a pass begins.
    if (this.#loops < 0) {
      this.#loops = 0;
      this.passes += 1;
    }
    const tickMs = this.#nextTickMs;
    if (nowMs > tickMs && this.#loops < this.#maxFrameSkip) {
      this.#ticks += 1;
      this.#loops += 1;
      // More ticks are due than a frame can catch up, so the game is in slow motion: the state represents now, not a
      // tick that falls ever further behind.
      const standsForMs = nowMs - tickMs > this.#maxFrameSkip * this.stepBoundMs ? nowMs : tickMs;
      this.#dueMs = Math.max(this.#dueMs, standsForMs);
      return this.#actions.update(this.stepBoundMs, this.#dueMs);
    }
    this.#loops = -1;
    // The article's interpolation × period.
    return this.#actions.frame(
      1,
      this.kind === 'fixed-predict' ? nowMs + this.stepBoundMs - tickMs : 0,
    );
  }

  leftMs(nowMs: number): number {
    return nowMs - this.#nextTickMs;
  }
}
