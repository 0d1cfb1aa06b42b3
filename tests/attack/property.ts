/** Parts that are properties: fast-check makes the cases, and finds the smallest that fails. */
import fc from 'fast-check';
import type { AttackContext, AttackReport } from './part.js';

/** Cases between two looks at the clock, where each takes next to no time. Sizes of cases grow within as many. */
const BATCH = 200;

/**
 * Tries a property, batch by batch, until the time is over or it fails.
 *
 * @param check Throws if what is promised does not hold.
 * @param batch Cases between two looks at the clock.
 */
export async function attackProperty<Case>(
  cases: fc.Arbitrary<Case>,
  check: (tested: Case) => void | Promise<void>,
  { seed, timeLimitMs, onProgress }: AttackContext,
  batch = BATCH,
): Promise<AttackReport> {
  const endMs = performance.now() + timeLimitMs;
  const property = fc.asyncProperty(cases, async (tested) => check(tested));
  let tried = 0;
  do {
    const details = await fc.check(property, { seed: (seed + tried) | 0, numRuns: batch });
    tried += details.numRuns;
    onProgress(tried);
    if (details.failed) {
      const { counterexample, errorInstance } = details;
      return {
        tried,
        failure: { message: String(errorInstance), steps: fc.stringify(counterexample) },
      };
    }
  } while (performance.now() < endMs);
  return { tried };
}
