/** Measures the display's frame period from frames in which nothing was drawn. Pure. */

/**
 * Displays are assumed to have at least 60 frames a second, until slower ones are measured; none is
 * slower than this, in ms.
 */
const DEFAULT_MS = 1000 / 60;
const MAX_MS = 1000 / 30;
/** Number of intervals that are evaluated together. */
const COUNT = 12;
/** The share of them that is at most the display's period: the others are missed frames. */
const SHARE = 0.25;

export class DisplayPeriod {
  #intervals: number[] = [];
  #foundMs: number | undefined;

  /** @param intervalMs Between two frames before which nothing was drawn for a while. */
  add(intervalMs: number): void {
    this.#intervals.push(intervalMs);
    if (this.#intervals.length < COUNT) return;
    const sorted = this.#intervals.toSorted((a, b) => a - b);
    this.#intervals = [];
    this.#foundMs = sorted[Math.floor(COUNT * SHARE)];
  }

  /** Target interval between drawn frames, in ms: the display's period, but at least 1/60 s. */
  get targetMs(): number {
    return Math.min(MAX_MS, Math.max(DEFAULT_MS, this.#foundMs ?? DEFAULT_MS));
  }
}
