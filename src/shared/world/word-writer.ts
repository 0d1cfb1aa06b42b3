/** A growing sequence of 32-bit words: whole numbers, text, and floats as an engine in WebAssembly has them. */
import { utf8Of } from '../util/text.js';
import type { NameGeometry } from './shape-data.js';

const FIRST_LENGTH = 64;
/** A longer array is not used again: 1 MiB. */
const MAX_KEPT_LENGTH = 2 ** 18;

/** Collects words. */
export class WordWriter {
  #words = new Uint32Array(FIRST_LENGTH);
  #floats = new Float32Array(this.#words.buffer);
  #length = 0;
  /** Names the geometry of shapes. */
  nameGeometry: NameGeometry | undefined;

  constructor(nameGeometry?: NameGeometry) {
    this.nameGeometry = nameGeometry;
  }

  /** Begins another sequence, in the memory of the last one. */
  begin(nameGeometry: NameGeometry | undefined): void {
    this.nameGeometry = nameGeometry;
    this.#length = 0;
    if (this.#words.length > MAX_KEPT_LENGTH) this.#use(new Uint32Array(FIRST_LENGTH));
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

  /** What was written, in a separate array. A writer that is kept for later keeps nothing of a world alive. */
  take(): Uint32Array<ArrayBuffer> {
    this.nameGeometry = undefined;
    return this.#words.slice(0, this.#length);
  }

  #grow(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#words.length) return;
    const words = new Uint32Array(Math.max(needed, 2 * this.#words.length));
    words.set(this.#words);
    this.#use(words);
  }

  #use(words: Uint32Array<ArrayBuffer>): void {
    this.#words = words;
    this.#floats = new Float32Array(words.buffer);
  }
}

/** For bytes. */
export const wordsFor = (bytes: number): number => Math.ceil(bytes / 4);
