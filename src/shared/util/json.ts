/** Plain data: whether JSON can hold a value so that the other side gets the very same, and reading of what it held. */
import { LIMITS } from './limits.js';

/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * Properties that are undefined are left out, as JSON does.
 *
 * @param name What the value is, for the message.
 * @throws TypeError naming the place in the value, and what stands there that JSON would lose or change: a
 *   number that is not finite, a function, undefined in a list, a class's object, or a value within itself.
 * @throws RangeError if lists and objects are nested more than 200 deep.
 */
export function requireJson(name: string, value: unknown): Json {
  check(name, '', value, []);
  return value as Json;
}

function check(name: string, path: string, value: unknown, parents: object[]): void {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return;
    case 'number':
      if (!Number.isFinite(value)) throw refusal(name, path, String(value));
      return;
    case 'object':
      if (value !== null) checkObject(name, path, value, parents);
      return;
    default:
      throw refusal(name, path, typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`);
  }
}

function checkObject(name: string, path: string, value: object, parents: object[]): void {
  if (parents.includes(value)) throw refusal(name, path, 'a value that it is itself a part of');
  if (parents.length >= LIMITS.jsonDepth) {
    throw new RangeError(`${name} must not be nested more than ${LIMITS.jsonDepth} levels deep`);
  }
  parents.push(value);
  if (Array.isArray(value)) {
    // By index: a hole in the list is undefined here, where a walk over its entries would pass it by.
    for (let index = 0; index < value.length; index++) {
      check(name, `${path}[${index}]`, value[index], parents);
    }
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      throw refusal(name, path, `an object of the class ${classOf(value)}`);
    }
    for (const [key, property] of Object.entries(value)) {
      if (property !== undefined) check(name, `${path}.${key}`, property, parents);
    }
  }
  parents.pop();
}

function classOf(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name !== ''
    ? constructor.name
    : 'without a name';
}

function refusal(name: string, path: string, what: string): TypeError {
  const where = path === '' ? '' : `, at ${path.replace(/^\./, '')},`;
  return new TypeError(`${name}${where} must be a value that JSON can hold, but is ${what}`);
}

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
