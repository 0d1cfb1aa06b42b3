/** Timing of small functions: in batches, because machines are noisy. */
import type { Figure } from '../tables/figures.js';

/** A piece of work that is long enough to be timed. */
export interface Batch {
  /** How many times it does what is measured. */
  readonly items: number;
  readonly run: () => void;
}

const PER_MS = { ns: 1e6, µs: 1000 } as const;

/** Runs a batch repeatedly. The figure is per item. */
export function measure(
  name: Pick<Figure, 'what' | 'limit'> & { readonly unit: keyof typeof PER_MS },
  { items, run }: Batch,
  batches: number,
): Figure {
  const warmUpEndMs = performance.now() + 300;
  while (performance.now() < warmUpEndMs) run();
  const ours = Array.from({ length: batches }, () => {
    const startMs = performance.now();
    run();
    return ((performance.now() - startMs) * PER_MS[name.unit]) / items;
  });
  return { ...name, ours };
}
