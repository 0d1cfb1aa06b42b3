/** Checks options by a table, which says of each its kind, its limits and its default. */
import {
  requireKnownKeys,
  requireBoolean,
  requireChoice,
  requireInteger,
  requireList,
  requireNumber,
  requireObject,
} from './validate.js';

/**
 * Returns the value of an option, or its default.
 *
 * @param all All options by their paths, for what may have been meant by an unknown one.
 * @param what That has the options, for errors.
 * @throws TypeError, RangeError that begins with the name.
 */
export type Check<Value> = (
  name: string,
  value: unknown,
  all: readonly string[],
  what?: string,
) => Value;

type Table = Readonly<Record<string, Check<unknown>>>;
/** Complete options. */
export type Checked<T extends Table> = { readonly [Name in keyof T]: ReturnType<T[Name]> };

// Without a default, an option must be given.

export const number =
  (low: number, high: number, fallback?: number): Check<number> =>
  (name, value = fallback) =>
    requireNumber(name, value, low, high);

export const integer =
  (low: number, high: number, fallback?: number): Check<number> =>
  (name, value = fallback) =>
    requireInteger(name, value, low, high);

export const choice =
  <const T extends string>(choices: readonly T[], fallback?: NoInfer<T>): Check<T> =>
  (name, value = fallback) =>
    requireChoice(name, value, choices);

export const flag =
  (fallback?: boolean): Check<boolean> =>
  (name, value = fallback) =>
    requireBoolean(name, value);

/** One that is checked where it is used. */
export const anything =
  <Value>(fallback?: Value): Check<Value> =>
  (_, value = fallback) =>
    value as Value;

/** One that may be left out. */
export const optional =
  <Value>(check: Check<Value>): Check<Value | undefined> =>
  (name, value, all) =>
    value === undefined ? undefined : check(name, value, all);

/** Empty by default. */
export const list = <Item>(name: string, value: unknown = []): readonly Item[] =>
  requireList(name, value);

/** A group of options. @param what That has it, for errors, unless the options around it say so. */
export const group = <T extends Table>(what: string, table: T) =>
  Object.assign(
    (name: string, value: unknown = {}, all?: readonly string[], of = what) =>
      checkGiven(of, value, table, name, `${name}.`, all),
    { table },
  );

/**
 * @param others Names of further options, for the message about an unknown one.
 * @throws TypeError, RangeError naming the first option that is unknown or wrong.
 */
export const checkOptions = <T extends Table>(
  what: string,
  options: unknown,
  table: T,
  others: readonly string[] = [],
): Checked<T> => checkGiven(what, options, table, `the options of ${what}`, '', undefined, others);

function checkGiven<T extends Table>(
  what: string,
  options: unknown,
  table: T,
  name: string,
  prefix: string,
  all: readonly string[] = pathsOf(table, prefix),
  others: readonly string[] = [],
): Checked<T> {
  const given = requireObject(name, options);
  const known = [...others, ...Object.keys(table)];
  requireKnownKeys(what, given, known, { prefix, all: [...others, ...all] });
  const entries = Object.entries(table).map(([key, checkOne]) => [
    key,
    checkOne(prefix + key, given[key], all, what),
  ]);
  return Object.freeze(Object.fromEntries(entries) as Checked<T>);
}

const pathsOf = (table: Table, prefix: string): string[] => [
  ...Object.keys(table).map((key) => prefix + key),
  ...Object.entries(table).flatMap(([key, one]) =>
    'table' in one ? pathsOf(one.table as Table, `${prefix}${key}.`) : [],
  ),
];
