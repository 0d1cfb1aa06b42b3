/**
 * A queue of records from one thread to one other, through shared memory, without locks.
 *
 * It is not a mailbox: every accepted record arrives, exactly once. A full queue refuses a record, and reports and
 * counts this; it never overwrites one. It wakes no thread: to wake one, ring a doorbell after the push.
 *
 * ROLES. One {@link QueueWriter}, the producer, and one {@link QueueReader}, the consumer, each in its own thread. A
 * ring of L 32-bit words, L a power of two, and three control words. Memory that is all 0 is an empty queue.
 *
 *     word         written by    content
 *     head         consumer      words freed so far   ┐ counts that wrap after 2^32; the word of the ring
 *     tail         producer      words filled so far  ┘ that count n means is n mod L
 *     refused      producer      records that found no room, wraps after 2^32
 *     head ≤ n < tail            consumer: it reads them, and marks records in them as taken
 *     tail ≤ n < head + L        producer: it fills them
 *
 * (n, head and tail compared by their differences, modulo 2^32.)
 *
 * A RECORD is one header word and its payload, and continues at the ring's beginning when it reaches the ring's end:
 *
 *     bit 0..23    words of payload, 0 to L − 1
 *     bit 24..30   type, 0 to 127; its meaning is the application's
 *     bit 31       taken
 *
 * STATES of a record:
 *
 *     event              before     after      shared words that change
 *     tryPush, room      free       waiting    the record's words, then tail += 1 + payload
 *     tryPush, no room   free       free       refused += 1; returns false
 *     begin, next, read                        none
 *     take               waiting    taken      bit 31 of its header
 *     end                taken      free       head += 1 + payload, if no record before it is waiting
 *
 * Records may be taken out of order: the worker takes those that are due and leaves the others where they are. A
 * record taken behind a waiting one keeps its space until that one is taken too.
 *
 * INVARIANTS
 *   Q1  tail − head (mod 2^32) is a number from 0 to L.
 *   Q2  From head to tail there are whole records and nothing else.
 *   Q3  A record is complete before the store of tail that publishes it, and the producer does not touch its words
 *       until head has passed them. Only the producer ever writes payload.
 *   Q4  The consumer neither reads nor marks words that it has freed: all of that happens before the store
 *       of head that frees them.
 *   Q5  Only taken records are freed. After each end, the first record, if there is one, is waiting.
 *   Q6  A refused record changes `refused` and nothing else.
 *   Q7  A record is taken once: only the consumer marks it, by one atomic operation.
 *
 * WHY IT IS FREE OF DATA RACES. Each word of the ring belongs to one side at a time, and changes hands through one
 * store and one load of a control word, which are sequentially consistent. The producer's plain stores happen before
 * its store of tail; the consumer's load that sees that value synchronises with it, and its plain loads happen after
 * (Q3). On the way back, the consumer's loads and its marks happen before its store of head, and the producer fills
 * those words only after a load that saw that store (Q4). The taken bit does not affect this: the consumer sets it in
 * words that it owns at that time, and the producer never reads a header.
 *
 * A THIRD PARTY, after the consumer's death: the page when its worker has failed. It opens a QueueReader on the same
 * memory, and may assume:
 *   - Every record that it finds is whole (Q3), and they are in the order in which they were pushed.
 *   - It finds exactly the accepted records that were not taken. Every change by the consumer is one store of
 *     one word, the mark or head, so wherever it died, a record is taken or it is not, and the queue is valid.
 *     Words that were marked and not freed yet are skipped.
 *   - Looking changes nothing: begin, next and read write to no shared word. With its first take or end it
 *     becomes the consumer, and there must be no other.
 * It may not assume that a taken record had an effect: the tick that took it may not have finished. And it must know
 * that the consumer is dead: one that was only requested to stop may continue to take records (some browsers let a
 * terminated worker run for two more seconds), so that a record could be found here and taken there. A producer that
 * dies in tryPush leaves nothing visible behind, and another may continue in its place.
 *
 * PROGRESS. All operations are wait-free: the time of tryPush and read depends on the payload's words, that of next
 * and end on the taken records that they pass, and the others take constant time.
 * STALENESS. A scan shows what was visible at its begin; later records come with the next one. The producer may
 * refuse a record although the consumer is about to make room for it.
 *
 *     producer  push A ─ push B ─ push C ──────────── push D: full ──────────────────────── push D ──
 *     ring      A        A B      A B C               A b C                                 C D
 *     consumer                        begin ─ next: A, not due ─ next: B ─ take ─ end: none freed
 *                                                             begin ─ next: A ─ take ─ end: A, B freed
 *
 * Why not ringbuf.js (padenot, MPL-2.0), which is such a ring for elements of one type: its push stores only the
 * elements that fit, and it has no records, no refusals and no taking out of order. A layer for those would be larger
 * than this file.
 */

