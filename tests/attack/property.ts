/** Parts that are properties: fast-check makes the cases, and finds the smallest that fails. */
import fc from 'fast-check';
import type { AttackContext, AttackReport } from './part.js';

/** Cases between two looks at the clock, where each takes next to no time. Sizes of cases grow within as many. */
const BATCH = 200;

export interface PropertyOptions<Case> {
  /** Cases between two looks at the clock, where each takes long. */
  readonly batch?: number;
  /** Most cases that are tried to make one that fails smaller. Default: as many as there are. */
  readonly maxReruns?: number;
  /** How long that is done at most, in ms. Default: as long as it takes. */
  readonly rerunsMs?: number;
  /** What a case is in words. Default: as it would be written in a program. */
  readonly describe?: (failed: Case) => string;
}

/**
 * Tries a property, batch by batch, until the time is over or it fails.
 *
 * @param check Throws if what is promised does not hold.
 * @param options How cases are tried.
 */
export async function attackProperty<Case>(
  cases: fc.Arbitrary<Case>,
  check: (tested: Case) => void | Promise<void>,
  { seed, timeLimitMs, onProgress, onReduction }: AttackContext,
  {
    batch = BATCH,
    maxReruns = Number.POSITIVE_INFINITY,
    rerunsMs = Number.POSITIVE_INFINITY,
    describe,
  }: PropertyOptions<Case> = {},
): Promise<AttackReport> {
  const endMs = performance.now() + timeLimitMs;
  let reruns = 0;
  /** When the first case failed, in ms. */
  let failedMs = Number.NaN;
  const property = fc.asyncProperty(cases, async (tested) => {
    // What is not tried does not fail: the smallest case so far stays.
    const isRerun = !Number.isNaN(failedMs);
    if (isRerun) {
      if (reruns >= maxReruns || performance.now() > failedMs + rerunsMs) return;
      onReduction(reruns);
      reruns += 1;
    }
    try {
      await check(tested);
    } catch (error) {
      if (!isRerun) failedMs = performance.now();
      throw error;
    }
  });
  let tried = 0;
  do {
    const details = await fc.check(property, { seed: (seed + tried) | 0, numRuns: batch });
    tried += details.numRuns;
    onProgress(tried);
    if (details.failed) {
      const { counterexample, errorInstance } = details;
      const [failed] = counterexample ?? [];
      const steps =
        failed === undefined || describe === undefined
          ? fc.stringify(counterexample)
          : describe(failed);
      return { tried, failure: { message: String(errorInstance), steps } };
    }
  } while (performance.now() < endMs);
  return { tried };
}
