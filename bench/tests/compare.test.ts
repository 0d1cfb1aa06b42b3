/** Comparing two results: noise is not a difference, and a planted change is found. */
import { expect, test } from 'vitest';
import {
  changeOf,
  changeText,
  compareResults,
  comparisonSummary,
  type ChangeKind,
} from '../engine/index.js';
import { scriptedResult, type Script } from './scripted-bench.js';

const script: Script = {
  engines: ['rapier-simd', 'rapier'],
  bodies: [500],
  tickRatesHz: [60],
  runtimes: ['node'],
  seconds: 2,
  repeats: 5,
  hasHeadroom: false,
};
const SEEDS = 6;

function kindsOf(seed: number, slower: number): ChangeKind[] {
  const before = scriptedResult(seed, script);
  const after = scriptedResult(seed + 1000, { ...script, slower });
  return compareResults(before, after).pairs.map(({ p50 }) => p50.kind);
}

const over = (slower: number): ChangeKind[] =>
  Array.from({ length: SEEDS }, (_, seed) => kindsOf(seed, slower)).flat();

test('equal cost with noise is no difference', () => {
  expect(new Set(over(1))).toEqual(new Set(['no difference']));
});

test('10 % more is slower and 10 % less is faster, with noise', () => {
  expect(new Set(over(1.1))).toEqual(new Set(['slower']));
  expect(new Set(over(1 / 1.1))).toEqual(new Set(['faster']));
});

test('a comparison of wide spreads gives no verdict', () => {
  const change = changeOf([1, 2, 3], [1.5, 2.5, 3.5], 1);
  expect(change.kind).toBe('cannot tell');
  expect(changeText(change)).toMatch(
    /^no difference found, and room for one: more repeats tell \(−88 to over \+1000 %\)$/,
  );
});

/** Three repeats on each side, whose logarithms are −s, 0 and s. */
function alike(s: number) {
  const repeats = [Math.exp(-s), 1, Math.exp(s)];
  return changeOf(repeats, repeats, 1);
}

test('the interval of a comparison is narrow within a factor of two in either direction', () => {
  // The margin is 4.604 · s · sqrt(2 / 3), against a logarithm of 2 of 0.693.
  expect(alike(0.18)).toMatchObject({ kind: 'no difference', ratio: 1 });
  expect(alike(0.19)).toMatchObject({ kind: 'cannot tell', ratio: 1 });
});

test('the interval of a comparison contains the ratio, and swapping the sides inverts it', () => {
  const there = changeOf([1, 1.1, 1.05], [2, 2.3, 2.2], 1);
  const back = changeOf([2, 2.3, 2.2], [1, 1.1, 1.05], 1);
  expect(there.ratioLow).toBeLessThan(there.ratio);
  expect(there.ratioHigh).toBeGreaterThan(there.ratio);
  expect(back.ratio).toBeCloseTo(1 / there.ratio, 10);
  expect(back.ratioLow).toBeCloseTo(1 / there.ratioHigh, 10);
});

test("the interval of a comparison is Welch's", () => {
  // Logarithms 0, 0.1, 0.2 and 1, 1.1, 1.2: four degrees of freedom, standard error sqrt(2 · 0.01 / 3).
  const [before = [], after = []] = [0, 1].map((low) =>
    [0, 0.1, 0.2].map((part) => Math.exp(low + part)),
  );
  const change = changeOf(before, after, 1);
  expect(Math.log(change.ratio)).toBeCloseTo(1, 10);
  expect(Math.log(change.ratioHigh)).toBeCloseTo(1 + 4.604 * Math.sqrt(0.02 / 3), 2);
});

test('a comparison lists cases without a counterpart and other differences', () => {
  const before = scriptedResult(1, { ...script, bodies: [500, 700] });
  const after = scriptedResult(2, { ...script, bodies: [500, 900], seconds: 3 });
  const comparison = compareResults(before, {
    ...after,
    machine: { ...after.machine, cpu: null, engines: { ...after.machine.engines, rapier: '9' } },
    wasCancelled: true,
  });
  expect(comparison.pairs.map((pair) => pair.after.bodies)).toEqual([500, 500]);
  expect(comparison.onlyBefore.map(({ bodies }) => bodies)).toEqual([700, 700]);
  expect(comparison.onlyAfter.map(({ bodies }) => bodies)).toEqual([900, 900]);
  expect(comparison.cautions).toEqual([
    'The processors differ: Example 8-Core Processor before, unknown after.',
    'The versions of rapier differ: 0.21.0 before, 9 after.',
    'The measured times differ: 2 s before, 3 s after.',
    'One of the runs was cancelled: cases are missing.',
  ]);
  expect(comparisonSummary(comparison)).toContain('only before: heap, rapier, node, 700 at 60 Hz');
});
