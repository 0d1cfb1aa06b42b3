/**
 * The `frame-locked` stepper: one update and one frame in each slot of 1 / rate.
 *
 * Source: Koen Witters, "deWiTTERS Game Loop", "FPS dependent on Constant Game Speed". A slot begins
 * 1 / rate after the previous one began. The loop sleeps for the rest of each slot; when late, it does not sleep
 * until it has caught up. On a machine that never does, the game runs in slow motion.
 */
import { rate, type OptionChecks } from './option-checks.js';
import { ActionSet, type Action, type Stepper } from './stepper.js';

/** Options of the loop `frame-locked`. */
export interface FrameLockedOptions {
  /** Which loop. */
  readonly kind: 'frame-locked';
  /** Slots per second, 1 to 1000 Hz. Default 25. */
  readonly tickRateHz?: number;
}

export const FRAME_LOCKED: OptionChecks<FrameLockedOptions> = { tickRateHz: rate(25) };

export class FrameLockedStepper implements Stepper {
  readonly kind = 'frame-locked';
  readonly stepBoundMs: number;
  readonly droppedMs = 0;
  readonly inventedMs = 0;
  passes = 0;
  readonly #actions = new ActionSet();
  readonly #tickRateHz: number;
  #phase: 'update' | 'frame' | 'wait' = 'update';
  #startMs = 0;
  #slots = 0;
  #dueMs = 0;

  constructor(options: Required<FrameLockedOptions>) {
    this.#tickRateHz = options.tickRateHz;
    this.stepBoundMs = 1000 / options.tickRateHz;
  }

  /** Start of the next slot: computed from its number, never summed. */
  get idleUntilMs(): number {
    return this.#startMs + (this.#slots * 1000) / this.#tickRateHz;
  }

  start(nowMs: number): void {
    this.#startMs = nowMs;
    this.#dueMs = nowMs;
    this.#slots = 0;
    this.#phase = 'update';
  }

  next(nowMs: number): Action {
    if (this.#phase === 'wait') {
      this.#phase = 'update';
      if (this.idleUntilMs > nowMs) return this.#actions.sleep(this.idleUntilMs);
    }
    if (this.#phase === 'update') {
      this.#phase = 'frame';
      return this.#update(nowMs);
    }
    this.#phase = 'wait';
    return this.#actions.frame();
  }

  leftMs(nowMs: number): number {
    return nowMs - this.idleUntilMs;
  }

  #update(nowMs: number): Action {
    this.passes += 1;
    const slotMs = this.idleUntilMs;
    this.#slots += 1;
    // More than a slot late, the game is in slow motion: the state represents now, not a slot that falls ever further
    // behind.
    const standsForMs = nowMs - slotMs > this.stepBoundMs ? nowMs : slotMs;
    this.#dueMs = Math.max(this.#dueMs, standsForMs);
    return this.#actions.update(this.stepBoundMs, this.#dueMs);
  }
}
