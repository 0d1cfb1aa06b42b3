/**
 * Packs what a part of a simulation saves into one array of bytes: byte strings in sequence, with a kind and a
 * checksum. Code that restores it can then rely on the content: an engine that reads damaged bytes may continue with
 * them, or crash the whole WebAssembly module. Words of 32 bits, little endian, as on all machines:
 *
 *     0      the kind's four letters
 *     1, 2   checksum: the state hash of all words after it
 *     3      total length in bytes
 *     4      number of parts
 *     5..    length of each part in bytes
 *     …      the parts, each padded with zeros to whole words
 */
import { wordsOfDigest, StateHash } from './state-hash.js';

const CHECKSUM = 1;
const LENGTH = 3;
const COUNT = 4;
const LENGTHS = 5;

/** @param kind Four letters of ASCII that identify the format. */
export function packParts(
  kind: string,
  parts: readonly ArrayBufferView[],
): Uint8Array<ArrayBuffer> {
  const lengths = parts.map((part) => part.byteLength);
  const wordCount = lengths.reduce((sum, length) => sum + wordsFor(length), LENGTHS + parts.length);
  const words = new Int32Array(wordCount);
  const bytes = new Uint8Array(words.buffer);
  words[0] = kindWord(kind);
  words[LENGTH] = bytes.length;
  words[COUNT] = parts.length;
  words.set(lengths, LENGTHS);
  let at = (LENGTHS + parts.length) * 4;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += wordsFor(byteLength) * 4;
  }
  words.set(checksum(words), CHECKSUM);
  return bytes;
}

/**
 * Returns the packed parts, as views of the bytes or of a copy.
 *
 * @param count Expected number of parts.
 * @param what What the bytes should be, for the message.
 * @throws RangeError if the bytes are of another kind, truncated or damaged.
 */
export function unpackParts(
  kind: string,
  count: number,
  bytes: Uint8Array,
  what: string,
): Uint8Array[] {
  // Words must be aligned in memory.
  const own = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const words = wordsOf(own);
  if (words[0] !== kindWord(kind)) throw new RangeError(`these bytes are not ${what}`);
  if (words[LENGTH] !== own.length) {
    throw new RangeError(
      `the bytes of ${what} are cut off or too many: there are ${own.length}, and there should be ` +
        `${words[LENGTH]}`,
    );
  }
  const [first, second] = checksum(words);
  if (words[CHECKSUM] !== first || words[CHECKSUM + 1] !== second) {
    throw new RangeError(`the bytes of ${what} are damaged: their checksum is another`);
  }
  if (words[COUNT] !== count) {
    throw new RangeError(`${what} has ${count} parts, and these bytes have ${words[COUNT]}`);
  }
  let at = (LENGTHS + count) * 4;
  return Array.from(words.subarray(LENGTHS, LENGTHS + count), (length) => {
    const part = own.subarray(at, at + length);
    at += wordsFor(length) * 4;
    return part;
  });
}

/** The words of an unpacked part, which is aligned to whole words. */
export const wordsOf = (bytes: Uint8Array): Int32Array =>
  new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);

const wordsFor = (byteLength: number): number => (byteLength + 3) >>> 2;

function kindWord(kind: string): number {
  return [...kind].reduce((word, letter, at) => word | (letter.charCodeAt(0) << (8 * at)), 0);
}

function checksum(words: Int32Array): readonly [number, number] {
  const hash = new StateHash();
  hash.addWords(words, Math.min(LENGTH, words.length), words.length);
  const [first, second] = wordsOfDigest(hash.digest());
  return [first | 0, second | 0];
}
