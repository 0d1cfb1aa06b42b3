/** The newest values of some series over time, laid out such that a plot can take them as they are. */

/** Times, and values of each series, oldest first. */
export type HistoryColumns = [x: Float64Array, ...series: Float64Array[]];

export class History {
  readonly #capacity: number;
  readonly #columns: readonly Float64Array[];
  #end = 0;

  /**
   * @param capacity Most points to be shown; older ones are forgotten.
   * @param seriesCount Values of each point beside its time.
   */
  constructor(capacity: number, seriesCount: number) {
    this.#capacity = capacity;
    // Twice the room: values are only moved when the whole of it is used up.
    this.#columns = Array.from({ length: seriesCount + 1 }, () => new Float64Array(2 * capacity));
  }

  /** Adds a point. Costs next to nothing, so it may be done every frame. */
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
