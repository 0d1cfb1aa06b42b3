/** Tables of numbers in JSON, as saved states have them. */
import type { Json } from './recording.js';

/**
 * Reads rows of numbers.
 *
 * @param name What they are, for the message.
 * @param json An array of arrays.
 * @param width Numbers in a row.
 * @returns A copy.
 * @throws TypeError if it is anything else.
 */
export function rowsOf(name: string, json: Json | undefined, width: number): number[][] {
  if (!isArray(json)) throw new TypeError(`${name} must be an array`);
  return json.map((row) => {
    if (isArray(row) && row.length === width) {
      const numbers = row.filter((value) => typeof value === 'number' && Number.isFinite(value));
      if (numbers.length === width) return numbers as number[];
    }
    throw new TypeError(`${name} must be rows of ${width} finite numbers`);
  });
}

/** The value at a key. @throws TypeError if it is in no object. */
export function memberOf(name: string, json: Json, key: string): Json | undefined {
  if (typeof json !== 'object' || json === null || isArray(json)) {
    throw new TypeError(`${name} must be an object`);
  }
  return json[key];
}

/** As `Array.isArray`, which does not tell read-only arrays from objects. */
function isArray(json: Json | undefined): json is readonly Json[] {
  return Array.isArray(json);
}
