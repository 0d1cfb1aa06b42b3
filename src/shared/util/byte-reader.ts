/**
 * Reads what a `ByteWriter` wrote. The bytes may be anything: it never reads beyond the end, and checks a count
 * against the remaining bytes before it allocates memory.
 */
import { textOf } from './text.js';

/** The bytes are not what was expected. The message is a clause that says what is wrong with them. */
export class ByteReadError extends Error {
  override readonly name = 'ByteReadError';
}

/** Bytes of the longest varint: 53 bits are 8 groups of seven. */
const MAX_VARINT = 8;

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.#view.getUint8(this.#take(1));
  }

  float32(): number {
    return this.#view.getFloat32(this.#take(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** An unsigned 32-bit word. */
  word(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  varint(): number {
    let value = 0;
    let weight = 1;
    for (let count = 0; count < MAX_VARINT; count++) {
      const byte = this.byte();
      value += (byte & 0x7f) * weight;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      weight *= 0x80;
    }
    throw new ByteReadError('a number in it is greater than 2^53 - 1');
  }

  signedVarint(): number {
    const value = this.varint();
    if (value > 0xffff_ffff) throw new ByteReadError(`${value} stands for no number of 32 bits`);
    return (value >>> 1) ^ -(value & 1);
  }

  /** The number of items that follow, each at least `bytesEach` bytes long. */
  count(bytesEach: number, what: string): number {
    const count = this.varint();
    if (count * bytesEach > this.left) {
      throw new ByteReadError(`it announces ${count} ${what}, and has ${this.left} bytes left`);
    }
    return count;
  }

  floats(): Float32Array<ArrayBuffer> {
    const values = new Float32Array(this.count(4, 'numbers'));
    for (let index = 0; index < values.length; index++) values[index] = this.float32();
    return values;
  }

  varints(): number[] {
    const count = this.count(1, 'numbers');
    return Array.from({ length: count }, () => this.varint());
  }

  /** A copy of bytes that are preceded by their count. */
  countedBytes(): Uint8Array<ArrayBuffer> {
    const count = this.count(1, 'bytes');
    const at = this.#take(count);
    // Copied into new memory: `slice` of Node's `Buffer` would return a view.
    return new Uint8Array(this.#bytes.subarray(at, at + count));
  }

  text(): string {
    const text = textOf(this.countedBytes());
    if (text === undefined) throw new ByteReadError('a text in it is not UTF-8');
    return text;
  }

  #take(count: number): number {
    if (count > this.left) throw new ByteReadError('it ends in the middle of a value');
    const at = this.#at;
    this.#at += count;
    return at;
  }
}
