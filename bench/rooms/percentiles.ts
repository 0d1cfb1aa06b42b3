/** Percentiles of what was measured. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** NaN if there is nothing. */
export function percentilesOf(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).toSorted();
  const at = (share: number): number =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
