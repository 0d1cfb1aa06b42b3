/**
 * Common parts of the schemas of results. Each message of a schema is the rule that a value breaks,
 * such as `a number`: {@link read} adds the place and the actual value.
 */
import * as v from 'valibot';

/**
 * A file is not a result, is of a newer version, or is damaged. The message says which, and where.
 */
export class BenchResultError extends Error {
  override readonly name = 'BenchResultError';
}

/** The output type of a schema, readonly. */
export type Frozen<T> = T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> } : T;

export const text = v.string('a text');
export const flag = v.boolean('true or false');

/** JSON has no infinity, but reads 1e999 as one. */
export const finite = v.pipe(v.number('a number'), v.finite('a number'));
export const atLeast0 = v.pipe(finite, v.minValue(0, '0 or more'));
export const positive = v.pipe(finite, v.gtValue(0, 'more than 0'));
/** From 0 to 1. */
export const share = v.pipe(atLeast0, v.maxValue(1, '1 or less'));

export const integer = (low: number) => {
  const rule = `a whole number from ${low}`;
  return v.pipe(v.number(rule), v.safeInteger(rule), v.minValue(low, rule));
};
export const count = integer(0);

/** A time stamp, as `Date` writes and reads it. */
export const moment = v.custom<string>(
  (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  'a time such as 2026-01-31T12:00:00Z',
);

export const oneOf = <const Choices extends readonly (string | number)[]>(...choices: Choices) =>
  v.picklist(choices, choices.map((choice) => JSON.stringify(choice)).join(' or '));

export const list = <const Item extends Schema>(item: Item) => v.array(item, 'a list');

export const pair = <const First extends Schema, const Second extends Schema>(
  first: First,
  second: Second,
) => {
  const rule = 'a list of two';
  return v.pipe(v.array(v.unknown(), rule), v.length(2, rule), v.tuple([first, second]));
};

/** Only the named fields: unknown ones are dropped. */
export const record = <const Fields extends v.ObjectEntries>(fields: Fields) =>
  v.object(fields, 'an object');

/** Texts by name. */
export const texts = v.pipe(
  v.custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'an object',
  ),
  v.record(v.string(), text),
);

/** A list in which no two items have the same key. */
export const distinct = <const Item extends Schema>(
  item: Item,
  keyOf: (one: v.InferOutput<Item>) => string,
) =>
  v.pipe(
    list(item),
    v.checkItems(
      (one, index, all) => all.findIndex((other) => keyOf(other) === keyOf(one)) === index,
      'repeats an earlier case',
    ),
  );

export function isRising(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value >= (values[index - 1] ?? value));
}

type Schema = v.GenericSchema;

/** A kind of file: how its contents begin, and the messages for others. */
export interface FileKind {
  readonly format: string;
  /** The newest that can be read. */
  readonly version: number;
  /** For a file that is not of this kind: `this is no …`, and which to give. */
  readonly otherwise: string;
}

/**
 * Parses and checks JSON. Unknown fields are dropped.
 *
 * @throws {BenchResultError} When it is of another kind or of a newer version, or naming the place
 * where it is
 *   damaged, such as `cases[3].stepMs.p99`.
 */
export function read<const S extends Schema>(
  schema: S,
  { format, version, otherwise }: FileKind,
  json: unknown,
): v.InferOutput<S> {
  const head: { readonly format?: unknown; readonly version?: unknown } =
    typeof json === 'object' && json !== null ? json : {};
  if (head.format !== format) throw new BenchResultError(otherwise);
  if (typeof head.version === 'number' && head.version > version) {
    throw new BenchResultError(
      `this result has version ${head.version}, but the newest supported version is ${version}. ` +
        'Use the release that wrote it, or measure again.',
    );
  }
  const { success, output, issues } = v.safeParse(schema, json, { abortEarly: true });
  if (success) return output;
  throw new BenchResultError(messageOf(issues[0]));
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  const where = (issue.path ?? [])
    .map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '');
  if (issue.path?.at(-1)?.origin === 'key') return `${where} is missing`;
  // Our own checks compare values: their messages are complete.
  if (issue.type === 'check' || issue.type === 'check_items') return `${where} ${issue.message}`;
  return `${where} must be ${issue.message}, but is ${describe(issue.input)}`;
}

function describe(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'a list' : 'an object';
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}
