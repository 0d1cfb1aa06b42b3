/**
 * Byte strings in one: four letters that say what they are, their lengths, then all of them. Without a checksum: what they
 * are a part of, the saved state of a run, has one.
 */
import { ByteReader, ByteWriter, joined } from '../shared/util/bytes.js';

const KIND_LENGTH = 4;

/** @param kind Four letters of ASCII. */
export function packParts(kind: string, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = new ByteWriter(64);
  for (const letter of kind) head.byte(letter.charCodeAt(0));
  head.varints(parts.map(({ length }) => length));
  return joined([head.toBytes(), ...parts]);
}

/**
 * Returns the packed parts, as views of the bytes.
 *
 * @param count Expected number of parts.
 * @param what What the bytes should be, for the message.
 * @throws RangeError if they are something else.
 */
export function unpackParts(
  kind: string,
  count: number,
  bytes: Uint8Array,
  what: string,
): Uint8Array[] {
  if (String.fromCharCode(...bytes.subarray(0, KIND_LENGTH)) !== kind) {
    throw new RangeError(`these bytes are not ${what}`);
  }
  const reader = new ByteReader(bytes.subarray(KIND_LENGTH));
  const lengths = reader.varints();
  if (lengths.length !== count) {
    throw new RangeError(`${what} has ${count} parts, and these bytes have ${lengths.length}`);
  }
  const parts = lengths.map((length) => reader.bytes(length));
  if (reader.left > 0) throw new RangeError(`${reader.left} bytes follow ${what}`);
  return parts;
}
