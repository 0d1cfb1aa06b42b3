/**
 * Detects frames that would only repeat what is on the canvas. Pure.
 *
 * Numbers describe everything that decides how a frame looks, in the same order each time:
 *
 *     deduplicator.begin();
 *     deduplicator.add(tick); …                  whatever can change
 *     if (deduplicator.isSame()) return;         the old frame stays
 *     draw();
 *     deduplicator.drawn();
 *
 * A comparison, not flags that each change has to set: a flag can be forgotten.
 */

/**
 * Smaller differences are rounding errors: the orbit recomputes the camera's place in each frame. A
 * pixel is about 10⁻³ m at a distance of 1 m, so this is a millionth of it. The comparison is with
 * the frame that was drawn, so that slow motion is drawn in the end.
 */
const ROUNDING = 1e-9;

export class FrameDeduplicator {
  /** Key of the last drawn frame, and the one that is described now. */
  #drawn: number[] | undefined;
  #now: number[] = [];

  /** Begins the description of a frame. */
  begin(): void {
    this.#now.length = 0;
  }

  /** Adds a number that the frame depends on. NaN is never the same. */
  add(value: number): void {
    this.#now.push(value);
  }

  addAll(values: Iterable<number>): void {
    for (const value of values) this.#now.push(value);
  }

  /** Is the described frame the one on the canvas? */
  isSame(): boolean {
    const [drawn, now] = [this.#drawn, this.#now];
    if (drawn === undefined || drawn.length !== now.length) return false;
    for (let index = 0; index < now.length; index++) {
      const change = (now[index] ?? Number.NaN) - (drawn[index] ?? Number.NaN);
      // Also true for NaN.
      if (!(Math.abs(change) <= ROUNDING)) return false;
    }
    return true;
  }

  /** The frame that was described has been drawn. */
  drawn(): void {
    [this.#drawn, this.#now] = [this.#now, this.#drawn ?? []];
  }
}
