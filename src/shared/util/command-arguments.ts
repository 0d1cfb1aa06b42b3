/**
 * Arguments of commands on their way from the page to a tick, and in a recording.
 *
 *     move(7, { x: 1 })                  args  [7,{"x":1}]
 *     spawn('box', Float32Array)         args  ["box"]              data  the array
 *     paint({ map: Uint8Array }, 3)      args  [{"map":{"$array":"Uint8Array","data":"00ff"}},3]
 *
 * A typed array that is the last argument travels as its bytes. All other arguments are JSON, in which a typed array is
 * its bytes in hexadecimal digits.
 */
import { requireJson } from './json.js';

/** The arguments of a command. */
export interface CommandArguments {
  /** A JSON array. */
  readonly args: string;
  /** The argument after those in `args`, if it is a typed array. */
  readonly data?: TypedArray | undefined;
}

/** The arguments of a command without any, or with only a typed array. */
export const NO_ARGUMENTS = '[]';

/**
 * The arguments as they are sent. The array is the given one: {@link ownArguments} copies it.
 *
 * @param label What they are, for messages.
 * @throws TypeError, RangeError as {@link requireJson} does.
 */
export function packArguments(label: string, args: readonly unknown[]): CommandArguments {
  const last = args.at(-1);
  const data = isTypedArray(last) ? last : undefined;
  return { args: textOfArguments(label, data === undefined ? args : args.slice(0, -1)), data };
}

/** For arguments that are kept: the caller may change its array later. */
export const ownArguments = ({ args, data }: CommandArguments): CommandArguments => ({
  args,
  data: data && copyOf(data),
});

/**
 * The arguments as the command receives them: separate values, which it may change.
 *
 * @throws Error if the text is not what {@link packArguments} returns: it may come from a file.
 */
export function unpackArguments({ args, data }: CommandArguments): unknown[] {
  const values = argumentsOfText(args) as unknown[];
  return data === undefined ? values : [...values, copyOf(data)];
}

function textOfArguments(label: string, args: readonly unknown[]): string {
  if (args.length === 0) return NO_ARGUMENTS;
  let hasArrays = false;
  requireJson(label, args, (value) => {
    const isArray = isTypedArray(value);
    hasArrays ||= isArray;
    return isArray;
  });
  if (!hasArrays) {
    const text = JSON.stringify(args);
    // A replacer is several times slower.
    if (!text.includes('"$array"')) return text;
  }
  return JSON.stringify(args, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (isTypedArray(value)) return { $array: value[Symbol.toStringTag], data: hexOf(value) };
    if (!Object.hasOwn(value, '$array')) return value;
    throw new TypeError(
      `${label} must not contain an object with the key "$array", which is reserved`,
    );
  });
}

function argumentsOfText(text: string): unknown {
  // A reviver is several times slower, and typed arrays are rare.
  if (!text.includes('"$array"')) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$array' in value)) return value;
    const { $array: name, data } = value as { $array: unknown; data?: unknown };
    const kind = ARRAY_NAMES.indexOf(String(name));
    if (kind < 0 || typeof data !== 'string' || !/^(?:[0-9a-f]{2})*$/.test(data)) {
      throw new TypeError('an argument is marked as a typed array, but is none');
    }
    const bytes = Uint8Array.from(data.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    return arrayFrom(kind, bytes.buffer);
  });
}

const hexOf = (array: TypedArray): string =>
  Array.from(bytesOf(array), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A typed array that a command takes, other than those of 64-bit integers. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array;

/** In the order of the numbers that represent them in a queue and in a file: append only. */
const ARRAYS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
] as const;

/** Names of the arrays, by kind. */
export const ARRAY_NAMES: readonly string[] = ARRAYS.map(({ name }) => name);

/** The kind of an array, a number from 0; −1 for any other value. */
export const arrayKindOf = (value: unknown): number =>
  ArrayBuffer.isView(value) ? ARRAY_NAMES.indexOf((value as TypedArray)[Symbol.toStringTag]) : -1;

export const isTypedArray = (value: unknown): value is TypedArray => arrayKindOf(value) >= 0;

/**
 * An array with these bytes, which it takes over. They are in the order of this machine, which is little endian
 * wherever the library runs.
 *
 * @throws RangeError if the bytes are not whole elements; TypeError for an unknown kind.
 */
export const arrayFrom = (kind: number, bytes: ArrayBuffer): TypedArray =>
  new (ARRAYS[kind] as (typeof ARRAYS)[number])(bytes);

/** The bytes of an array, in its own memory. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A copy in separate memory. All kinds share this `slice`; `slice` of Node's `Buffer` returns a view instead. */
export const copyOf = (array: TypedArray): TypedArray =>
  (Int8Array.prototype.slice as (this: TypedArray) => TypedArray).call(array);
