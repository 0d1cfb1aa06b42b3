/**
 * Reads what a `ByteWriter` wrote, from bytes that may be anything: nothing is read beyond the end, and nothing is
 * allocated by a count before the bytes that it counts are known to be there.
 */
import { textOf } from './text.js';

/** The bytes do not say what was asked for. The message is a half sentence: what is wrong with them. */
export class ByteReadError extends Error {
  override readonly name = 'ByteReadError';
}

/** 53 bits are 8 groups of seven. */
const MAX_VARINT = 8;

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes that were not read yet. */
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

  /** A word of 32 bits, without sign. */
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

  /** A count of things to come, each of which takes at least so many bytes. */
  count(bytesEach: number, what: string): number {
    const count = this.varint();
    if (count * bytesEach > this.left) {
      throw new ByteReadError(`it announces ${count} ${what}, and has ${this.left} bytes left`);
    }
    return count;
  }

  /** Copy of bytes with their number before them. */
  countedBytes(): Uint8Array<ArrayBuffer> {
    const count = this.count(1, 'bytes');
    const at = this.#take(count);
    // Of its own memory, whatever kind of array the bytes came in: Node's `Buffer` would give a view.
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
