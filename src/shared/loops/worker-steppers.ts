/** The loops that a worker can run: those that need no display to pace them. */
import { requireKeysOfGroup } from '../util/known-keys.js';
import type { BoundedVariableOptions } from './bounded-variable.js';
import type { FrameLockedOptions } from './frame-locked.js';
import type { SemiFixedOptions } from './semi-fixed.js';
import type { FixedPredictOptions, FrameSkipOptions } from './slot-stepper.js';
import type { VariableOptions } from './variable.js';

/** In historical order. */
export const WORKER_STEPPERS = [
  'frame-locked',
  'variable',
  'frame-skip',
  'fixed-predict',
  'semi-fixed',
  'fixed',
  'rate-groups',
  'bounded-variable',
] as const;
/** One of {@link WORKER_STEPPERS}. */
export type WorkerStepperKind = (typeof WORKER_STEPPERS)[number];

/** The loop `fixed` in a worker. The option `maxCatchUpTicks` of `connect` limits it. */
export interface WorkerFixedOptions {
  /** Which loop. */
  readonly kind: 'fixed';
  /** Ticks per second, 1 to 1000 Hz. Default: the option `tickRateHz` of `connect`. */
  readonly tickRateHz?: number;
}

/** The loop `rate-groups` in a worker, which draws nothing: it has only the rate of the updates. */
export interface WorkerRateGroupsOptions {
  /** Which loop. */
  readonly kind: 'rate-groups';
  /** Updates per second, 1 to 1000 Hz. Default: the option `tickRateHz` of `connect`. */
  readonly tickRateHz?: number;
  /** Sleep when nothing is due, in ms, 0.01 to 1000. Default 1. */
  readonly pollMs?: number;
  /** Maximum updates per pass, a whole number from 1; updates beyond are dropped. Default Infinity. */
  readonly maxSteps?: number;
}

/**
 * A loop that can pace a worker, and its options. Omitted options have the defaults of the loop's source, except
 * `tickRateHz`, whose default is the option of `connect`.
 */
export type WorkerStepperOptions =
  | FrameLockedOptions
  | VariableOptions
  | FrameSkipOptions
  | FixedPredictOptions
  | SemiFixedOptions
  | WorkerFixedOptions
  | WorkerRateGroupsOptions
  | BoundedVariableOptions;

/** @throws RangeError if `maxCatchUpTicks` would be ignored. */
export function requireCatchUpBound(kind: string): void {
  if (kind === 'fixed') return;
  throw new RangeError(
    `maxCatchUpTicks bounds only the loop 'fixed': '${kind}' has another bound, or none`,
  );
}

/** Options of the articles' loops that have no effect in a worker, and what to use instead. */
const WITHOUT_EFFECT: Partial<
  Record<WorkerStepperKind, { readonly options: readonly string[]; readonly advice: string }>
> = {
  fixed: {
    options: ['maxFrameMs', 'maxSteps', 'interpolate'],
    advice: 'maxCatchUpTicks bounds it, and interpolation says how it is drawn',
  },
  'rate-groups': {
    options: ['renderHz', 'refreshHz', 'interpolate'],
    advice: 'a worker draws nothing, and interpolation says how its states are drawn',
  },
};

/**
 * @throws RangeError naming an option that would be ignored. @throws TypeError naming one that the loop `fixed` does
 *   not have; the other loops check their own options.
 */
export function requireWorkerOptions(options: { readonly kind: WorkerStepperKind }): void {
  const { kind } = options;
  const unused = WITHOUT_EFFECT[kind];
  const given = unused?.options.find((name) => Object.hasOwn(options, name));
  if (unused !== undefined && given !== undefined) {
    throw new RangeError(
      `stepper.${given} has no effect on the loop '${kind}' in a worker: ${unused.advice}`,
    );
  }
  if (kind === 'fixed') requireKeysOfGroup('stepper', options, ['kind', 'tickRateHz']);
}
