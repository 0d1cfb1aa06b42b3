/** The typed arrays that commands take. */

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

/** Their names, by kind. */
export const ARRAY_NAMES: readonly string[] = ARRAYS.map(({ name }) => name);

/** The kind of an array, a number from 0; −1 for any other value. */
export const arrayKindOf = (value: unknown): number =>
  ArrayBuffer.isView(value) ? ARRAY_NAMES.indexOf((value as TypedArray)[Symbol.toStringTag]) : -1;

export const isTypedArray = (value: unknown): value is TypedArray => arrayKindOf(value) >= 0;

/**
 * An array with these bytes, which it takes over. They are in the order of this machine, which is little endian
 * wherever the library runs.
 *
 * @throws RangeError if they are not whole elements; TypeError if there is no such kind.
 */
export const arrayFrom = (kind: number, bytes: ArrayBuffer): TypedArray =>
  new (ARRAYS[kind] as (typeof ARRAYS)[number])(bytes);

/** The bytes of an array, in its own memory. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A copy in separate memory. All kinds have the same `slice`; that of Node's `Buffer` instead returns a view. */
export const copyOf = (array: TypedArray): TypedArray =>
  (Int8Array.prototype.slice as (this: TypedArray) => TypedArray).call(array);
