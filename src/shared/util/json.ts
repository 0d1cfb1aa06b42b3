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
  check({ name, isAllowed, parents: [], keys: [] }, value);
  return value as Json;
}

type IsAllowed = (value: object) => boolean;

/** Where a check is: paths are written only for messages, because most values are valid and many are long. */
interface Place {
  readonly name: string;
  readonly isAllowed: IsAllowed | undefined;
  /** From the outermost to the one that is checked. */
  readonly parents: object[];
  /** Of each parent's value that is checked. */
  readonly keys: (string | number)[];
}

function check(place: Place, value: unknown): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) refuse(place, `${value}`);
    return;
  }
  if (typeof value !== 'object') {
    refuse(place, value === undefined ? 'undefined' : `a ${typeof value}`);
    return;
  }
  const { name, isAllowed, parents, keys } = place;
  if (isAllowed?.(value) === true) return;
  if (parents.includes(value)) refuse(place, 'a value that it is itself a part of');
  if (parents.length >= LIMITS.jsonDepth) {
    throw new RangeError(`${name} must not be nested more than ${LIMITS.jsonDepth} levels deep`);
  }
  const depth = parents.push(value) - 1;
  if (Array.isArray(value)) {
    // By index: a hole in the list is undefined here, but `forEach` would skip it.
    for (let index = 0; index < value.length; index++) {
      keys[depth] = index;
      check(place, value[index]);
    }
  } else {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      keys.length = depth;
      refuse(place, `an object of the class ${classOf(value)}`);
    }
    for (const key of Object.keys(value)) {
      const property = (value as { readonly [key: string]: unknown })[key];
      if (property === undefined) continue;
      keys[depth] = key;
      check(place, property);
    }
  }
  keys.length = depth;
  parents.pop();
}

/** @throws TypeError always. */
function refuse({ name, keys }: Place, what: string): never {
  const path = keys.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const where = path === '' ? '' : `, at ${path.replace(/^\./, '')},`;
  throw new TypeError(`${name}${where} must be a value that JSON can hold, but is ${what}`);
}

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
