/**
 * Mirrors a queue's ring in two memories, one on the producer's side and one on the consumer's.
 *
 *     producer's ring ── words from the tail sent last to the tail ──▶ consumer's ring
 *     producer's head ◀── head, and which records behind it are taken ── consumer's head
 *
 * The producer sees an older head than the consumer's, never a newer one, so it never fills words that the consumer
 * still reads (Q3 of record-queue.ts). The words arrive before the tail that publishes them.
 */
import { TAKEN, isTaken, lengthOf, type QueueViews } from '../memory/record-queue.js';

/** The producer's side: sends the words that the other side does not have yet. */
export class RingSender {
  readonly #views: QueueViews;
  #sentTail: number;

  constructor(views: QueueViews) {
    this.#views = views;
    this.#sentTail = Atomics.load(views.control, views.tailIndex);
  }

  /** The words filled since the last call; undefined if there are none. */
  take(): Int32Array | undefined {
    const { control, tailIndex, data } = this.#views;
    const tail = Atomics.load(control, tailIndex);
    const from = this.#sentTail;
    if (tail === from) return undefined;
    this.#sentTail = tail;
    // Clamped: an invalid tail, sent as it is, would be invalid on the other side too.
    const words = new Int32Array(Math.min(data.length, Math.max(0, (tail - from) | 0)));
    for (let word = 0; word < words.length; word++) {
      words[word] = data[(from + word) & (data.length - 1)] as number;
    }
    return words;
  }

  /** Applies what the consumer has freed and taken. */
  acknowledge(head: number, taken: readonly number[]): void {
    const { control, headIndex, data } = this.#views;
    for (const at of taken) Atomics.or(data, at, TAKEN);
    Atomics.store(control, headIndex, head);
  }
}

/** The consumer's side: appends the words received. */
export function appendWords({ control, tailIndex, data }: QueueViews, words: Int32Array): void {
  const tail = Atomics.load(control, tailIndex);
  for (let word = 0; word < words.length; word++) {
    data[(tail + word) & (data.length - 1)] = words[word] as number;
  }
  Atomics.store(control, tailIndex, (tail + words.length) | 0);
}

/** Ring indices of records that the consumer has taken but not freed, because an earlier one still waits. */
export function takenRecords({ control, headIndex, tailIndex, data }: QueueViews): number[] {
  const mask = data.length - 1;
  const head = Atomics.load(control, headIndex);
  const filled = Math.min(data.length, (Atomics.load(control, tailIndex) - head) | 0);
  const taken: number[] = [];
  for (let passed = 0; passed < filled;) {
    const at = (head + passed) & mask;
    const header = data[at] as number;
    if (isTaken(header)) taken.push(at);
    passed += 1 + lengthOf(header);
  }
  return taken;
}