/** Location of a queue in memory. Head and tail should be on different cache lines. */
export interface QueueViews {
  /** Contains the three control words, and possibly others. */
  readonly control: Int32Array;
  readonly headIndex: number;
  readonly tailIndex: number;
  readonly refusedIndex: number;
  /** The ring: its length is a power of two, at least 64 words. */
  readonly data: Int32Array;
}

/** A queue whose ends are in the same thread. @param words Of its ring. */
export const privateQueueViews = (words: number): QueueViews => ({
  control: new Int32Array(3),
  headIndex: 0,
  tailIndex: 1,
  refusedIndex: 2,
  data: new Int32Array(words),
});

/** The largest record type; the smallest is 0. */
export const MAX_RECORD_TYPE = 127;

const TYPE_SHIFT = 24;
const LENGTH_MASK = (1 << TYPE_SHIFT) - 1;
/**
 * Words from which a payload that does not wrap is copied as a block: faster than word by word, but the view that this
 * takes is garbage.
 */
const LONG = 256;
/** Bit 31: a header with it is negative. */
export const TAKEN = 1 << 31;

/*
 * All numbers that outlive a call are below 2^24, and counts stay in shared memory: in engines that compress
 * pointers, a field with a number of 31 bits or more is an object on the heap.
 */

/** The producer's end. A second one on the same memory continues where the first ended. */
export class QueueWriter {
  readonly #views: QueueViews;
  /** Words of the longest payload that can ever fit in the queue; also the mask of an index of the ring. */
  readonly maxLength: number;
  /** Index in the ring of the next record's header. */
  #at: number;
  /** Free words at the last load of head; there may be more by now. */
  #room: number;

  constructor(views: QueueViews) {
    this.#views = views;
    this.maxLength = views.data.length - 1;
    this.#at = Atomics.load(views.control, views.tailIndex) & this.maxLength;
    this.#room = this.freeWords;
  }

