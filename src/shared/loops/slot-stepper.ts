/**
 * The loop shared by `frame-skip` and `fixed-predict`: while now is *after* the next tick, update, but at most
 * `maxFrameSkip` times without a frame. Further ticks remain due. The two differ in what a frame draws.
 */
import { ActionSet, type Action, type Stepper } from './stepper.js';

/** Time after which a tick counts as passed, in ms: the clock must be past it, not at it. */
const JUST_AFTER_MS = 0.001;

export class SlotStepper implements Stepper {
  readonly kind: string;
  readonly stepBoundMs: number;
  readonly droppedMs = 0;
  readonly inventedMs = 0;
  readonly #actions = new ActionSet();
  readonly #tickRateHz: number;
  readonly #maxFrameSkip: number;
  readonly #predicts: boolean;
  #startMs = 0;
  #ticks = 0;
  #loops = 0;
  #passes = 0;
  #dueMs = 0;

  /** @param predicts Frames extrapolate from the newest state by the fraction of a tick that has passed since. */
  constructor(
    options: { readonly kind: string; readonly tickRateHz: number; readonly maxFrameSkip: number },
    predicts: boolean,
  ) {
    this.kind = options.kind;
    this.#tickRateHz = options.tickRateHz;
    this.#maxFrameSkip = options.maxFrameSkip;
    this.#predicts = predicts;
    this.stepBoundMs = 1000 / options.tickRateHz;
  }

  get passes(): number {
    return this.#passes;
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
      this.#passes += 1;
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
    return this.#actions.frame(1, this.#predicts ? nowMs + this.stepBoundMs - tickMs : 0);
  }

  leftMs(nowMs: number): number {
    return nowMs - this.#nextTickMs;
  }
}
