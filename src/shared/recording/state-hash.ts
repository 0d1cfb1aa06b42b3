/**
 * A 64-bit hash over 32-bit words: shows whether two states are bit-identical. It does not protect against someone
 * who makes two states look alike on purpose.
 *
 * Two streams process the same words, each with its own multipliers, rotations and addend:
 *
 *     stream 1   MurmurHash3 x86_32
 *     stream 2   the same steps with the numbers of the third lane of MurmurHash3 x86_128
 *
 * both by Austin Appleby (public domain; MurmurHash3.cpp in SMHasher). A change of a single word always changes both
 * halves of the digest. With the same multipliers, states that collide in one half would often do so in the other.
 */

/** NaN as a 32-bit and as a 64-bit number: it has many bit patterns, and engines may produce any of them. */
const NAN_BITS = 0x7fc00000;
const NAN_HIGH_BITS = 0x7ff80000;

/** For reading a number's bits. Shared by all hashes: it holds nothing between two calls. */
const scratch = new DataView(new ArrayBuffer(8));

const FIRST = 0;
const SECOND = 1;
const WORD_COUNT = 2;

/** A hash of a simulation's state, to find out whether two runs are identical: 64 bits, not for cryptography. */
export class StateHash {
  readonly #seed: number;
  /** The two streams and the word count. A typed array, because engines may box a 32-bit field on every write. */
  readonly #state = new Int32Array(3);

  /** @param seed Any number; its lower 32 bits are used. Hashes with different seeds cannot be compared. */
  constructor(seed = 0) {
    this.#seed = seed | 0;
    this.reset();
  }

  /** Discards what was added. */
  reset(): void {
    this.#state[FIRST] = this.#seed;
    this.#state[SECOND] = this.#seed;
    this.#state[WORD_COUNT] = 0;
  }

  /** @param word A whole number; its lower 32 bits are used. */
  addWord(word: number): void {
    const state = this.#state;
    state[FIRST] = mixFirst(state[FIRST] ?? 0, word);
    state[SECOND] = mixSecond(state[SECOND] ?? 0, word);
    state[WORD_COUNT] = (state[WORD_COUNT] ?? 0) + 1;
  }

  /** Adds a number rounded to 32 bits. 0 and −0 differ; all NaNs are equal. */
  addFloat(value: number): void {
    scratch.setFloat32(0, value, true);
    this.addWord(Number.isNaN(value) ? NAN_BITS : scratch.getInt32(0, true));
  }

  /** Adds all 64 bits of a number, the lower 32 first. 0 and −0 differ; all NaNs are equal. */
  addNumber(value: number): void {
    scratch.setFloat64(0, value, true);
    const isNaN = Number.isNaN(value);
    this.addWord(isNaN ? 0 : scratch.getInt32(0, true));
    this.addWord(isNaN ? NAN_HIGH_BITS : scratch.getInt32(4, true));
  }

  /**
   * Adds `words[from]` to `words[to - 1]`, like `addWord` but faster.
   *
   * @throws RangeError if they are not all in the array.
   */
  addWords(words: Int32Array, from: number, to: number): void {
    if (!(from >= 0 && from <= to && to <= words.length)) {
      throw new RangeError(`words ${from} to ${to} do not lie in an array of ${words.length}`);
    }
    const state = this.#state;
    let first = state[FIRST] ?? 0;
    let second = state[SECOND] ?? 0;
    for (let i = from; i < to; i++) {
      const word = words[i] ?? 0;
      first = mixFirst(first, word);
      second = mixSecond(second, word);
    }
    state[FIRST] = first;
    state[SECOND] = second;
    state[WORD_COUNT] = (state[WORD_COUNT] ?? 0) + to - from;
  }

  /** Adds bytes as words, the lowest byte first, with the last word padded with zeros, and then their number. */
  addBytes(bytes: Uint8Array): void {
    const wholeWords = bytes.length >>> 2;
    // Words of an array must be aligned. In the byte order of this machine, which is little endian wherever the library
    // runs.
    const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
    this.addWords(new Int32Array(buffer, byteOffset, wholeWords), 0, wholeWords);
    let rest = 0;
    for (let at = 4 * wholeWords; at < bytes.length; at++) {
      rest |= (bytes[at] ?? 0) << (8 * (at & 3));
    }
    if (bytes.length % 4 > 0) this.addWord(rest);
    this.addWord(bytes.length);
  }

  /** The hash of what was added since the last reset, 16 hexadecimal digits. More can be added afterwards. */
  digest(): string {
    // MurmurHash3 counts bytes.
    const [first = 0, second = 0, words = 0] = this.#state;
    const length = Math.imul(words, 4);
    return digestOf(finish(first ^ length), finish(second ^ length));
  }
}

/** The digest of two words, as they are stored in a file or a queue. */
export function digestOf(first: number, second: number): string {
  return hex(first) + hex(second);
}

/**
 * The two unsigned words of a digest: the inverse of {@link digestOf}.
 *
 * @throws {RangeError} If it is not 16 hexadecimal digits, with letters in lower case.
 */
export function wordsOfDigest(digest: string): readonly [first: number, second: number] {
  if (!/^[0-9a-f]{16}$/.test(digest)) {
    throw new RangeError(`a state hash has 16 hexadecimal digits, and this is "${digest}"`);
  }
  return [Number.parseInt(digest.slice(0, 8), 16), Number.parseInt(digest.slice(8), 16)];
}

/** Mixes a word into stream 1: the body of MurmurHash3_x86_32. */
function mixFirst(hash: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  k = Math.imul(k, 0x1b873593);
  const h = hash ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** Mixes a word into stream 2: with the numbers of the third lane of MurmurHash3_x86_128. */
function mixSecond(hash: number, word: number): number {
  let k = Math.imul(word, 0x38b34ae5);
  k = (k << 17) | (k >>> 15);
  k = Math.imul(k, 0xa1e38b93);
  const h = hash ^ k;
  return (Math.imul((h << 15) | (h >>> 17), 5) + 0x96cd1c35) | 0;
}

/** `fmix32` of MurmurHash3: makes every bit of the hash depend on every other. */
function finish(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
