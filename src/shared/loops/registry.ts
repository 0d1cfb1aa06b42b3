/** The loops that can pace a worker, besides `fixed`: their options, checked and completed, and the steppers. */
import { boundedVariable, type BoundedVariableOptions } from './bounded-variable.js';
import { frameLocked, type FrameLockedOptions } from './frame-locked.js';
import { resolveOptions } from './option-checks.js';
import { rateGroups, type RateGroupsOptions } from './rate-groups.js';
import { semiFixed, type SemiFixedOptions } from './semi-fixed.js';
import {
  fixedPredict,
  frameSkip,
  type FixedPredictOptions,
  type FrameSkipOptions,
} from './slot-stepper.js';
import type { Loop, Stepper } from './stepper.js';
import { variable, type VariableOptions } from './variable.js';

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

const LOOPS: {
  readonly [Kind in StepperOptions['kind']]: Loop<Extract<StepperOptions, { kind: Kind }>>;
} = {
  'frame-locked': frameLocked,
  variable,
  'frame-skip': frameSkip,
  'fixed-predict': fixedPredict,
  'semi-fixed': semiFixed,
  'rate-groups': rateGroups,
  'bounded-variable': boundedVariable,
};

/** The loop of these options: its checks and its stepper fit them. */
const loopOf = (options: StepperOptions): Loop<StepperOptions> => LOOPS[options.kind];

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError, RangeError naming the invalid option and the violated rule.
 */
export function resolveStepperOptions(options: StepperOptions): ResolvedStepperOptions {
  return resolveOptions(options, loopOf(options).checks) as ResolvedStepperOptions;
}

/**
 * Checks options passed as the option `stepper` of `connect`.
 *
 * @throws TypeError, RangeError naming the path of the invalid option and the violated rule.
 */
export function requireStepperGroup(options: StepperOptions): void {
  resolveOptions(options, loopOf(options).checks, 'stepper');
}

/** @throws TypeError, RangeError like {@link resolveStepperOptions}. */
export function createStepper(options: StepperOptions): Stepper {
  return loopOf(options).create(resolveStepperOptions(options));
}
