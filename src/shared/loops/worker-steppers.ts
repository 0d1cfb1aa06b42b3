/** Which of the loops a worker can run on: those that need no display to pace them. */
import { requireKeysOfGroup } from '../util/known-keys.js';
import type { BoundedVariableOptions } from './bounded-variable.js';
import type { FixedPredictOptions } from './fixed-predict.js';
import type { FrameLockedOptions } from './frame-locked.js';
import type { FrameSkipOptions } from './frame-skip.js';
import type { SemiFixedOptions } from './semi-fixed.js';
import type { VariableOptions } from './variable.js';

/** In the order of their history. */
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

/** The loop `fixed` in a worker. What bounds it is the option `maxCatchUpTicks` of `connect`. */
export interface WorkerFixedOptions {
  /** Which loop. */
  readonly kind: 'fixed';
  /** Ticks a second, 1 to 1000 Hz. Default: the option `tickRateHz` of `connect`. */
  readonly tickRateHz?: number;
}

/** The loop `rate-groups` in a worker, where nothing is drawn: of its rates that of the updates alone. */
export interface WorkerRateGroupsOptions {
  /** Which loop. */
  readonly kind: 'rate-groups';
  /** Updates a second, 1 to 1000 Hz. Default: the option `tickRateHz` of `connect`. */
  readonly tickRateHz?: number;
  /** Sleep with nothing due, in ms, 0.01 to 1000. Default 1. */
  readonly pollMs?: number;
  /** Most updates a turn, a whole number from 1; updates beyond are dropped. Default Infinity. */
  readonly maxSteps?: number;
}

/** A loop that can pace a worker, and its options. Those left out have the defaults of the loop's source. */
export type WorkerStepperOptions =
  | FrameLockedOptions
  | VariableOptions
  | FrameSkipOptions
  | FixedPredictOptions
  | SemiFixedOptions
  | WorkerFixedOptions
  | WorkerRateGroupsOptions
  | BoundedVariableOptions;

/** @throws RangeError if `maxCatchUpTicks` would be passed over. */
export function requireCatchUpBound(kind: string): void {
  if (kind === 'fixed') return;
  throw new RangeError(
    `maxCatchUpTicks bounds only the loop 'fixed': '${kind}' has another bound, or none`,
  );
}

/** Options of the articles' loops that a worker has no use for, and what to use instead. */
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
 * @throws RangeError naming an option that would be passed over. @throws TypeError naming one that the loop `fixed` has
 *   not; the other loops check theirs themselves.
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
