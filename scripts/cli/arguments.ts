/** Arguments of commands, read as numbers, lists and choices. */
import { RefusedError } from './errors.js';

/** The only argument that is no flag. @throws RefusedError if there is none, or more. */
export function onlyOne(what: string, given: readonly string[]): string {
  const [one, ...others] = given;
  if (one !== undefined && others.length === 0) return one;
  throw new RefusedError(
    `one ${what} is needed, and ${given.length} are given: --help says how it is used`,
  );
}

/** Values separated by commas, each once. */
export function list<T>(flag: string, text: string, read: (item: string) => T): T[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) {
    throw new RefusedError(`${flag} must be values between commas, but is "${text}"`);
  }
  return [...new Set(items.map(read))];
}

export function choice<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const found = choices.find((one) => one === text);
  if (found !== undefined) return found;
  throw new RefusedError(`${flag} must be of ${choices.join(', ')}, but is "${text}"`);
}

export function number(flag: string, text: string, low: number, high: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value >= low && value <= high) return value;
  throw new RefusedError(`${flag} must be a number from ${low} to ${high}, but is "${text}"`);
}

export function integer(flag: string, text: string, low: number, high: number): number {
  const value = number(flag, text, low, high);
  if (Number.isInteger(value)) return value;
  throw new RefusedError(`${flag} must be a whole number, but is "${text}"`);
}
