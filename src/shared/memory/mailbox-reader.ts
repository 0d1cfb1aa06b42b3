/** The reader's end of a mailbox, and its initial state. See mailbox.ts for the protocol. */
import { FRESH, INDEX_MASK } from './mailbox.js';

const MIDDLE_START = 1;
const READER_START = 2;

/** Sets the word to its initial state. The creator of the memory must do this before either side starts. */
export function initializeMailbox(words: Int32Array, index: number): void {
  Atomics.store(words, index, MIDDLE_START);
}

/** The reading end. `slot` is the index of the slot that the caller may read. */
export class MailboxReader {
  readonly #words: Int32Array;
  readonly #index: number;
  /** The slot that the reader owns. Its content does not change until the next {@link fetch}. */
  slot = READER_START;
  /** Whether a word was seen that no writer leaves there: I1 no longer holds. The slot read so far is kept. */
  isBroken = false;

  constructor(words: Int32Array, index: number) {
    this.#words = words;
    this.#index = index;
  }

  /** Takes the newest message if there is one. Returns whether `slot` changed. */
  fetch(): boolean {
    // I4: only this side clears fresh, so what this load sees set stays set until the exchange below.
    // A stale load costs one frame of delay and nothing else.
    if ((Atomics.load(this.#words, this.#index) & FRESH) === 0) return false;
    // I1: gives back the slot read so far and takes the fresh one. If the writer has published a newer one between
    // the load and the exchange, this takes that one.
    const before = Atomics.exchange(this.#words, this.#index, this.slot);
    const slot = before & INDEX_MASK;
    if (before >>> 0 > (FRESH | INDEX_MASK) || slot === INDEX_MASK || slot === this.slot) {
      this.isBroken = true;
      return false;
    }
    this.slot = slot;
    return true;
  }
}
