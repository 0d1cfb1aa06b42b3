/** Argument checks. Every message names the option and the violated rule. */

/** @throws TypeError if it is not a number. @throws RangeError if it is outside [low, high] or not finite. */
export function requireNumber(name: string, value: unknown, low: number, high: number): number {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, but is ${describe(value)}`);
  }
  if (!(value >= low && value <= high)) {
    throw new RangeError(`${name} must be a number from ${low} to ${high}, but is ${value}`);
  }
  return value;
}

/** Like {@link requireNumber}, for whole numbers. */
export function requireInteger(name: string, value: unknown, low: number, high: number): number {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, but is ${describe(value)}`);
  }
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} must be a whole number from ${low} to ${high}, but is ${value}`);
  }
  return value;
}

/** @throws TypeError if it is not a string. @throws RangeError if it is not one of the choices. */
export function requireChoice<T extends string>(
  name: string,
  value: unknown,
  choices: readonly T[],
): T {
  if (typeof value !== 'string') {
    throw new TypeError(`${name} must be one of ${choices.join(', ')}, but is ${describe(value)}`);
  }
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) {
    throw new RangeError(`${name} must be one of ${choices.join(', ')}, but is "${value}"`);
  }
  return choice;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
