/** Which of the loops a worker can run on: those that need no display to pace them. */
import type { StepperKind } from './stepper.js';

/** The same as `runsInWorker` of the steppers' descriptions, without their texts. */
export const WORKER_STEPPERS = [
  'frame-locked',
  'variable',
  'frame-skip',
  'fixed-predict',
  'semi-fixed',
  'fixed',
  'rate-groups',
  'bounded-variable',
] as const satisfies readonly StepperKind[];
/** One of {@link WORKER_STEPPERS}. */
export type WorkerStepperKind = (typeof WORKER_STEPPERS)[number];
