/** Growing and checked sequences of 32-bit words: whole numbers, text, and floats as an engine in WebAssembly has them. */
import { textOf, utf8Of } from '../util/text.js';
import type { GeometryNames } from './geometry-names.js';
import type { NameGeometry } from './shape-data.js';

const FIRST_LENGTH = 64;

/** Collects words. */
export class WordWriter {
  #words = new Uint32Array(FIRST_LENGTH);
  #floats = new Float32Array(this.#words.buffer);
  #length = 0;
  /** Names the geometry of shapes. */
  readonly nameGeometry: NameGeometry | undefined;

  constructor(nameGeometry?: NameGeometry) {
    this.nameGeometry = nameGeometry;
  }

  /** A whole number, signed or not. */
  integer(value: number): void {
    this.#grow(1);
    this.#words[this.#length++] = value;
  }

  float(value: number): void {
    this.#grow(1);
    this.#floats[this.#length++] = value;
  }

  /** The array's length, and its numbers. */
  floats(values: ArrayLike<number>): void {
    this.integer(values.length);
    this.#grow(values.length);
    this.#floats.set(values, this.#length);
    this.#length += values.length;
  }

  /** The array's length, and its numbers. */
  integers(values: ArrayLike<number>): void {
    this.integer(values.length);
    this.#grow(values.length);
    this.#words.set(values, this.#length);
    this.#length += values.length;
  }

  /** The number of bytes, and the text as UTF-8. */
  text(value: string): void {
    const bytes = utf8Of(value);
    const count = wordsFor(bytes.length);
    this.integer(bytes.length);
    this.#grow(count);
    new Uint8Array(this.#words.buffer, 4 * this.#length).set(bytes);
    this.#length += count;
  }

  /** What was written, in a separate array. */
  take(): Uint32Array<ArrayBuffer> {
    return this.#words.slice(0, this.#length);
  }

  #grow(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#words.length) return;
    const words = new Uint32Array(Math.max(needed, 2 * this.#words.length));
    words.set(this.#words);
    this.#words = words;
    this.#floats = new Float32Array(words.buffer);
  }
}

/** Reads words. They may come from a file: every method throws RangeError at their end. */
export class WordReader {
  readonly #words: Uint32Array;
  readonly #floats: Float32Array;
  #at = 0;
  /** For the geometry of shapes that is an asset. */
  readonly geometry: GeometryNames | undefined;

  constructor(words: Uint32Array, geometry?: GeometryNames) {
    this.geometry = geometry;
    // Words of a copy are aligned, whatever they are a view of.
    this.#words = words.slice();
    this.#floats = new Float32Array(this.#words.buffer);
  }

  get isAtEnd(): boolean {
    return this.#at === this.#words.length;
  }

  /** Without reading it; undefined at the end. */
  get next(): number | undefined {
    return this.#words[this.#at];
  }

  /** Unsigned. */
  integer(): number {
    return this.#words[this.#advance(1)] as number;
  }

  float(): number {
    return this.#floats[this.#advance(1)] as number;
  }

  floats(): Float32Array<ArrayBuffer> {
    const length = this.integer();
    const start = this.#advance(length);
    return this.#floats.slice(start, start + length) as Float32Array<ArrayBuffer>;
  }

  integers(): Uint32Array<ArrayBuffer> {
    const length = this.integer();
    const start = this.#advance(length);
    return this.#words.slice(start, start + length) as Uint32Array<ArrayBuffer>;
  }

  text(): string {
    const length = this.integer();
    const start = this.#advance(wordsFor(length));
    const text = textOf(new Uint8Array(this.#words.buffer, 4 * start, length));
    if (text === undefined) {
      throw new RangeError('a batch of changes to a world has text that is damaged');
    }
    return text;
  }

  #advance(count: number): number {
    const start = this.#at;
    if (count > this.#words.length - start) {
      throw new RangeError('a batch of changes to a world is cut off');
    }
    this.#at += count;
    return start;
  }
}

const wordsFor = (bytes: number): number => Math.ceil(bytes / 4);
