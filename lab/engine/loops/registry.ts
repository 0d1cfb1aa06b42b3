/** All loops by name: their options, checked and completed, and the stepper itself. */
import { requireChoice } from '../../../src/shared/util/validate.js';
import {
  createStepper as createWorkerStepper,
  resolveStepperOptions as resolveWorkerStepper,
  type ResolvedStepperOptions as ResolvedWorkerStepper,
  type StepperOptions as WorkerStepper,
} from '../../../src/shared/loops/registry.js';
import type { Stepper } from '../../../src/shared/loops/stepper.js';
import { resolveOptions } from '../../../src/shared/loops/option-checks.js';
import { FIXED, FixedStepper, type FixedOptions } from './fixed.js';
import {
  REFRESH_MULTIPLE,
  RefreshMultipleStepper,
  type RefreshMultipleOptions,
} from './refresh-multiple.js';
import { UNPACED, UnpacedStepper, type UnpacedOptions } from './unpaced.js';

/** The loops, in the order of their history. */
export const STEPPER_KINDS = [
  'unpaced',
  'frame-locked',
  'variable',
  'frame-skip',
  'fixed-predict',
  'semi-fixed',
  'fixed',
  'refresh-multiple',
  'rate-groups',
  'bounded-variable',
] as const;
export type StepperKind = (typeof STEPPER_KINDS)[number];

/** A stepper and its options. Missing options have the defaults of the loop's source. */
export type StepperOptions = UnpacedOptions | FixedOptions | RefreshMultipleOptions | WorkerStepper;

/** The same, complete and frozen. */
export type ResolvedStepperOptions =
  | Required<UnpacedOptions>
  | Required<FixedOptions>
  | Required<RefreshMultipleOptions>
  | ResolvedWorkerStepper;

/**
 * Fills in missing options.
 *
 * @throws TypeError, RangeError naming the option that is wrong and the rule that it broke.
 */
export function resolveStepperOptions(options: StepperOptions): ResolvedStepperOptions {
  requireChoice('stepper', options.kind, STEPPER_KINDS);
  switch (options.kind) {
    case 'unpaced':
      return resolveOptions(options, UNPACED);
    case 'fixed':
      return resolveOptions(options, FIXED);
    case 'refresh-multiple':
      return resolveOptions(options, REFRESH_MULTIPLE);
    default:
      return resolveWorkerStepper(options);
  }
}

/** @throws TypeError, RangeError as {@link resolveStepperOptions}. */
export function createStepper(options: StepperOptions): Stepper {
  const resolved = resolveStepperOptions(options);
  switch (resolved.kind) {
    case 'unpaced':
      return new UnpacedStepper(resolved);
    case 'fixed':
      return new FixedStepper(resolved);
    case 'refresh-multiple':
      return new RefreshMultipleStepper(resolved);
    default:
      return createWorkerStepper(resolved);
  }
}