  /** Records that found no room so far (it wraps after 2^32). */
  get refused(): number {
    return Atomics.load(this.#views.control, this.#views.refusedIndex) >>> 0;
  }

  /** Words free now. A record needs one more than its payload. */
  get freeWords(): number {
    return this.maxLength + 1 - wordsFrom(headOf(this.#views), this.#views);
  }

  /**
   * Appends a record to the queue. Allocates nothing, except a view of a payload of 256 words or more.
   *
   * @param type 0 to 127.
   * @param payload Is copied. May be longer than `length`.
   * @param length Words of the payload to copy, at most all. Default: all.
   * @returns False if there is no room for it now, or never; it is then refused and counted.
   */
  tryPush(type: number, payload: Int32Array, length: number = payload.length): boolean {
    const { control, tailIndex, refusedIndex, data } = this.#views;
    const size = length + 1;
    if (size > this.#room) {
      this.#room = this.freeWords;
      if (size > this.#room) {
        // Q6: only this side adds, so a load and a store count each refusal. A plain store might never be seen.
        Atomics.store(control, refusedIndex, (Atomics.load(control, refusedIndex) + 1) | 0);
        return false;
      }
    }
    const mask = this.maxLength;
    const at = this.#at;
    data[at] = (type << TYPE_SHIFT) | length;
    if (length < LONG || at + size > data.length) {
      for (let word = 0; word < length; word++) {
        data[(at + 1 + word) & mask] = payload[word] as number;
      }
    } else data.set(payload.subarray(0, length), at + 1);
    // Q3, Q2: publishes the complete record. A plain store could be seen before the words of the record are.
    Atomics.store(control, tailIndex, (Atomics.load(control, tailIndex) + size) | 0);
    this.#at = (at + size) & mask;
    this.#room -= size;
    return true;
  }
}

/**
 * The consumer's end: `begin`, then `next` until it returns false, with any calls of `read` and `take`, then `end`.
 * The next `begin` discards a scan that was not ended; what it took stays taken.
 */
export class QueueReader {
  readonly #views: QueueViews;
  readonly #mask: number;
  /** Index in the ring of the first record. The other positions are counted from here. */
  #first = 0;
  /** Words that this scan may read, and those that it has passed. */
  #visible = 0;
  #passed = 0;
  /** Index in the ring of the current record's header, or −1 if there is none. */
  #current = -1;
  /** Type of the current record, and words of its payload. */
  type = 0;
  length = 0;
  /**
   * Whether head, tail or a record had a value that no queue has (Q1, Q2): the contents of the queue are lost.
   * Reading ends there, and neither loops for long nor throws.
   */
  isBroken = false;

  constructor(views: QueueViews) {
    this.#views = views;
    this.#mask = views.data.length - 1;
  }

  /** Begins a scan of what is in the queue now. */
  begin(): void {
    const head = headOf(this.#views);
    this.#first = head & this.#mask;
    this.#visible = this.#filledFrom(head);
    this.#passed = 0;
    this.#current = -1;
  }

  /** Moves to the next record that is not taken. Returns false if there is none left in this scan. */
  next(): boolean {
    const at = this.#skipTaken(this.#passed);
    this.#passed = at;
    this.#current = -1;
    if (at >= this.#visible) return false;
    this.#current = (this.#first + at) & this.#mask;
    const header = this.#views.data[this.#current] as number;
    this.type = header >>> TYPE_SHIFT;
    this.length = header & LENGTH_MASK;
    this.#passed = at + 1 + this.length;
    if (this.#passed <= this.#visible) return true;
    this.isBroken = true;
    this.#current = -1;
    return false;
  }

  /**
   * Copies the current record's payload. There must be one.
   *
   * @param into Receives it at its beginning, and must be long enough; the rest does not change.
   */
  read(into: Int32Array): void {
    const at = this.#current;
    const { length } = this;
    const { data } = this.#views;
    const mask = this.#mask;
    for (let word = 0; word < length; word++) into[word] = data[(at + 1 + word) & mask] as number;
  }

  /**
   * Marks the current record as taken, permanently. It can still be read until the scan moves on.
   *
   * @throws RangeError without a current record.
   */
  take(): void {
    // Q7: a third party might never see a plain store, and would then give the record to a second tick.
    Atomics.or(this.#views.data, this.#current, TAKEN);
  }

  /** Ends the scan and frees the taken records before the first one that is waiting. */
  end(): void {
    const { control, headIndex } = this.#views;
    const freed = this.#skipTaken(0);
    this.#visible = 0;
    this.#passed = 0;
    this.#current = -1;
    if (freed === 0 || this.isBroken) return;
    // Q4, Q5: gives the words back after all reading and marking. A plain store could be seen before those, and a new
    // record could be read in place of the old one, or have its header marked.
    Atomics.store(control, headIndex, (Atomics.load(control, headIndex) + freed) | 0);
  }

  /** Position of the first record from `passed` on that is not taken; the end of the scan if there is none. */
  #skipTaken(passed: number): number {
    const { data } = this.#views;
    const first = this.#first;
    const visible = this.#visible;
    let at = passed;
    while (at < visible) {
      // Q4: sees each mark that a dead consumer left. A plain load might miss one, and its record would be taken
      // again.
      const header = Atomics.load(data, (first + at) & this.#mask);
      if (!isTaken(header)) break;
      at += 1 + lengthOf(header);
    }
    if (at > visible) this.isBroken = true;
    return at;
  }

  #filledFrom(head: number): number {
    const filled = wordsFrom(head, this.#views);
    if (filled >= 0 && filled <= this.#mask + 1) return filled;
    this.isBroken = true;
    return 0;
  }
}

/** Whether a record with this header is taken. For a mirror of the ring, see transfer.ts. */
export function isTaken(header: number): boolean {
  return header < 0;
}

/** Words of payload of a record with this header. */
export function lengthOf(header: number): number {
  return header & LENGTH_MASK;
}

function headOf({ control, headIndex }: QueueViews): number {
  // Q4: the producer may fill what this shows as freed. A plain load does not order its stores after the consumer's
  // reads of those words; and in a loop it might be executed once and never show more room.
  return Atomics.load(control, headIndex);
}

/** Words filled from head on, 0 to L (Q1); the rest of the ring is free. */
function wordsFrom(head: number, { control, tailIndex }: QueueViews): number {
  // Q3: what this shows may be read. A plain load does not order the reads of those words after it; and in a loop it
  // might be executed once and never show another record.
  return (Atomics.load(control, tailIndex) - head) | 0;
}
