/**
 * The catching up that `frame-skip` and `fixed-predict` have in common: while now is *after* the next
 * tick, update, but no more than so many times without a frame. What is beyond stays owed.
 */
import { ActionSet, type UpdateAction } from './stepper.js';

/** How long after a tick it counts as passed, in ms: the clock must be past it, not at it. */
const JUST_AFTER_MS = 0.001;

export class SlotCatchUp {
  readonly periodMs: number;
  readonly actions = new ActionSet();
  readonly #tickRateHz: number;
  readonly #maxFrameSkip: number;
  #startMs = 0;
  #ticks = 0;
  #loops = 0;
  #passes = 0;
  #dueMs = 0;

  constructor(tickRateHz: number, maxFrameSkip: number) {
    this.#tickRateHz = tickRateHz;
    this.#maxFrameSkip = maxFrameSkip;
    this.periodMs = 1000 / tickRateHz;
  }

  get passes(): number {
    return this.#passes;
  }

  /** The time of the next tick: computed from its number, never summed. */
  get nextTickMs(): number {
    return this.#startMs + (this.#ticks * 1000) / this.#tickRateHz;
  }

  get idleUntilMs(): number {
    return this.nextTickMs + JUST_AFTER_MS;
  }

  start(nowMs: number): void {
    this.#startMs = nowMs;
    this.#dueMs = nowMs;
    this.#ticks = 0;
    this.#loops = -1;
  }

  /** The next update, or undefined when it is time for the pass's frame. */
  next(nowMs: number): UpdateAction | undefined {
    // Below 0: the frame was drawn, and a pass begins.
    if (this.#loops < 0) {
      this.#loops = 0;
      this.#passes += 1;
    }
    const tickMs = this.nextTickMs;
    if (nowMs > tickMs && this.#loops < this.#maxFrameSkip) {
      this.#ticks += 1;
      this.#loops += 1;
      // Owing more than a frame can make up, the game is in slow motion: the state stands for now, and
      // not for a tick that lies ever further back.
      const standsForMs = nowMs - tickMs > this.#maxFrameSkip * this.periodMs ? nowMs : tickMs;
      this.#dueMs = Math.max(this.#dueMs, standsForMs);
      return this.actions.update(this.periodMs, this.#dueMs);
    }
    this.#loops = -1;
    return undefined;
  }

  leftMs(nowMs: number): number {
    return nowMs - this.nextTickMs;
  }
}
