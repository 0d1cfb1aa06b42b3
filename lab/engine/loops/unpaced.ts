/**
 * The `unpaced` stepper: one update, one frame, and no clock.
 *
 * Source: Koen Witters, "deWiTTERS Game Loop", the simplest loop. Every turn simulates the same
 * step however long it took, so the game's speed is that of the machine, or of the display if
 * drawing waits for it.
 */
import { rate, type OptionChecks } from './option-checks.js';
import { ActionSet, type Action, type Stepper } from './stepper.js';

export interface UnpacedOptions {
  readonly kind: 'unpaced';
  /** The step is 1 / this, whatever the clock says. 1 to 1000 Hz, default 60. */
  readonly tickRateHz?: number;
}

export const UNPACED: OptionChecks<UnpacedOptions> = { tickRateHz: rate(60) };

export class UnpacedStepper implements Stepper {
  readonly kind = 'unpaced';
  readonly stepBoundMs: number;
  readonly droppedMs = 0;
  readonly inventedMs = 0;
  readonly #actions = new ActionSet();
  #passes = 0;
  #isUpdated = false;
  #lastMs = 0;

  constructor(options: Required<UnpacedOptions>) {
    this.stepBoundMs = 1000 / options.tickRateHz;
  }

  get passes(): number {
    return this.#passes;
  }

  get idleUntilMs(): number {
    return this.#lastMs;
  }

  start(nowMs: number): void {
    this.#lastMs = nowMs;
    this.#isUpdated = false;
  }

  next(nowMs: number): Action {
    this.#lastMs = nowMs;
    this.#isUpdated = !this.#isUpdated;
    if (!this.#isUpdated) return this.#actions.frame();
    this.#passes += 1;
    return this.#actions.update(this.stepBoundMs, nowMs);
  }

  /**
   * Always 0: the loop does not know about time that it owes. Its accounts do not balance, which is
   * its fault.
   */
  leftMs(): number {
    return 0;
  }
}
