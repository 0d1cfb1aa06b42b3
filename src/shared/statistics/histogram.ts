/**
 * A log-linear histogram of durations: each of the first 2^p whole units has its own bucket, and every octave above has
 * 2^p, so a bucket is never wider than 2^−p of its value. Source: Gil Tene's HdrHistogram (hdrhistogram.org).
 *
 * The counts may be in shared memory: one thread records, others read. Every count is one aligned word, which never
 * tears.
 */
import { histogramLength } from '../memory/layout.js';

/** The three numbers that most readers want, in milliseconds. NaN if nothing was recorded. */
export interface Percentiles {
  /** Half of the values are below, in ms. */
  readonly p50: number;
  /** 99 of 100 values are below, in ms. */
  readonly p99: number;
  /** The largest value, in ms. */
  readonly max: number;
}

export interface HistogramShape {
  /** Milliseconds per unit: the resolution of small values. */
  readonly unitMs: number;
  /** Buckets per octave as a power of two: relative error 2^−precisionBits. */
  readonly precisionBits: number;
  /** Octaves above the linear part. `precisionBits + octaves` is at most 31. */
  readonly octaves: number;
}

/** Bucket of a value in whole units; values beyond the top share the last bucket. */
export function bucketOf(units: number, shape: HistogramShape): number {
  const { precisionBits, octaves } = shape;
  // Shifts instead of powers, which are calls until the function is optimized: the worker's loop runs rarely.
  const linear = 1 << precisionBits;
  if (!(units >= linear)) return units > 0 ? Math.trunc(units) : 0;
  const value = Math.min(units, 0x7fffffff >>> (31 - precisionBits - octaves)) | 0;
  const shift = 31 - Math.clz32(value) - precisionBits;
  return (shift + 1) * linear + (value >>> shift) - linear;
}

/** Middle of a bucket, in units. The inverse of {@link bucketOf}, to half a bucket's width. */
export function bucketMiddle(bucket: number, shape: HistogramShape): number {
  const linear = 2 ** shape.precisionBits;
  if (bucket < linear) return bucket;
  const shift = Math.floor(bucket / linear) - 1;
  const lowest = (linear + (bucket % linear)) * 2 ** shift;
  return lowest + (2 ** shift - 1) / 2;
}

/** Counts a duration in milliseconds. Negative ones count as 0. */
export function recordDuration(
  counts: Int32Array,
  shape: HistogramShape,
  durationMs: number,
): void {
  const bucket = bucketOf(Math.round(durationMs / shape.unitMs), shape);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}

export class Histogram {
  readonly shape: HistogramShape;
  readonly counts: Int32Array;
  /** The counts at the last {@link rebase}; empty before it. */
  #baseline = new Int32Array(0);
  /** The total if no other thread counts; otherwise undefined. Summing 90,000 buckets would take 1 ms per reading. */
  #ownTotal: number | undefined;

  /** @param counts Memory for the counts, shared or not; private memory by default. */
  constructor(shape: HistogramShape, counts?: Int32Array) {
    const length = histogramLength(shape.precisionBits, shape.octaves);
    if (counts !== undefined && counts.length !== length) {
      throw new RangeError(
        `counts must have ${length} words for this shape, and has ${counts.length}`,
      );
    }
    this.shape = shape;
    this.counts = counts ?? new Int32Array(length);
    if (counts === undefined) this.#ownTotal = 0;
  }

  /** See {@link recordDuration}. */
  record(durationMs: number): void {
    recordDuration(this.counts, this.shape, durationMs);
    if (this.#ownTotal !== undefined) this.#ownTotal += 1;
  }

  /**
   * Discards what was recorded so far, for this reader only: the counts stay as they are and are subtracted from now
   * on, so a reader never writes to another thread's words.
   */
  rebase(): void {
    this.#baseline = this.counts.slice();
    if (this.#ownTotal !== undefined) this.#ownTotal = 0;
  }

  /** Values recorded since the last {@link rebase}. */
  get total(): number {
    if (this.#ownTotal !== undefined) return this.#ownTotal;
    let total = 0;
    for (let bucket = 0; bucket < this.counts.length; bucket++) total += this.#countAt(bucket);
    return total;
  }

  /**
   * The value in milliseconds at or below which the given share of values lies; NaN if empty.
   *
   * @param share From 0 to 1; 1 is the largest value.
   */
  quantile(share: number): number {
    return this.#quantiles([share])[0] ?? Number.NaN;
  }

  percentiles(): Percentiles {
    const [p50 = Number.NaN, p99 = Number.NaN, max = Number.NaN] = this.#quantiles([0.5, 0.99, 1]);
    return { p50, p99, max };
  }

  /** Several quantiles in one pass over the buckets. Shares must be in ascending order. */
  #quantiles(shares: readonly number[]): number[] {
    const { total } = this;
    const found: number[] = [];
    let seen = 0;
    for (let bucket = 0; seen < total && bucket < this.counts.length; bucket++) {
      seen += this.#countAt(bucket);
      // At least the first value, so that share 0 is the smallest rather than bucket 0.
      while (seen >= Math.max(1, Math.ceil((shares[found.length] ?? Number.NaN) * total))) {
        found.push(bucketMiddle(bucket, this.shape) * this.shape.unitMs);
      }
    }
    return found;
  }

  #countAt(bucket: number): number {
    return (this.counts[bucket] ?? 0) - (this.#baseline[bucket] ?? 0);
  }
}
