/**
 * The checksum of a message between a room and a client, as its last word.
 *
 * A connection without TLS protects messages by the 16 bits of TCP, and whatever lies between may change them. A position that was
 * changed looks like any other, and each packet relies on the one before, so a body would be drawn in a wrong place from then on.
 */
import { checksumOf } from '../../shared/recording/checksum.js';
import { ByteReader, ByteReadError, type ByteWriter } from '../../shared/util/bytes.js';

const CHECKSUM_BYTES = 4;

/** With zeros up to a whole word, and then the length: otherwise more zeros would not change it. */
function checksumOfBytes(bytes: Uint8Array): number {
  const words = new Int32Array(Math.ceil(bytes.length / 4) + 1);
  new Uint8Array(words.buffer).set(bytes);
  words[words.length - 1] = bytes.length;
  return checksumOf(words) >>> 0;
}

/** The bytes written, and their checksum. */
export function sealed(out: ByteWriter): Uint8Array<ArrayBuffer> {
  out.word(checksumOfBytes(out.toBytes()));
  return out.toBytes();
}

/** @returns A view of the bytes before the checksum. @throws ByteReadError if it is another one. */
export function unsealed(bytes: Uint8Array): Uint8Array {
  const end = Math.max(0, bytes.length - CHECKSUM_BYTES);
  const contents = bytes.subarray(0, end);
  if (new ByteReader(bytes.subarray(end)).word() === checksumOfBytes(contents)) return contents;
  throw new ByteReadError('it was damaged on its way: its checksum is another');
}
