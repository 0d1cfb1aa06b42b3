/** Writes values in sequence into memory that grows. Little endian; the counterpart of `ByteReader`. */
import { utf8Of } from './text.js';

export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  #length = 0;

  /** @param sizeHint Initial size in bytes; it grows as needed. */
  constructor(sizeHint = 1024) {
    this.#bytes = new Uint8Array(sizeHint);
    this.#view = new DataView(this.#bytes.buffer);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** A copy of the bytes written. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  /** Returns the bytes written so far, and begins again. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = this.toBytes();
    this.clear();
    return bytes;
  }

  /** The bytes with zeros up to a whole word, until something else is written: not a copy. */
  toWords(): Int32Array {
    while (this.#length % 4 !== 0) this.byte(0);
    return new Int32Array(this.#bytes.buffer, 0, this.#length / 4);
  }

  /** Begins again, in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  byte(value: number): void {
    const at = this.#take(1);
    this.#bytes[at] = value;
  }

  float32(value: number): void {
    const at = this.#take(4);
    this.#view.setFloat32(at, value, true);
  }

  float64(value: number): void {
    const at = this.#take(8);
    this.#view.setFloat64(at, value, true);
  }

  /** A 32-bit word. */
  word(value: number): void {
    const at = this.#take(4);
    this.#view.setUint32(at, value, true);
  }

  /** Another value for a word that was written. @param at Bytes before it. */
  setWord(at: number, value: number): void {
    this.#view.setUint32(at, value, true);
  }

  /** The count of the numbers as a varint, then each with 32 bits. */
  floats(values: ArrayLike<number>): void {
    this.varint(values.length);
    for (let index = 0; index < values.length; index++) this.float32(values[index] as number);
  }

  /** The count of the numbers as a varint, then each as one. */
  varints(values: ArrayLike<number>): void {
    this.varint(values.length);
    for (let index = 0; index < values.length; index++) this.varint(values[index] as number);
  }

  /**
   * A whole number from 0 to 2^53 − 1 in as few bytes as possible: seven bits per byte, the lowest first, with the
   * top bit set in all but the last (LEB128, as in DWARF and WebAssembly).
   *
   * @throws {RangeError} If it is another number.
   */
  varint(value: number): void {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new RangeError(`${value} is not a whole number from 0 to 2^53 - 1`);
    }
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    this.byte(rest);
  }

  /** A signed 32-bit integer as a varint that is short for small values of either sign. */
  signedVarint(value: number): void {
    this.varint(((value << 1) ^ (value >> 31)) >>> 0);
  }

  bytes(bytes: Uint8Array): void {
    const at = this.#take(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /** The number of bytes as a varint, then the bytes. */
  countedBytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  /** The number of bytes as a varint, then the text in UTF-8. */
  text(text: string): void {
    this.countedBytes(utf8Of(text));
  }

  /** Makes room and returns its offset. Call this before using the memory, which it may replace. */
  #take(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return at;
  }
}
