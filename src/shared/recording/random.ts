/** Random numbers determined by a seed: the same seed gives the same run everywhere. */

export class Random {
  #state: number;

  /** @param seed Any number; its lower 32 bits are used. */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /**
   * Determines all following numbers, a signed 32-bit integer: stored in a saved state, and set when one is restored.
   * When set, the lower 32 bits are used.
   */
  get state(): number {
    return this.#state;
  }

  set state(value: number) {
    this.#state = value | 0;
  }

  /** A number in [0, 1). The generator is Mulberry32 by Tommy Ettinger (public domain). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A number in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** One of the items, of which there must be at least one. */
  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }
}
