/** Chooses the pacer that the options ask for. */
import type { WorkerOptions } from '../../shared/control-protocol.js';
import type { Schedule } from '../../shared/schedule.js';
import { FixedPacer } from './fixed-pacer.js';
import type { Pacer } from './pacer.js';
import { StepperPacer } from './stepper-pacer.js';

/**
 * `fixed` runs on the schedule itself: whole ticks are dropped and the phase is kept, where the article's loop clamps a
 * frame's time.
 */
export function createPacer(schedule: Schedule, options: WorkerOptions): Pacer {
  const { stepper, maxCatchUpTicks, timeScale } = options;
  const pacer =
    stepper.kind === 'fixed'
      ? new FixedPacer(schedule, maxCatchUpTicks)
      : new StepperPacer(schedule, stepper);
  if (timeScale !== 1) pacer.setTimeScale(timeScale, 0);
  return pacer;
}
