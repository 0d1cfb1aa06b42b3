/** Quantiles of the last values: how late messages arrive, for example. */
export class RecentValues {
  readonly #values: Float64Array<ArrayBuffer>;
  #count = 0;

  /** @param length How many values count, 1 to 10,000. */
  constructor(length: number) {
    this.#values = new Float64Array(length);
  }

  get count(): number {
    return Math.min(this.#count, this.#values.length);
  }

  note(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count += 1;
  }

  /** The value below which a share of them is, 0 to 1. NaN without values. */
  quantile(share: number): number {
    const { count } = this;
    if (count === 0) return Number.NaN;
    const sorted = this.#values.subarray(0, count).toSorted();
    return sorted[Math.min(count - 1, Math.ceil(share * count))] ?? Number.NaN;
  }

  clear(): void {
    this.#count = 0;
  }
}
