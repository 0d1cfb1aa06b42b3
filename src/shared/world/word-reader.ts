/** A checked sequence of 32-bit words, as {@link WordWriter} has written it. */
import { textOf } from '../util/text.js';
import type { GeometryNames } from './geometry-names.js';

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
