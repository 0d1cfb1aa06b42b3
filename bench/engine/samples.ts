/** Percentiles and means of measured values. */

export interface Distribution {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

/**
 * The value that the given share of values does not exceed: the nearest rank, so always a measured
 * value.
 *
 * @param sorted Ascending, not empty.
 * @param share From 0 to 1; 1 is the largest value.
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** @throws RangeError when there are none. */
export function distributionOf(values: Iterable<number>): Distribution {
  const sorted = Float64Array.from(values).toSorted();
  if (sorted.length === 0) throw new RangeError('there must be a value to take percentiles of');
  return {
    p50: quantileOf(sorted, 0.5),
    p95: quantileOf(sorted, 0.95),
    p99: quantileOf(sorted, 0.99),
    max: quantileOf(sorted, 1),
    mean: meanOf([...sorted]),
  };
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The mean of the two in the middle if there is no single one; NaN of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  return (at((sorted.length - 1) >> 1) + at(sorted.length >> 1)) / 2;
}
