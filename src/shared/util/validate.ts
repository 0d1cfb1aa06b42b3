/** Argument checks. Every message names the option and the violated rule. */

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

/** @throws TypeError if it is not a function. */
export function requireFunction<F = (...args: never[]) => unknown>(
  name: string,
  value: unknown,
): F {
  if (typeof value === 'function') return value as F;
  throw new TypeError(`${name} must be a function, but is ${describe(value)}`);
}

/** @param shape What it should look like. @throws TypeError if it is no object, or a list. */
export function requireObject<T = Readonly<Record<string, unknown>>>(
  name: string,
  value: unknown,
  shape = '',
): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as T;
  throw new TypeError(`${name} must be an object${shape}, but is ${describe(value)}`);
}

/** What a value of a wrong type is, for a message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
