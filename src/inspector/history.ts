/** The newest values of several series over time, in the layout that a plot needs. */

/** Times, and values of each series, oldest first. */
export type HistoryColumns = [x: Float64Array, ...series: Float64Array[]];

/** The newest points of a plot. */
export class History {
  readonly #capacity: number;
  readonly #columns: readonly Float64Array[];
  #end = 0;

  /**
   * @param capacity Maximum number of shown points; older ones are dropped.
   * @param seriesCount Values of each point besides its time.
   */
  constructor(capacity: number, seriesCount: number) {
    this.#capacity = capacity;
    // Twice the room: values are moved only when all of it is used up.
    this.#columns = Array.from({ length: seriesCount + 1 }, () => new Float64Array(2 * capacity));
  }

  /** Adds a point. Cheap enough for every frame. */
  push(...point: readonly number[]): void {
    if (this.#end === 2 * this.#capacity) {
      for (const column of this.#columns) column.copyWithin(0, this.#capacity);
      this.#end = this.#capacity;
    }
    for (let index = 0; index < this.#columns.length; index++) {
      const column = this.#columns[index];
      if (column !== undefined) column[this.#end] = point[index] ?? Number.NaN;
    }
    this.#end += 1;
  }

  /** The points from a time on; views that hold until the next {@link push}. */
  since(x: number): HistoryColumns {
    const times = this.#columns[0];
    let start = Math.max(0, this.#end - this.#capacity);
    while (start < this.#end && (times?.[start] ?? 0) < x) start += 1;
    return this.#columns.map((column) => column.subarray(start, this.#end)) as HistoryColumns;
  }

  clear(): void {
    this.#end = 0;
  }
}
