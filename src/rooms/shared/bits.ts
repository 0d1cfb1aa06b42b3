/** Numbers of any number of bits in sequence, the lowest bit first. */
import { ByteReadError } from '../../shared/util/bytes.js';

/** Writes the numbers. */
export class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;
  /** Bits that do not fill a byte yet: the lowest `#waiting` ones, 0 to 7 of them between two calls. */
  #rest = 0;
  #waiting = 0;

  /** @param sizeHint Initial size in bytes; it grows as needed. */
  constructor(sizeHint = 256) {
    this.#bytes = new Uint8Array(Math.max(16, sizeHint));
  }

  /** Bits written since {@link begin}. */
  get length(): number {
    return this.#at * 8 + this.#waiting;
  }

  /** Forgets what was written, and keeps the memory. */
  begin(): void {
    this.#at = 0;
    this.#rest = 0;
    this.#waiting = 0;
  }

  /**
   * Writes the lowest bits of an integer.
   *
   * @param count 0 to 24.
   */
  bits(value: number, count: number): void {
    // At most 7 + 24 bits wait here, so that no bit falls out of the 32.
    this.#rest |= (value & ((1 << count) - 1)) << this.#waiting;
    this.#waiting += count;
    if (this.#at + 4 > this.#bytes.length) this.#grow();
    while (this.#waiting >= 8) {
      this.#bytes[this.#at++] = this.#rest;
      this.#rest >>>= 8;
      this.#waiting -= 8;
    }
  }

  /** Writes a 32-bit integer. */
  word(value: number): void {
    this.bits(value, 16);
    this.bits(value >>> 16, 16);
  }

  /**
   * Writes a number from 1 in 2·⌊log₂⌋ + 1 bits: as many ones as there are bits after its first, a zero, then those bits.
   * Source: Peter Elias, "Universal codeword sets and representations of the integers" (1975), the gamma code.
   *
   * @param value 1 to 2^24.
   */
  gamma(value: number): void {
    const bits = 31 - Math.clz32(value);
    this.bits((1 << bits) - 1, bits);
    this.bits(0, 1);
    this.bits(value, bits);
  }

  /** The bytes written, the last one filled with zeros: a view that is valid until the next call. */
  end(): Uint8Array<ArrayBuffer> {
    if (this.#waiting > 0) this.bits(0, 8 - this.#waiting);
    return this.#bytes.subarray(0, this.#at);
  }

  #grow(): void {
    const grown = new Uint8Array(2 * this.#bytes.length);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** A number written by `gamma` has at most this many bits after its first. */
const MAX_GAMMA_BITS = 24;

/** Reads what a `BitWriter` wrote. The bytes may be anything: it never reads beyond the end. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #rest = 0;
  #waiting = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * The next bits as an unsigned integer.
   *
   * @param count 0 to 24.
   * @throws ByteReadError if there are fewer.
   */
  bits(count: number): number {
    while (this.#waiting < count) {
      if (this.#at >= this.#bytes.length) {
        throw new ByteReadError('it ends in the middle of a value');
      }
      this.#rest |= (this.#bytes[this.#at++] ?? 0) << this.#waiting;
      this.#waiting += 8;
    }
    const value = this.#rest & ((1 << count) - 1);
    this.#rest >>>= count;
    this.#waiting -= count;
    return value;
  }

  /** A signed 32-bit integer. */
  word(): number {
    const low = this.bits(16);
    return low | (this.bits(16) << 16);
  }

  /** @throws ByteReadError if the bits are not a number written by `gamma`. */
  gamma(): number {
    let bits = 0;
    while (this.bits(1) === 1) {
      bits += 1;
      if (bits > MAX_GAMMA_BITS) throw new ByteReadError('a number in it is greater than 2^24');
    }
    return (1 << bits) | this.bits(bits);
  }
}

/** Ones that are followed by all 32 bits instead: numbers much larger than expected stay short enough. */
const ESCAPE_ONES = 20;

/**
 * Writes a small unsigned integer in few bits, by a Rice code: its lowest `parameter` bits as they are, and the rest as that
 * number of ones and a zero.
 *
 * Source: Robert F. Rice, "Some Practical Universal Noiseless Coding Techniques" (1979). The parameter is chosen from the
 * sizes of earlier numbers as in M. Weinberger, G. Seroussi, G. Sapiro, "The LOCO-I Lossless Image Compression Algorithm"
 * (2000).
 */
export function writeRice(writer: BitWriter, value: number, parameter: number): void {
  const ones = Math.floor(value / 2 ** parameter);
  if (ones >= ESCAPE_ONES) {
    writer.bits(-1, ESCAPE_ONES);
    writer.word(value);
    return;
  }
  // The ones end with a zero.
  writer.bits((1 << ones) - 1, ones + 1);
  writer.bits(value, parameter);
}

/** Bits that {@link writeRice} writes. */
export function riceLength(value: number, parameter: number): number {
  const ones = Math.floor(value / 2 ** parameter);
  return ones >= ESCAPE_ONES ? ESCAPE_ONES + 32 : ones + 1 + parameter;
}

/** @throws ByteReadError if there are too few bits. */
export function readRice(reader: BitReader, parameter: number): number {
  let ones = 0;
  while (reader.bits(1) === 1) {
    ones += 1;
    if (ones === ESCAPE_ONES) return reader.word() >>> 0;
  }
  return ones * 2 ** parameter + reader.bits(parameter);
}
