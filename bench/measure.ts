/** Timing of small functions: batches, and the median of them, because machines are noisy. */

export interface Measurement {
  /** Median over the batches, in nanoseconds an item. */
  readonly medianNs: number;
  /** Quartiles, in nanoseconds an item: the spread. */
  readonly quartilesNs: readonly [number, number];
}

/**
 * Runs `batch` repeatedly.
 *
 * @param items Number of items in a batch: the result is per item.
 */
export function measure(items: number, batch: () => void, batches = 200): Measurement {
  const warmUpEndMs = performance.now() + 300;
  while (performance.now() < warmUpEndMs) batch();
  const samples = new Float64Array(batches);
  for (let index = 0; index < batches; index++) {
    const startMs = performance.now();
    batch();
    samples[index] = ((performance.now() - startMs) * 1e6) / items;
  }
  samples.sort();
  const at = (share: number): number => samples[Math.floor(share * (batches - 1))] ?? Number.NaN;
  return { medianNs: at(0.5), quartilesNs: [at(0.25), at(0.75)] };
}
