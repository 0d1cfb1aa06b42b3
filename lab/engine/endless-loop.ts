/** Handling of a loop that neither works, nor waits for the display, nor sleeps. */
import type { StepperKind } from './loops/registry.js';

/**
 * A loop in which no time would ever pass: a run of it has no end, and there is nothing to report.
 */
export class EndlessLoopError extends RangeError {
  override readonly name = 'EndlessLoopError';
  readonly stepper: StepperKind;

  constructor(stepper: StepperKind) {
    // A cost of updates would not help: most loops run none before time passes.
    super(
      `${stepper} would loop forever at the same time: without vsync, set a cost per frame or a frame limit`,
    );
    this.stepper = stepper;
  }
}
