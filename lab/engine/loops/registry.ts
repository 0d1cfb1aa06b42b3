/** All loops by name: their options, checked and completed, and the stepper itself. */
import { requireChoice } from '../../../src/shared/util/validate.js';
import {
  BOUNDED_VARIABLE,
  BoundedVariableStepper,
  type BoundedVariableOptions,
} from './bounded-variable.js';
import { FIXED, FixedStepper, type FixedOptions } from './fixed.js';
import { FRAME_LOCKED, FrameLockedStepper, type FrameLockedOptions } from './frame-locked.js';
import { resolveOptions, type OptionChecks } from './option-checks.js';
import { RATE_GROUPS, RateGroupsStepper, type RateGroupsOptions } from './rate-groups.js';
import {
  REFRESH_MULTIPLE,
  RefreshMultipleStepper,
  type RefreshMultipleOptions,
} from './refresh-multiple.js';
import { SEMI_FIXED, SemiFixedStepper, type SemiFixedOptions } from './semi-fixed.js';
import {
  FIXED_PREDICT,
  FRAME_SKIP,
  SlotStepper,
  type FixedPredictOptions,
  type FrameSkipOptions,
} from './slot-stepper.js';
import type { Stepper } from './stepper.js';
import { UNPACED, UnpacedStepper, type UnpacedOptions } from './unpaced.js';
import { VARIABLE, VariableStepper, type VariableOptions } from './variable.js';

/** A stepper and its options. Missing options have the defaults of the loop's source. */
export type StepperOptions =
  | UnpacedOptions
  | FrameLockedOptions
  | VariableOptions
  | FrameSkipOptions
  | FixedPredictOptions
  | SemiFixedOptions
  | FixedOptions
  | RefreshMultipleOptions
  | RateGroupsOptions
  | BoundedVariableOptions;
export type StepperKind = StepperOptions['kind'];

type RequiredOf<T> = T extends unknown ? Required<T> : never;

/** The same, complete and frozen. */
export type ResolvedStepperOptions = RequiredOf<StepperOptions>;

interface Loop<Options> {
  readonly checks: OptionChecks<Options>;
  readonly Stepper: new (options: Required<Options>) => Stepper;
}

/** In the order of their history. */
const LOOPS: {
  readonly [Kind in StepperKind]: Loop<Extract<StepperOptions, { readonly kind: Kind }>>;
} = {
  unpaced: { checks: UNPACED, Stepper: UnpacedStepper },
  'frame-locked': { checks: FRAME_LOCKED, Stepper: FrameLockedStepper },
  variable: { checks: VARIABLE, Stepper: VariableStepper },
  'frame-skip': { checks: FRAME_SKIP, Stepper: SlotStepper },
  'fixed-predict': { checks: FIXED_PREDICT, Stepper: SlotStepper },
  'semi-fixed': { checks: SEMI_FIXED, Stepper: SemiFixedStepper },
  fixed: { checks: FIXED, Stepper: FixedStepper },
  'refresh-multiple': { checks: REFRESH_MULTIPLE, Stepper: RefreshMultipleStepper },
  'rate-groups': { checks: RATE_GROUPS, Stepper: RateGroupsStepper },
  'bounded-variable': { checks: BOUNDED_VARIABLE, Stepper: BoundedVariableStepper },
};

export const STEPPER_KINDS = Object.keys(LOOPS) as readonly StepperKind[];

/** Loops that can run in a worker: the others need a display to pace them. */
export const WORKER_STEPPERS = STEPPER_KINDS.filter(
  (kind) => kind !== 'unpaced' && kind !== 'refresh-multiple',
);

/**
 * Fills in missing options.
 *
 * @throws TypeError, RangeError naming the option that is wrong and the rule that it broke.
 */
export function resolveStepperOptions(options: StepperOptions): ResolvedStepperOptions {
  const kind = requireChoice('stepper', options.kind, STEPPER_KINDS);
  return resolveOptions<StepperOptions>(options, LOOPS[kind].checks) as ResolvedStepperOptions;
}

/** @throws TypeError, RangeError as {@link resolveStepperOptions}. */
export function createStepper(options: StepperOptions): Stepper {
  const resolved = resolveStepperOptions(options);
  const { Stepper } = LOOPS[resolved.kind] as Loop<StepperOptions>;
  return new Stepper(resolved);
}
