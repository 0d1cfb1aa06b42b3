/** Writes numbers of any number of bits in sequence, the lowest bit first. The counterpart of `BitReader`. */
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
