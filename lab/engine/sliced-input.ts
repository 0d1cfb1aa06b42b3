/**
 * Gives each update its own input window.
 *
 * After a lag several updates run in a row. If the first of them took everything that piled up, a
 * key pressed and released during the lag would be down for no time at all, and the same play would
 * end differently at another frame rate. So each update takes the events up to its due time, and
 * the rest stay queued:
 *
 *     events       a   b      c  d        e
 *     updates    ├──────┼──────┼──────┼──────┤      due times k … k+4
 *     taken         ab      c     d       e         an event exactly on a due time belongs to that
 *     update
 *
 * An event that arrives with a stamp before the current window goes to the next update: late, not
 * lost.
 *
 * Source: the Pascal engine of the loop `rate-groups`, whose author is not known.
 */

/** An event and its time, in ms on the loop's clock. */
export interface StampedInput<T> {
  readonly atMs: number;
  readonly event: T;
}

export class SlicedInput<T> {
  readonly #queue: StampedInput<T>[] = [];
  #taken: StampedInput<T>[] = [];

  /** Events that wait for their update. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Queues an event; those with equal stamps keep the order of arrival. */
  push(atMs: number, event: T): void {
    const queue = this.#queue;
    let index = queue.length;
    while (index > 0 && (queue[index - 1]?.atMs ?? 0) > atMs) index -= 1;
    queue.splice(index, 0, { atMs, event });
  }

  /**
   * Takes the events up to and including a moment, in order of their stamps.
   *
   * @param untilMs The update's due time.
   * @returns The events. The array is reused: read it before the next call.
   */
  take(untilMs: number): readonly StampedInput<T>[] {
    const queue = this.#queue;
    let count = 0;
    while (count < queue.length && (queue[count]?.atMs ?? 0) <= untilMs) count += 1;
    this.#taken.length = 0;
    if (count > 0) this.#taken = queue.splice(0, count);
    return this.#taken;
  }

  /** Discards what is queued: the application was away, so old keys no longer apply. */
  clear(): void {
    this.#queue.length = 0;
  }
}
