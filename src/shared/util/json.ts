/** Plain data: checks that JSON preserves a value exactly, and reads parsed JSON. */
import * as LIMITS from './limits.js';

/** A value that JSON can represent. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * Checks that JSON preserves a value. Undefined properties are left out, as in JSON.
 *
 * @param name The value's name, for the message.
 * @param isAllowed Whether the caller writes an instance of a class in its own way. Default: of no class.
 * @throws TypeError naming the path and the value there that JSON would lose or change: a number that is not finite,
 *   a function, undefined in a list, an instance of a class, or a value that contains itself.
 * @throws RangeError if lists and objects are nested more than 200 deep.
 */
export function requireJson(name: string, value: unknown, isAllowed?: IsAllowed): Json {
  const parents: object[] = [];
  /** The key in each parent. A path is made of them only for a message: most values are valid. */
  const keys: (string | number)[] = [];

  const refuse = (what: string): never => {
    const path = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    const where = path === '' ? '' : `, at ${path.replace(/^\./, '')},`;
    throw new TypeError(`${name}${where} must be a value that JSON can hold, but is ${what}`);
  };

  const check = (checked: unknown): void => {
    if (checked === null || typeof checked === 'string' || typeof checked === 'boolean') return;
    if (typeof checked === 'number')
      return Number.isFinite(checked) ? undefined : refuse(`${checked}`);
    if (typeof checked !== 'object')
      return refuse(checked === undefined ? 'undefined' : `a ${typeof checked}`);
    if (isAllowed?.(checked) === true) return;
    if (parents.includes(checked)) refuse('a value that it is itself a part of');
    if (parents.length >= LIMITS.jsonDepth) {
      throw new RangeError(`${name} must not be nested more than ${LIMITS.jsonDepth} levels deep`);
    }
    parents.push(checked);
    if (Array.isArray(checked)) {
      // By index: a hole in the list is undefined here, but `forEach` would skip it.
      for (let index = 0; index < checked.length; index++) checkAt(index, checked[index]);
    } else {
      const prototype: unknown = Object.getPrototypeOf(checked);
      if (prototype !== Object.prototype && prototype !== null) {
        refuse(`an object of the class ${classOf(checked)}`);
      }
      for (const [key, property] of Object.entries(checked)) {
        if (property !== undefined) checkAt(key, property);
      }
    }
    parents.pop();
  };

  const checkAt = (key: string | number, checked: unknown): void => {
    keys.push(key);
    check(checked);
    keys.pop();
  };

  check(value);
  return value as Json;
}

/**
 * A copy of plain data as JSON keeps it: what a run is given, and what its recording has, are the same. JSON has no −0, which
 * is 0 then.
 *
 * @throws TypeError, RangeError as {@link requireJson} does.
 */
export const copyOfJson = (name: string, value: unknown): Json =>
  JSON.parse(JSON.stringify(requireJson(name, value))) as Json;

type IsAllowed = (value: object) => boolean;

function classOf(value: object): string {
  const { constructor } = value;
  return typeof constructor === 'function' && constructor.name !== ''
    ? constructor.name
    : 'without a name';
}

/**
 * Reads rows of numbers from a key of an object.
 *
 * @param name The object's name, for the message.
 * @param width Numbers per row.
 * @returns A copy.
 * @throws TypeError if there is anything else.
 */
export function rowsAt(name: string, json: Json, key: string, width: number): number[][] {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new TypeError(`${name} must be an object`);
  }
  const found: unknown = (json as { readonly [key: string]: Json })[key];
  if (!Array.isArray(found)) throw new TypeError(`${name}'s ${key} must be an array`);
  // `every` skips holes, which `Array.from` makes undefined.
  const isRow = (row: unknown): row is readonly number[] =>
    Array.isArray(row) && row.length === width && Array.from(row).every(Number.isFinite);
  const rows: readonly unknown[] = Array.from(found);
  if (!rows.every(isRow)) {
    throw new TypeError(`${name}'s ${key} must be rows of ${width} finite numbers`);
  }
  return rows.map((row) => row.slice());
}
