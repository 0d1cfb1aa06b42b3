/**
 * Tells whether a frame would only draw once more what stands on the canvas already. Pure.
 *
 * What decides how a picture looks is described by numbers, in the same order each time:
 *
 *     deduplicator.begin();
 *     deduplicator.add(tick); …                  whatever can change
 *     if (deduplicator.isSame(passes)) return;   the old deduplicator stays
 *     draw();
 *     deduplicator.drawn();
 *
 * A comparison, and not flags that each change has to remember to set: what is described cannot be forgotten by who
 * changes it.
 */

/**
 * Smaller differences are rounding: the orbit computes the camera's place anew in each frame. A pixel is about 10⁻³ m
 * at a distance of 1 m, so this is a millionth of it. It is held against the picture that was drawn, so what creeps
 * is drawn in the end.
 */
const ROUNDING = 1e-9;

export class FrameDeduplicator {
  /** Of the picture that was drawn last, and of the one that is described now. */
  #drawn: number[] = [];
  #now: number[] = [];
  /** How often the picture that stands was drawn. */
  #drawings = 0;

  /** Begins the description of a frame. */
  begin(): void {
    this.#now.length = 0;
  }

  /** One more thing that the picture depends on. What is not a number never is the same. */
  add(value: number): void {
    this.#now.push(value);
  }

  addAll(values: Iterable<number>): void {
    for (const value of values) this.#now.push(value);
  }

  /**
   * The frame is described: is it the picture that stands?
   *
   * @param passes Drawings that a picture takes until all of it is there: 2 where each draws half of the pixels.
   */
  isSame(passes = 1): boolean {
    return this.#drawings >= passes && this.#isDescribedAlike();
  }

  /** The frame that was described has been drawn. */
  drawn(): void {
    this.#drawings = this.#isDescribedAlike() ? this.#drawings + 1 : 1;
    [this.#drawn, this.#now] = [this.#now, this.#drawn];
  }

  #isDescribedAlike(): boolean {
    const [drawn, now] = [this.#drawn, this.#now];
    if (drawn.length !== now.length) return false;
    for (let index = 0; index < now.length; index++) {
      const change = (now[index] ?? Number.NaN) - (drawn[index] ?? Number.NaN);
      // Also of NaN.
      if (!(Math.abs(change) <= ROUNDING)) return false;
    }
    return true;
  }
}
