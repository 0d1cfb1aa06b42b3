/** The loops that can pace a worker, besides `fixed`: their options, checked and completed, and the steppers. */
import {
  BOUNDED_VARIABLE,
  BoundedVariableStepper,
  type BoundedVariableOptions,
} from './bounded-variable.js';
import { FRAME_LOCKED, FrameLockedStepper, type FrameLockedOptions } from './frame-locked.js';
import { resolveOptions, type OptionChecks } from './option-checks.js';
import { RATE_GROUPS, RateGroupsStepper, type RateGroupsOptions } from './rate-groups.js';
import { SEMI_FIXED, SemiFixedStepper, type SemiFixedOptions } from './semi-fixed.js';
import {
  FIXED_PREDICT,
  FRAME_SKIP,
  SlotStepper,
  type FixedPredictOptions,
  type FrameSkipOptions,
} from './slot-stepper.js';
import type { Stepper } from './stepper.js';
import { VARIABLE, VariableStepper, type VariableOptions } from './variable.js';

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

type Kind = StepperOptions['kind'];
type OptionsOf<K extends Kind> = Extract<StepperOptions, { readonly kind: K }>;

/** Two tables: the page uses only the first, and loads no steppers. */
const CHECKS: { readonly [K in Kind]: OptionChecks<OptionsOf<K>> } = {
  'frame-locked': FRAME_LOCKED,
  variable: VARIABLE,
  'frame-skip': FRAME_SKIP,
  'fixed-predict': FIXED_PREDICT,
  'semi-fixed': SEMI_FIXED,
  'rate-groups': RATE_GROUPS,
  'bounded-variable': BOUNDED_VARIABLE,
};
const STEPPERS: { readonly [K in Kind]: new (options: Required<OptionsOf<K>>) => Stepper } = {
  'frame-locked': FrameLockedStepper,
  variable: VariableStepper,
  'frame-skip': SlotStepper,
  'fixed-predict': SlotStepper,
  'semi-fixed': SemiFixedStepper,
  'rate-groups': RateGroupsStepper,
  'bounded-variable': BoundedVariableStepper,
};

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError, RangeError naming the invalid option and the violated rule.
 */
export function resolveStepperOptions(options: StepperOptions): ResolvedStepperOptions {
  return resolveOptions<StepperOptions>(options, CHECKS[options.kind]) as ResolvedStepperOptions;
}

/**
 * Checks options passed as the option `stepper` of `connect`.
 *
 * @throws TypeError, RangeError naming the path of the invalid option and the violated rule.
 */
export function requireStepperGroup(options: StepperOptions): void {
  resolveOptions<StepperOptions>(options, CHECKS[options.kind], 'stepper');
}

/** @throws TypeError, RangeError like {@link resolveStepperOptions}. */
export function createStepper(options: StepperOptions): Stepper {
  const resolved = resolveStepperOptions(options);
  return new (STEPPERS[resolved.kind] as new (options: ResolvedStepperOptions) => Stepper)(
    resolved,
  );
}
