/** A duration: constant, or drawn from a seeded distribution. */
import { requireNumber } from '../../src/shared/util/validate.js';
import { type RandomStream, createRandom } from './random.js';

/**
 * In ms, on a machine of speed 1: a constant; uniform between two bounds; or log-normal, with most
 * values near the median and occasionally a much longer one, like real costs.
 */
export type Cost =
  | number
  | { readonly minMs: number; readonly maxMs: number }
  | { readonly medianMs: number; readonly p99Ms: number };

/** An hour: longer than anything that a loop waits for. */
const MAX_COST_MS = 3_600_000;
/**
 * The 99th percentile of the normal distribution is this many standard deviations above the median.
 */
const P99_DEVIATIONS = 2.326347874040841;

/** @throws TypeError, RangeError naming the option and the rule. */
export function checkedCost(name: string, cost: Cost): Cost {
  if (typeof cost !== 'object' || cost === null) return requireNumber(name, cost, 0, MAX_COST_MS);
  if ('minMs' in cost) {
    const minMs = requireNumber(`${name}: the least`, cost.minMs, 0, MAX_COST_MS);
    return { minMs, maxMs: requireNumber(`${name}: the most`, cost.maxMs, minMs, MAX_COST_MS) };
  }
  const medianMs = requireNumber(`${name}: the median`, cost.medianMs, 1e-6, MAX_COST_MS);
  const p99Ms = requireNumber(`${name}: the 99th percentile`, cost.p99Ms, medianMs, MAX_COST_MS);
  return { medianMs, p99Ms };
}

/** A source of costs, in ms. */
export function costSampler(cost: Cost, seed: number, stream: RandomStream): () => number {
  if (typeof cost === 'number') return () => cost;
  const random = createRandom(seed, stream);
  if ('minMs' in cost) return () => cost.minMs + random() * (cost.maxMs - cost.minMs);
  const deviation = Math.log(cost.p99Ms / cost.medianMs) / P99_DEVIATIONS;
  return () => {
    // Box and Muller; 1 − u, because the logarithm of 0 is infinite.
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return cost.medianMs * Math.exp(deviation * radius * Math.cos(2 * Math.PI * random()));
  };
}
