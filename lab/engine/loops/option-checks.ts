/** Checks the options of loops and fills in their defaults. */
import { requireKnownKeys, requireInteger } from '../../../src/shared/util/validate.js';
import * as LIMITS from '../../../src/shared/util/limits.js';
import { number, type Check } from '../../../src/shared/util/options.js';

export { flag, number as numberFrom } from '../../../src/shared/util/options.js';

/** Upper limit of the maximum updates per frame. */
const MAX_STEPS = 1_000_000;

/** All options of a loop besides `kind`, each with its check. */
export type OptionChecks<Options> = {
  readonly [Name in Exclude<keyof Options, 'kind'>]-?: Check<Required<Options>[Name]>;
};

/**
 * Checks the options of a loop. The result is complete and frozen.
 *
 * @throws TypeError, RangeError naming the invalid option and the violated rule.
 */
export function resolveOptions<Options extends { readonly kind: string }>(
  options: Options,
  checks: OptionChecks<Options>,
): Required<Options> {
  const { kind } = options;
  requireKnownKeys(kind, options, ['kind', ...Object.keys(checks)]);
  const given: Readonly<Record<string, unknown>> = options;
  const resolved = Object.entries<Check<unknown>>(checks).map(([name, check]) => [
    name,
    check(`${kind}: ${name}`, given[name], []),
  ]);
  return Object.freeze({ kind, ...Object.fromEntries(resolved) }) as Required<Options>;
}

/** A rate in Hz. */
export const rate = (byDefaultHz: number): Check<number> =>
  number(...LIMITS.tickRateHz, byDefaultHz);

/** A limit on updates per frame: a whole number from 1, or Infinity for none. */
export const stepCap =
  (byDefault: number): Check<number> =>
  (name, value) => {
    const cap = value ?? byDefault;
    return cap === Number.POSITIVE_INFINITY ? cap : requireInteger(name, cap, 1, MAX_STEPS);
  };
