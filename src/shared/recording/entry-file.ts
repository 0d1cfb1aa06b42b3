/**
 * A recording's file from entries that are already encoded, in pieces: for a run that is recorded by a server, which
 * must not hold hours of entries in memory, nor hash them at once.
 */
import { ByteWriter } from '../util/byte-writer.js';
import { wordsOf } from './digest-words.js';
import { HEADER_BYTES, headerWords } from './recording-envelope.js';
import type { RunDescription } from './recording.js';
import { StateHash } from './state-hash.js';

export interface EncodedEntries {
  readonly run: RunDescription;
  /** Indices in the entries stand for these. */
  readonly commands: readonly string[];
  readonly lastTick: number;
  readonly isComplete: boolean;
  /** Number of entries. */
  readonly count: number;
  /** Bytes of all entries, which one `EntryWriter` has written. */
  readonly byteLength: number;
}

/** Neither states nor assets follow the entries. */
const AFTER = Uint8Array.of(0, 0);

/**
 * The bytes of the file in their order, but for its first: `first` is what they are when all others were read.
 *
 * @param pieces Of the entries, in order; any lengths.
 */
export class EntryFile {
  readonly #words: readonly number[];
  readonly #hash = new StateHash();
  readonly #contentsLength: number;
  readonly #header: Uint8Array;
  /** Bytes that fill no word yet. */
  #rest: Uint8Array = new Uint8Array(0);

  /** Where in the file `first` belongs, and where the other bytes begin. */
  static readonly restAt = HEADER_BYTES;

  /** @throws RangeError if the file would be longer than 4 GiB. */
  constructor({ run, commands, lastTick, isComplete, count, byteLength }: EncodedEntries) {
    const header = new ByteWriter();
    header.text(JSON.stringify({ ...run, lastTick, commands, ...(!isComplete && { isComplete }) }));
    // No state to start from.
    header.varint(0);
    header.varint(count);
    this.#header = header.toBytes();
    this.#contentsLength = this.#header.length + byteLength + AFTER.length;
    this.#words = headerWords('recording', this.#contentsLength);
    for (const word of this.#words) this.#hash.addWord(word);
  }

  /** What comes before the entries. */
  begin(): Uint8Array {
    return this.#hashed(this.#header);
  }

  /** The next part of the entries. */
  add(piece: Uint8Array): Uint8Array {
    return this.#hashed(piece);
  }

  /** What comes after the entries. */
  end(): Uint8Array {
    return this.#hashed(AFTER);
  }

  /** The beginning of the file, at the end. */
  first(): Uint8Array<ArrayBuffer> {
    const hash = this.#hash;
    if (this.#rest.length > 0) hash.addWords(wordsIn(padded(this.#rest)), 0, 1);
    hash.addWord(this.#contentsLength);
    const out = new ByteWriter(HEADER_BYTES);
    for (const word of [...this.#words, ...wordsOf(hash.digest())]) out.word(word);
    return out.toBytes();
  }

  #hashed(piece: Uint8Array): Uint8Array {
    const joined = new Uint8Array(this.#rest.length + piece.length);
    joined.set(this.#rest);
    joined.set(piece, this.#rest.length);
    const wholeWords = joined.length >>> 2;
    this.#hash.addWords(wordsIn(joined.subarray(0, 4 * wholeWords)), 0, wholeWords);
    this.#rest = joined.slice(4 * wholeWords);
    return piece;
  }
}

const wordsIn = (bytes: Uint8Array): Int32Array =>
  new Int32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length >>> 2);

function padded(bytes: Uint8Array): Uint8Array {
  const word = new Uint8Array(4);
  word.set(bytes);
  return word;
}
