/** Checks the options of loops and fills in their defaults. */
import { requireKnownKeys } from '../../../src/shared/util/known-keys.js';
import * as LIMITS from '../../../src/shared/util/limits.js';
import { requireInteger, requireNumber } from '../../../src/shared/util/validate.js';

/** Upper limit of the maximum updates per frame. */
const MAX_STEPS = 1_000_000;

/** Returns the value of an option, or its default. Throws an error that begins with the name. */
type Check<Value> = (name: string, value: unknown) => Value;

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
    check(`${kind}: ${name}`, given[name]),
  ]);
  return Object.freeze({ kind, ...Object.fromEntries(resolved) }) as Required<Options>;
}

/** A number within limits. */
export const numberFrom =
  (low: number, high: number, byDefault: number): Check<number> =>
  (name, value) =>
    requireNumber(name, value ?? byDefault, low, high);

/** A rate in Hz. */
export const rate = (byDefaultHz: number): Check<number> =>
  numberFrom(...LIMITS.tickRateHz, byDefaultHz);

/** A limit on updates per frame: a whole number from 1, or Infinity for none. */
export const stepCap =
  (byDefault: number): Check<number> =>
  (name, value) => {
    const cap = value ?? byDefault;
    return cap === Number.POSITIVE_INFINITY ? cap : requireInteger(name, cap, 1, MAX_STEPS);
  };

export const flag =
  (byDefault: boolean): Check<boolean> =>
  (name, value) => {
    const isOn = value ?? byDefault;
    if (typeof isOn === 'boolean') return isOn;
    throw new TypeError(`${name} must be true or false, but is ${String(isOn)}`);
  };
