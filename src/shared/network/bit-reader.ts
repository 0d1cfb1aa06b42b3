/** Reads what a `BitWriter` wrote. The bytes may be anything: it never reads beyond the end. */
import { ByteReadError } from '../util/byte-reader.js';

/** A number written by `gamma` has at most this many bits after its first. */
const MAX_GAMMA_BITS = 24;

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

  /** @throws ByteReadError if there is no such number. */
  gamma(): number {
    let bits = 0;
    while (this.bits(1) === 1) {
      bits += 1;
      if (bits > MAX_GAMMA_BITS) throw new ByteReadError('a number in it is greater than 2^24');
    }
    return (1 << bits) | this.bits(bits);
  }
}
