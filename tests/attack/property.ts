/** Parts that are properties: fast-check makes the cases, and finds the smallest that fails. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { AttackContext, AttackPart, AttackReport } from './part.js';

/**
 * Cases between two clock checks, if each takes hardly any time. Sizes of cases grow over the same
 * number.
 */
const BATCH = 200;
/** For shrinking a failing case, in ms. */
const RERUNS_MS = 60_000;
/** Between two turns of the event loop, in ms, in which a Ctrl-C is handled: cases may take none. */
const BETWEEN_TURNS_MS = 50;

type Check<Case> = (tested: Case) => number | void | Promise<number | void>;

export interface PropertyOptions<Case> {
  /** Cases between two clock checks, if each takes long. */
  readonly batch?: number;
  /** The maximum number of cases used to shrink a failing one. Default: unlimited. */
  readonly maxReruns?: number;
  /** A description of a case. Default: as it would be written in a program. */
  readonly describe?: (failed: Case) => string;
}

/**
 * Tries a property, batch by batch, until the time is over or it fails.
 *
 * @param check Throws if the promise does not hold. Returns how many units it has tried. Default 1.
 * @param options How cases are tried.
 */
export async function attackProperty<Case>(
  cases: fc.Arbitrary<Case>,
  check: Check<Case>,
  { seed, timeLimitMs, onProgress, onReduction }: AttackContext,
  { batch = BATCH, maxReruns = Number.POSITIVE_INFINITY, describe }: PropertyOptions<Case> = {},
): Promise<AttackReport> {
  const endMs = performance.now() + timeLimitMs;
  let reruns = 0;
  let tried = 0;
  /** When the first case failed, in ms. */
  let failedMs = Number.NaN;
  let turnMs = performance.now();
  const property = fc.asyncProperty(cases, async (tested) => {
    if (performance.now() > turnMs + BETWEEN_TURNS_MS) {
      await turn();
      turnMs = performance.now();
    }
    // A case that is not tried does not fail: the smallest case so far is kept.
    const isRerun = !Number.isNaN(failedMs);
    if (isRerun) {
      if (reruns >= maxReruns || performance.now() > failedMs + RERUNS_MS) return;
      onReduction(reruns);
      reruns += 1;
    }
    try {
      tried += (await check(tested)) ?? 1;
    } catch (error) {
      if (!isRerun) failedMs = performance.now();
      throw error;
    }
  });
  for (let batchSeed = seed; ; batchSeed = (batchSeed + batch) >>> 0) {
    const details = await fc.check(property, { seed: batchSeed | 0, numRuns: batch });
    onProgress(tried);
    if (details.failed) {
      const { counterexample, errorInstance } = details;
      const [failed] = counterexample ?? [];
      const steps =
        failed === undefined || describe === undefined
          ? fc.stringify(counterexample)
          : describe(failed);
      return { tried, failure: { message: String(errorInstance), steps, seed: batchSeed } };
    }
    if (performance.now() >= endMs) return { tried };
  }
}

/** A part that is a property. */
export const propertyPart = <Case>({
  name,
  about,
  unit,
  cases,
  check,
  ...options
}: Omit<AttackPart, 'run'> &
  PropertyOptions<Case> & {
    readonly cases: fc.Arbitrary<Case>;
    readonly check: Check<Case>;
  }): AttackPart => ({
  name,
  about,
  unit,
  run: (context) => attackProperty(cases, check, context, options),
});
