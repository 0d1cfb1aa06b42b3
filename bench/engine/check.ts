/** Checks of values that came from outside. Each gives the value with its type, or says where it is wrong. */

/** A file is no result of ours, is of a newer version, or is damaged. The message says which, and where. */
export class BenchResultError extends Error {
  override readonly name = 'BenchResultError';
}

/** @param path Where the value stands, such as `cases[3].stepMs.p99`. */
export type Check<T> = (value: unknown, path: string) => T;

export function refuse(path: string, rule: string, value: unknown): never {
  throw new BenchResultError(`${path} must be ${rule}, and is ${describe(value)}`);
}

export function number(low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY) {
  return (value: unknown, path: string): number => {
    // JSON has no infinity, but reads 1e999 as one.
    if (typeof value !== 'number' || !Number.isFinite(value))
      return refuse(path, 'a number', value);
    if (value < low) return refuse(path, `${low} or more`, value);
    return value > high ? refuse(path, `${high} or less`, value) : value;
  };
}

export function integer(low: number) {
  return (value: unknown, path: string): number =>
    Number.isSafeInteger(value) && Number(value) >= low
      ? Number(value)
      : refuse(path, `a whole number from ${low}`, value);
}

export const text: Check<string> = (value, path) =>
  typeof value === 'string' ? value : refuse(path, 'a text', value);

/** A moment, as `Date` writes and reads it. */
export const moment: Check<string> = (value, path) => {
  const time = text(value, path);
  return Number.isNaN(Date.parse(time))
    ? refuse(path, 'a time such as 2026-01-31T12:00:00Z', value)
    : time;
};

export const flag: Check<boolean> = (value, path) =>
  typeof value === 'boolean' ? value : refuse(path, 'true or false', value);

export function oneOf<const T extends string | number>(...choices: readonly T[]): Check<T> {
  return (value, path) =>
    choices.find((choice) => choice === value) ??
    refuse(path, choices.map((choice) => JSON.stringify(choice)).join(' or '), value);
}

export function orNull<T>(check: Check<T>): Check<T | null> {
  return (value, path) => (value === null ? null : check(value, path));
}

export function list<T>(check: Check<T>): Check<T[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => check(item, `${path}[${index}]`))
      : refuse(path, 'a list', value);
}

export function pair<A, B>(first: Check<A>, second: Check<B>): Check<[A, B]> {
  return (value, path) =>
    Array.isArray(value) && value.length === 2
      ? [first(value[0], `${path}[0]`), second(value[1], `${path}[1]`)]
      : refuse(path, 'a list of two', value);
}

/** What the checks of a record's fields say that they are. */
type Checks<T> = { readonly [Name in keyof T]: Check<T[Name]> };

/** The fields that are named, and none beside them: what is not known is left out. */
export function record<T extends object>(checks: Checks<T>): Check<T> {
  return (value, path) => {
    const fields = requireObject(value, path);
    const names = Object.keys(checks) as (keyof T & string)[];
    const checked = names.map((name) => {
      const place = path === '' ? name : `${path}.${name}`;
      if (!Object.hasOwn(fields, name)) throw new BenchResultError(`${place} is missing`);
      return [name, checks[name](fields[name], place)] as const;
    });
    return Object.fromEntries(checked) as T;
  };
}

/** Texts by name. */
export const texts: Check<Record<string, string>> = (value, path) =>
  Object.fromEntries(
    Object.entries(requireObject(value, path)).map(([name, item]) => [
      name,
      text(item, `${path}.${name}`),
    ]),
  );

function requireObject(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(path === '' ? 'a result' : path, 'an object', value);
  }
  return value as Readonly<Record<string, unknown>>;
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object';
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}
