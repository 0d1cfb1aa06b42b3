/**
 * Values in sequence as bytes, little endian, and text as strict UTF-8: malformed text is refused, not converted to
 * replacement characters.
 */

/** Pages, workers and Node have them, but the language's own type library declares none. */
declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}
declare class TextDecoder {
  constructor(encoding: 'utf-8', options: { fatal: boolean; ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

declare function btoa(text: string): string;
declare function atob(text: string): string;

const encoder = new TextEncoder();
/** With `ignoreBOM`, a byte order mark is a character like any other, so every text is preserved. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A text's bytes in UTF-8.
 *
 * @throws {TypeError} If the text contains an unpaired surrogate, which UTF-8 cannot represent.
 */
export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  if (!text.isWellFormed()) {
    throw new TypeError('the text has half of a surrogate pair in it, which UTF-8 cannot hold');
  }
  return encoder.encode(text);
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    // A copy: browsers refuse to decode shared memory, which another thread could change during the decoding.
    return decoder.decode(bytes.slice());
  } catch {
    return undefined;
  }
}

/** Bytes as text, in base64: for JSON. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  // One by one: an engine takes about a hundred thousand arguments in a call.
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** The counterpart of {@link base64Of}. */
export const bytesOfBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** All of them in sequence. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Writes values into memory that grows. */
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

/** The bytes are not what was expected. The message is a clause that says what is wrong with them. */
export class ByteReadError extends RangeError {
  override readonly name = 'ByteReadError';
}

/** Bytes of the longest varint: 53 bits are 8 groups of seven. */
const MAX_VARINT = 8;

/**
 * Reads what a {@link ByteWriter} wrote. The bytes may be anything: it never reads beyond the end, and checks a count
 * against the remaining bytes before it allocates memory.
 */
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

  /** A view of the next bytes. */
  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }

  /** A copy of bytes that are preceded by their count. */
  countedBytes(): Uint8Array<ArrayBuffer> {
    // Copied into new memory: `slice` of Node's `Buffer` would return a view.
    return new Uint8Array(this.bytes(this.count(1, 'bytes')));
  }

  /** The bytes that are left, as a view. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at, (this.#at = this.#bytes.length));
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
