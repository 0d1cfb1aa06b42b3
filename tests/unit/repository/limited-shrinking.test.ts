/** Properties of all tests: tests/fixtures/limited-shrinking.ts. */
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import config from '../../../vitest.config.js';
import { present } from '../../fixtures/present.js';

const MINUTE_MS = 60_000;
/** Each number is made smaller on its own, in hundreds of cases altogether. */
const longLists = fc.array(fc.nat(), { minLength: 300, maxLength: 300 });

/** Each case takes that long. */
function scriptClock(stepMs: number): void {
  let nowMs = 0;
  const stub = vi.spyOn(present(globalThis.shrinkingClock), 'nowMs');
  stub.mockImplementation(() => (nowMs += stepMs));
  onTestFinished(() => stub.mockRestore());
}

function fail(): never {
  throw new Error('always');
}
const reject = () => Promise.reject(new Error('always'));

test('a property that fails is shrunk for a minute, and reported with the smallest case so far', async () => {
  scriptClock(MINUTE_MS / 20);
  const plain = fc.check(fc.property(longLists, fail));
  const asynchronous = await fc.check(fc.asyncProperty(longLists, reject));
  for (const { failed, numRuns, numShrinks, counterexample } of [plain, asynchronous]) {
    expect({ failed, numRuns, numShrinks }).toEqual({ failed: true, numRuns: 1, numShrinks: 20 });
    expect(counterexample?.[0]).toHaveLength(300);
  }
});

test('a property that fails is shrunk to the end in less time', () => {
  scriptClock(0);
  const { counterexample } = fc.check(fc.property(longLists, fail));
  expect(counterexample?.[0]).toEqual(Array.from({ length: 300 }, () => 0));
});

test('a property that holds takes as long as it takes', async () => {
  scriptClock(60 * MINUTE_MS);
  const plain = fc.check(fc.property(longLists, () => true));
  const asynchronous = await fc.check(fc.asyncProperty(longLists, () => Promise.resolve()));
  for (const { failed, numRuns, interrupted } of [plain, asynchronous]) {
    expect({ failed, numRuns, interrupted }).toEqual({
      failed: false,
      numRuns: 100,
      interrupted: false,
    });
  }
});

interface Projects {
  readonly test: { readonly projects: readonly { test: { setupFiles?: string[] } }[] };
}

test('all projects have that limit', () => {
  const { projects } = (config as unknown as Projects).test;
  expect(projects.length).toBeGreaterThan(5);
  for (const { test: of } of projects) {
    expect(of.setupFiles).toContain('tests/fixtures/limited-shrinking.ts');
  }
});
