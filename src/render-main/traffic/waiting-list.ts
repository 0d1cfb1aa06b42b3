/** Removed items are cut off in batches of at least this size, which keeps that cheap. */
const MIN_CUT = 1024;

/** What waits, oldest first. */
export class WaitingList<T> {
  readonly #items: T[] = [];
  /** Items before this index were removed. */
  #start = 0;

  get length(): number {
    return this.#items.length - this.#start;
  }

  get first(): T | undefined {
    return this.#items[this.#start];
  }

  add(item: T): void {
    this.#items.push(item);
  }

  removeFirst(): void {
    this.#start += 1;
    const isWorthIt = this.#start >= MIN_CUT && this.#start * 2 >= this.#items.length;
    if (this.length > 0 && !isWorthIt) return;
    // This is the case in most frames, and `splice` would return a new array.
    if (this.length === 0) this.#items.length = 0;
    else this.#items.splice(0, this.#start);
    this.#start = 0;
  }

  clear(): void {
    this.#items.length = 0;
    this.#start = 0;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.slice(this.#start).values();
  }
}
