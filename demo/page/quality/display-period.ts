/** How far apart the frames of the display are, judged by those for which nothing was drawn. Pure. */

/** Displays are taken to have at least 60 frames a second, until slower ones are seen; none is slower than this, in ms. */
const DEFAULT_MS = 1000 / 60;
const MAX_MS = 1000 / 30;
/** So many intervals are looked at together. */
const COUNT = 12;
/** The share of them that is at most as long as the display's: others are frames that were missed. */
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

  /** How far apart pictures should be, in ms: as far as the display's frames, or 1/60 s where they are closer. */
  get targetMs(): number {
    return Math.min(MAX_MS, Math.max(DEFAULT_MS, this.#foundMs ?? DEFAULT_MS));
  }
}
