/**
 * Arguments of commands as text: JSON, in which a typed array is `{"$array":"Float32Array","data":"…"}` with its bytes in
 * hexadecimal digits, in the order of this machine, which is little-endian wherever the library runs.
 */
import { requireJson } from './json.js';

const ARRAYS = {
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
} as const;
type Kind = keyof typeof ARRAYS;
type TypedArray = InstanceType<(typeof ARRAYS)[Kind]>;

const isTypedArray = (value: object): value is TypedArray =>
  Object.values(ARRAYS).some((array) => value instanceof array);

/** @param label What they are, for messages. @throws TypeError, RangeError as {@link requireJson} does. */
export function textOfArguments(label: string, args: readonly unknown[]): string {
  requireJson(label, args, isTypedArray);
  return JSON.stringify(args, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if (isTypedArray(value)) return { $array: value[Symbol.toStringTag], data: hexOf(value) };
    if (!Object.hasOwn(value, '$array')) return value;
    throw new TypeError(
      `${label} must not contain an object with the key "$array", which is reserved`,
    );
  });
}

/** @throws Error if the text is not what {@link textOfArguments} returns: it may come from a file. */
export function argumentsOfText(text: string): unknown {
  // A reviver is several times slower, and typed arrays are rare.
  if (!text.includes('"$array"')) return JSON.parse(text);
  return JSON.parse(text, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$array' in value)) return value;
    const { $array: kind, data } = value as { $array: unknown; data?: unknown };
    const isData = typeof data === 'string' && /^(?:[0-9a-f]{2})*$/.test(data);
    if (typeof kind !== 'string' || !Object.hasOwn(ARRAYS, kind) || !isData) {
      throw new TypeError('an argument is marked as a typed array, but is none');
    }
    const bytes = Uint8Array.from(data.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
    return new ARRAYS[kind as Kind](bytes.buffer);
  });
}

function hexOf({ buffer, byteOffset, byteLength }: TypedArray): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
