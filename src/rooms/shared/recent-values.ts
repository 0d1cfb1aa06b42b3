/** Quantiles of the last values: how late messages arrive, for example. */
export class RecentValues {
  readonly #values: Float64Array<ArrayBuffer>;
  #count = 0;

  /** @param length How many values count, 1 to 10,000. */
  constructor(length: number) {
    this.#values = new Float64Array(length);
  }

  note(value: number): void {
    this.#values[this.#count % this.#values.length] = value;
    this.#count += 1;
  }

  /**
   * The value below which a share of them is, 0 to 1. NaN without values. Until there are as many as count, only the newer
   * half does: what was while everything began is soon forgotten.
   */
  quantile(share: number): number {
    const isFull = this.#count >= this.#values.length;
    const count = isFull ? this.#values.length : Math.ceil(this.#count / 2);
    if (count === 0) return Number.NaN;
    const end = isFull ? count : this.#count;
    const sorted = this.#values.subarray(end - count, end).toSorted();
    return sorted[Math.min(count - 1, Math.ceil(share * count))] ?? Number.NaN;
  }
}

/** After this many turns without a prompt value, others count. */
const PATIENCE_TURNS = 8;

/**
 * Quantiles of the last values that were read promptly. Of one that has waited to be read, only that it is too large is known;
 * of many, the least has hardly waited. A page that is always busy has no others.
 */
export class PromptValues {
  readonly #values: RecentValues;
  #least = Number.POSITIVE_INFINITY;
  #turns = 0;

  /** @param length How many values count, 1 to 10,000. */
  constructor(length: number) {
    this.#values = new RecentValues(length);
  }

  note(value: number, isPrompt: boolean): void {
    if (isPrompt) {
      this.#values.note(value);
      this.#least = Number.POSITIVE_INFINITY;
      this.#turns = 0;
    } else this.#least = Math.min(this.#least, value);
  }

  endTurn(): void {
    this.#turns += 1;
    if (this.#turns >= PATIENCE_TURNS && Number.isFinite(this.#least)) this.note(this.#least, true);
  }

  /** Of those that count; before the first of them, the least of the others. */
  quantile(share: number): number {
    const value = this.#values.quantile(share);
    return Number.isNaN(value) && Number.isFinite(this.#least) ? this.#least : value;
  }
}
