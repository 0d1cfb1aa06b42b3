/**
 * About where the limit is, while the search for it still runs: where a straight line through the two
 * measured counts next to it, on logarithmic scales, reaches the budget. As long as all of them fit, or
 * none, the line continues beyond them.
 */
import { fitLimit, type Limit } from './limit.js';
import type { Measurement } from './result.js';

export interface Estimate extends Pick<Limit, 'bodiesLow' | 'bodiesHigh' | 'canTell'> {
  /** About how many fit: from the largest measured count that does to the smallest that does not. */
  readonly bodies: number;
}

/** Beyond the measured counts, costs grow by powers of the bodies from 1 to this. */
const MAX_EXPONENT = 2;

/** Undefined if nothing has run. */
export function estimateOf(
  measurements: readonly Measurement[],
  budgetMs: number,
): Estimate | undefined {
  const { fit, bodies: fits, ...limit } = fitLimit(measurements, budgetMs);
  const ran = fit.flatMap(([count, p99Ms]) =>
    // A clock that is too coarse for an empty step gives 0.
    p99Ms === null ? [] : [{ count, share: Math.max(p99Ms / budgetMs, 1e-4) }],
  );
  const firstOver = ran.findIndex(({ share }) => share > 1);
  const upper = firstOver < 0 ? ran.length - 1 : Math.min(Math.max(1, firstOver), ran.length - 1);
  const [a, b] = [ran[upper - 1], ran[upper]];
  if (b === undefined) return undefined;
  const slope = a === undefined ? 1 : Math.log(b.share / a.share) / Math.log(b.count / a.count);
  const exponent = firstOver > 0 ? slope : between(slope, 1, MAX_EXPONENT);
  const over = fit.find(([count]) => count > fits)?.[0] ?? Infinity;
  const bodies = between(b.count * b.share ** (-1 / exponent), Math.max(1, fits), over);
  return { ...limit, bodies };
}

const between = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));
