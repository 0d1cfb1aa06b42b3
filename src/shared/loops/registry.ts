/** The loops that can pace a worker, besides `fixed`: their options, checked and completed, and the steppers. */
import {
  BoundedVariableStepper,
  resolveBoundedVariable,
  type BoundedVariableOptions,
} from './bounded-variable.js';
import { resolveFixedPredict, type FixedPredictOptions } from './fixed-predict.js';
import { FrameLockedStepper, resolveFrameLocked, type FrameLockedOptions } from './frame-locked.js';
import { resolveFrameSkip, type FrameSkipOptions } from './frame-skip.js';
import { RateGroupsStepper, resolveRateGroups, type RateGroupsOptions } from './rate-groups.js';
import { resolveSemiFixed, SemiFixedStepper, type SemiFixedOptions } from './semi-fixed.js';
import { SlotStepper } from './slot-stepper.js';
import type { Stepper } from './stepper.js';
import { resolveVariable, VariableStepper, type VariableOptions } from './variable.js';

/** A stepper and its options. Omitted options have the defaults of the loop's source. */
export type StepperOptions =
  | FrameLockedOptions
  | VariableOptions
  | FrameSkipOptions
  | FixedPredictOptions
  | SemiFixedOptions
  | RateGroupsOptions
  | BoundedVariableOptions;

type RequiredOf<T> = T extends unknown ? Required<T> : never;

/** The same, complete and frozen. */
export type ResolvedStepperOptions = RequiredOf<StepperOptions>;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError, RangeError naming the invalid option and the violated rule.
 */
export function resolveStepperOptions(options: StepperOptions): ResolvedStepperOptions {
  switch (options.kind) {
    case 'frame-locked':
      return resolveFrameLocked(options);
    case 'variable':
      return resolveVariable(options);
    case 'frame-skip':
      return resolveFrameSkip(options);
    case 'fixed-predict':
      return resolveFixedPredict(options);
    case 'semi-fixed':
      return resolveSemiFixed(options);
    case 'rate-groups':
      return resolveRateGroups(options);
    case 'bounded-variable':
      return resolveBoundedVariable(options);
  }
}

/**
 * Checks options passed as the option `stepper` of `connect`.
 *
 * @throws TypeError, RangeError naming the path of the invalid option and the violated rule.
 */
export function requireStepperGroup(options: StepperOptions): void {
  try {
    resolveStepperOptions(options);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { kind } = options;
    error.message = error.message
      .replace(new RegExp(`^${kind}: `), 'stepper.')
      .replace(/^unknown option "/, '$&stepper.')
      .replace(` of ${kind}: `, ' of connect: ')
      .replace('did you mean "', '$&stepper.');
    throw error;
  }
}

/** @throws TypeError, RangeError like {@link resolveStepperOptions}. */
export function createStepper(options: StepperOptions): Stepper {
  const resolved = resolveStepperOptions(options);
  switch (resolved.kind) {
    case 'frame-locked':
      return new FrameLockedStepper(resolved);
    case 'variable':
      return new VariableStepper(resolved);
    case 'frame-skip':
      return new SlotStepper(resolved, false);
    case 'fixed-predict':
      return new SlotStepper(resolved, true);
    case 'semi-fixed':
      return new SemiFixedStepper(resolved);
    case 'rate-groups':
      return new RateGroupsStepper(resolved);
    case 'bounded-variable':
      return new BoundedVariableStepper(resolved);
  }
}
