/** What a result says in words, and how far a run is. */
import { expect, test } from 'vitest';
import {
  planWork,
  secondsLeft,
  summaryOf,
  verdictsOf,
  type BenchResult,
  type CaseResult,
} from '../engine/index.js';
import { present } from '../../tests/fixtures/present.js';
import { scriptedResult } from './scripted-bench.js';

const result = scriptedResult(1, { seconds: 1, bodies: [500, 2000] });

/** Of one engine at one rate in Node. */
function only(engine: string, tickRateHz: number): BenchResult {
  const isIt = (one: { engine: string; runtime: string; tickRateHz: number }): boolean =>
    one.engine === engine && one.runtime === 'node' && one.tickRateHz === tickRateHz;
  return { ...result, cases: result.cases.filter(isIt), headroom: result.headroom.filter(isIt) };
}

/** The case with repeats that take these shares of the budget. */
const ofShares = (one: CaseResult, shares: readonly number[]): CaseResult => ({
  ...one,
  budgetShare: Math.max(...shares),
  repeats: shares.map((share) => {
    const p99Ms = share * one.budgetMs;
    return { p50Ms: p99Ms / 2, p99Ms, ticks: 120, interruptions: 0, longSteps: 0 };
  }),
});

const sentences = (from: BenchResult): string[] => verdictsOf(from).map(({ sentence }) => sentence);

test('the verdict on what runs has the time to spare and the limit', () => {
  const whole = only('rapier', 60);
  expect(verdictsOf(whole)[0]).toMatchObject({ tone: 'good', subject: 'heap, rapier, node' });
  expect(sentences(whole)[0]).toMatch(
    /^This device can simulate 2,000 bodies at 60 Hz with \d+ % to spare; the limit is between 2,\d{3} and \d,\d{3} bodies\.$/,
  );
  const full = whole.cases.map((one) => ofShares(one, [0.85, 0.84, 0.86]));
  const [tight] = verdictsOf({ ...result, cases: full, headroom: [] });
  expect(tight).toMatchObject({ tone: 'tight' });
  expect(tight?.sentence).toContain('with 15 % to spare');
  expect(sentences(only('rapier-simd', 60))[0]).toMatch(/fit too, where the search ended\.$/);
});

test('the verdict on what does not run says whether steps or ticks are too late', () => {
  const over = { ...only('cannon', 240), headroom: [], cases: only('cannon', 240).cases.slice(1) };
  expect(verdictsOf(over)[0]?.tone).toBe('bad');
  expect(sentences(over)[0]).toMatch(
    /cannot simulate 2,000 bodies at 240 Hz: the p99 of the step is [\d.,]+ ms of 4\.17 ms\.$/,
  );
  const { cases } = only('rapier', 60);
  const late = cases.map((one) => Object.assign({}, one, { deadlineMisses: one.ticks }));
  expect(sentences({ ...result, headroom: [], cases: late })).toEqual([
    'This device cannot simulate 500 bodies at 60 Hz: 100 % of the ticks are late, although the steps fit.',
  ]);
});

test('the verdict on a headroom without cases has its interval, or says that it cannot tell', () => {
  const found = present(only('rapier', 60).headroom[0]);
  const range = { bodies: 50, bodiesLow: 40, bodiesHigh: 60 };
  const of = (change: object) =>
    sentences({ ...result, cases: [], headroom: [{ ...found, ...change }] })[0];
  expect(of(range)).toContain('the limit is between 40 and 60 bodies.');
  expect(of({ ...range, bodiesHigh: null })).toContain('at least 40 bodies');
  expect(of({ bodies: 0, bodiesLow: 0, p99Ms: null })).toContain('None of the tested numbers');
  expect(of({ ...range, canTell: false, interruptions: 7 })).toContain('interrupted 7 times');
});

test('a run that was cancelled, quick or failed is described as such first', () => {
  const failure = { ...present(result.cases[0]), message: 'out of memory' };
  const bad = {
    ...only('rapier', 60),
    wasCancelled: true,
    options: { ...result.options, isQuick: true },
    failures: [failure],
  };
  expect(sentences(bad).slice(0, 3)).toEqual([
    'The run was cancelled. Cases are missing, and the limit may be higher.',
    'This was a quick run with rough figures.',
    'One case failed, see below.',
  ]);
  expect(summaryOf(bad)).toContain('out of memory');
  expect(sentences({ ...result, cases: [], headroom: [] })).toEqual(['Nothing was measured.']);
});

test('the summary has a row for each case, and marks the overloaded ones', () => {
  const lines = summaryOf(result).split('\n');
  expect(lines[0]).toBe('Example 8-Core Processor, 8 cores, Linux 6.8 x64');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  const rows = lines.filter((line) => /^ *(?:500|2,000) +(?:60|120|240) /.test(line));
  // In the browser a second table has the frames, in Node the memory.
  expect(rows).toHaveLength(result.cases.length * 2);
  const overloaded = rows.filter((line) => line.endsWith('OVERLOAD'));
  expect(overloaded.length).toBeGreaterThan(0);
  expect(overloaded.length).toBeLessThan(result.cases.length);
});

test('the plan of a run has every combination once, small counts first, a runtime at a time', () => {
  const plan = planWork({ ...result.options, runtimes: ['chromium', 'node'], bodies: [900, 100] });
  const cases = plan.filter(({ kind }) => kind === 'case');
  expect(cases).toHaveLength(2 * 3 * 3 * 2);
  expect(new Set(plan.map((work) => JSON.stringify(work))).size).toBe(plan.length);
  expect(cases.slice(0, 2).map((work) => 'bodies' in work && work.bodies)).toEqual([100, 900]);
  const runtimes = plan.map(({ runtime }) => runtime);
  expect(runtimes).toEqual(runtimes.toSorted());
  // The time that is left shrinks to nothing, at the pace of the finished work.
  const twice = plan.map(({ plannedSeconds }) => plannedSeconds * 2);
  const rest = plan.slice(9).reduce((sum, { plannedSeconds }) => sum + plannedSeconds, 0);
  expect(secondsLeft(plan, twice.slice(0, 9))).toBeCloseTo(rest * 2, 6);
  expect(secondsLeft(plan, twice)).toBe(0);
});
