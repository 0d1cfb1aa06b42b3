/**
 * A mailbox: the newest message from one writer to one reader, through shared memory, without locks.
 *
 * It is not a queue. A message that the reader did not fetch in time is replaced by the next one, and
 * publish reports this to the writer. Neither side ever waits, retries or spins.
 *
 * ROLES. One {@link MailboxWriter} and one {@link MailboxReader}, each fixed for life, each in its own thread. Three slots of memory; this file hands out their indices and never touches their content.
 *
 * THE WORD. One Int32, changed only by `Atomics.exchange`:
 *
 *     bit 0..1   index of the middle slot, 0 to 2
 *     bit 2      fresh: the middle slot was filled by the writer and not fetched yet
 *
 * STATES, by the owners of the slots (W the writer, M the middle, R the reader):
 *
 *     event            before            after
 *     start                              W=0  M=1 stale  R=2
 *     publish          W=a  M=b  R=c     W=b  M=a fresh  R=c     returns whether b was fresh (lost)
 *     fetch, M fresh   W=a  M=b  R=c     W=a  M=c stale  R=b     returns true
 *     fetch, M stale   nothing changes                           returns false
 *
 * INVARIANTS
 *   I1  The slots of writer, middle and reader are a permutation of 0, 1, 2.
 *   I2  A slot's content is complete before the exchange that puts it into the middle.
 *   I3  Only the owner touches a slot's content. Neither side touches the content of the middle slot, except
 *       that the writer may still READ the slot that it published last: no one writes to that slot
 *       before it comes back to the writer itself.
 *   I4  fresh is set only by the writer, and cleared only by the reader.
 *
 * WHY IT IS FREE OF DATA RACES. Ownership moves by an exchange on one word. Atomics operations are
 * sequentially consistent, so the writer's plain stores happen before its exchange (I2), that exchange
 * synchronises with the reader's exchange that takes the slot, and the reader's plain loads happen after.
 * The way back (the reader's slot to the writer) uses the same word in the same way. No plain
 * access of one side is ever concurrent with one of the other to the same slot, so tearing and
 * reordering of plain accesses, which JavaScript's memory model allows, cannot be seen. A sequence lock
 * with a plain payload would not have this property: its reader does read data while it is being written.
 *
 * PROGRESS. Publish and fetch are wait-free: one exchange each.
 * STALENESS. The reader sees the newest slot published before its fetch; it can only miss older ones.
 *
 *     writer   fill 0 ─ publish ─ fill 1 ─ publish ─ fill 0 ─ publish ─
 *     middle      1        0        0         1         1        0
 *     reader   ──────── 2 ───────── 2 ── fetch: reads 1 ───────────────
 *
 * Source of the scheme: the triple buffer of graphics hardware; its lock-free form with one exchanged
 * word is described in the documentation of the Rust crate `triple_buffer`.
 */

const INDEX_MASK = 0b011;
const FRESH = 0b100;

/** Slots of writer, middle and reader at the start. */
const WRITER_START = 0;
const MIDDLE_START = 1;
const READER_START = 2;

/** Sets the word to its initial state. The creator of the memory must do this before either side starts. */
export function initializeMailbox(words: Int32Array, index: number): void {
  Atomics.store(words, index, MIDDLE_START);
}

/** The writing end. `slot` is the index of the slot that the caller may fill. */
export class MailboxWriter {
  readonly #words: Int32Array;
  readonly #index: number;
  /** The slot that the writer owns: fill it, then {@link publish}. */
  slot = WRITER_START;
  /** The slot published last, which the writer may still read (I3), or −1 before the first. */
  publishedSlot = -1;

  constructor(words: Int32Array, index: number) {
    this.#words = words;
    this.#index = index;
  }

  /** Hands over the filled slot. Returns true if it replaced a message that was not fetched. */
  publish(): boolean {
    // I2, I1: everything stored to the slot so far becomes visible with this exchange, and no one else owns the slot
    // that comes back. A separate load and store would let both sides own the same slot.
    const before = Atomics.exchange(this.#words, this.#index, this.slot | FRESH);
    this.publishedSlot = this.slot;
    this.slot = before & INDEX_MASK;
    return (before & FRESH) !== 0;
  }
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
