/** Properties that are tried for as long as they are given. The seed that a failure prints is the seed with which its case comes first. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect } from 'vitest';
import { LIMIT_MS, SEED } from './limits.js';

/** @param batch Cases between two looks at the clock: fewer, if each takes long. */
export async function attack<Case>(
  cases: fc.Arbitrary<Case>,
  check: (tried: Case) => unknown,
  { batch = 20, limitMs = LIMIT_MS } = {},
): Promise<void> {
  const endMs = performance.now() + limitMs;
  let tried = 0;
  const property = fc.asyncProperty(cases, async (one) => {
    await check(one);
    tried += 1;
  });
  do {
    await fc.assert(property, { seed: (SEED + tried) | 0, numRuns: batch });
    // The runner gets one, too: cases may take none.
    await turn();
  } while (performance.now() < endMs);
  report(tried, 'cases');
}

/** Prints how much was tried. */
export function report(tried: number, unit: string): void {
  console.log(`${expect.getState().currentTestName}: ${tried.toLocaleString('en')} ${unit}`);
}
