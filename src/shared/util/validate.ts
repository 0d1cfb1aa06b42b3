/** Checks arguments and the names of options. Every message names the option and the violated rule. */

/** @throws TypeError if it is not a number. @throws RangeError if it is outside [low, high] or not finite. */
export function requireNumber(name: string, value: unknown, low: number, high: number): number {
  return requireWithin(name, value, low, high, 'a number', true);
}

/** Like {@link requireNumber}, for whole numbers. */
export function requireInteger(name: string, value: unknown, low: number, high: number): number {
  return requireWithin(name, value, low, high, 'a whole number', Number.isInteger(value));
}

function requireWithin(
  name: string,
  value: unknown,
  low: number,
  high: number,
  kind: string,
  isOfKind: boolean,
): number {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, but is ${describe(value)}`);
  }
  if (isOfKind && value >= low && value <= high) return value;
  throw new RangeError(`${name} must be ${kind} from ${low} to ${high}, but is ${value}`);
}

/** @throws RangeError if a state does not have these values. @param length How many it has. */
export function requireValues(start: number, count: number, length: number): void {
  requireInteger('start, within display.values,', start, 0, length);
  requireInteger('count, within display.values,', count, 0, length - start);
}

/** @throws TypeError if it is not a string. @throws RangeError if it is not one of the choices. */
export function requireChoice<T extends string>(
  name: string,
  value: unknown,
  choices: readonly T[],
): T {
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  const must = `${name} must be one of ${choices.join(', ')}, but is`;
  if (typeof value === 'string') throw new RangeError(`${must} "${value}"`);
  throw new TypeError(`${must} ${describe(value)}`);
}

/** @throws TypeError if it is neither true nor false. */
export function requireBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new TypeError(`${name} must be true or false, but is ${describe(value)}`);
}

/** @throws TypeError if it is not an array. */
export function requireList<Item>(name: string, value: unknown): readonly Item[] {
  if (Array.isArray(value)) return value as readonly Item[];
  throw new TypeError(`${name} must be an array, but is ${describe(value)}`);
}

/** @throws TypeError if it is not a string. */
export function requireText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${name} must be a string, but is ${describe(value)}`);
}

/** @throws TypeError if it is not a Uint8Array, of whatever realm. */
export function requireBytes(name: string, value: unknown): Uint8Array {
  if (Object.prototype.toString.call(value) === '[object Uint8Array]') return value as Uint8Array;
  throw new TypeError(`${name} must be a Uint8Array, but is ${describe(value)}`);
}

/** @throws TypeError if it is not a function. */
export function requireFunction<F = (...args: never[]) => unknown>(
  name: string,
  value: unknown,
): F {
  if (typeof value === 'function') return value as F;
  throw new TypeError(`${name} must be a function, but is ${describe(value)}`);
}

/** @param shape Describes the object in the message. @throws TypeError for anything else, and for an array. */
export function requireObject<T = Readonly<Record<string, unknown>>>(
  name: string,
  value: unknown,
  shape = '',
): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T;
  throw new TypeError(`${name} must be an object${shape}, but is ${describe(value)}`);
}

/** Describes a value of a wrong type, for a message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}

/**
 * @param among If these options are a group of others: the path of the group, and all paths.
 * @throws TypeError naming the first key of `options` that is not in `known`, and one that may have been meant.
 */
export function requireKnownKeys(
  what: string,
  options: object,
  known: readonly string[],
  among: { readonly prefix: string; readonly all: readonly string[] } = { prefix: '', all: known },
): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, among.all);
    throw new TypeError(
      `unknown option "${among.prefix}${key}" of ${what}: ` +
        (near === undefined ? `it has ${known.join(', ') || 'none'}` : `did you mean "${near}"?`),
    );
  }
}

/** The path whose last name is closest to a word: equal, or one contains the other, or a few letters differ. */
export function nearestName(word: string, paths: readonly string[]): string | undefined {
  const a = word.toLowerCase();
  const find = (isNear: (b: string) => boolean): string | undefined =>
    paths.find((path) => isNear(path.slice(path.lastIndexOf('.') + 1).toLowerCase()));
  return (
    find((b) => a === b) ??
    find((b) => Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a))) ??
    find((b) => isWithin(a, b, 1)) ??
    find((b) => isWithin(a, b, Math.min(3, a.length / 3)))
  );
}

/** Whether at most `edits` letters must be inserted, deleted or replaced to turn one text into the other. */
function isWithin(a: string, b: string, edits: number): boolean {
  if (a === b || edits < 1) return a === b;
  const restA = a.slice(1);
  const restB = b.slice(1);
  if (a[0] === b[0]) return isWithin(restA, restB, edits);
  return (
    isWithin(restA, restB, edits - 1) ||
    isWithin(restA, b, edits - 1) ||
    isWithin(a, restB, edits - 1)
  );
}
