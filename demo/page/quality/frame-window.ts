/** Collects intervals between drawn frames until they show the frame rate. Pure. */

/**
 * A window is full when it has both this length, in ms, and this many intervals; or when it is
 * `maxMs` long.
 */
const SIZE = { minMs: 700, minCount: 5, maxMs: 4000, maxMsCount: 3 } as const;
/** Share of the intervals that counts, shortest first: single long intervals have other causes. */
const COUNTED = 0.8;

export class FrameWindow {
  #intervals: number[] = [];
  #sumMs = 0;

  add(intervalMs: number): void {
    this.#intervals.push(intervalMs);
    this.#sumMs += intervalMs;
  }

  get isFull(): boolean {
    const count = this.#intervals.length;
    return (
      (this.#sumMs >= SIZE.minMs && count >= SIZE.minCount) ||
      (this.#sumMs >= SIZE.maxMs && count >= SIZE.maxMsCount)
    );
  }

  /** All intervals together, in ms. */
  get lengthMs(): number {
    return this.#sumMs;
  }

  /** The mean interval without the longest fifth (at least one), in ms. */
  get meanMs(): number {
    const sorted = this.#intervals.toSorted((a, b) => a - b);
    const counted = Math.max(1, Math.min(sorted.length - 1, Math.floor(sorted.length * COUNTED)));
    const sum = sorted.slice(0, counted).reduce((total, interval) => total + interval, 0);
    return sum / counted;
  }

  clear(): void {
    this.#intervals = [];
    this.#sumMs = 0;
  }
}
