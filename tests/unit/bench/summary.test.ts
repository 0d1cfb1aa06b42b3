/** The text of a result: sentences, the terminal's tables, and progress. */
import { describe, expect, test } from 'vitest';
import {
  countText,
  durationText,
  msText,
  percentText,
  planWork,
  secondsLeft,
  summaryOf,
  verdictsOf,
  type BenchResult,
  type CaseResult,
} from '../../../bench/engine/index.js';
import { present } from '../../fixtures/present.js';
import { scriptedResult } from './scripted-bench.js';

const result = scriptedResult(1, { seconds: 2, bodies: [500, 2000] });

/** Of one engine at one rate in Node. */
function only(engine: string, tickRateHz: number, from: BenchResult = result): BenchResult {
  const isIt = (one: { engine: string; runtime: string; tickRateHz: number }): boolean =>
    one.engine === engine && one.runtime === 'node' && one.tickRateHz === tickRateHz;
  return { ...from, cases: from.cases.filter(isIt), headroom: from.headroom.filter(isIt) };
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

describe('verdicts', () => {
  test('shows what runs, with the time to spare and the limit', () => {
    const [verdict] = verdictsOf(only('rapier', 60));
    expect(verdict?.tone).toBe('good');
    expect(verdict?.sentence).toMatch(
      /^This device can simulate 2,000 bodies at 60 Hz with \d+ % to spare; the limit is between 2,\d{3} and \d,\d{3} bodies\.$/,
    );
    expect(verdict?.subject).toBe('heap, rapier, node');
    const { cases } = only('rapier', 60);
    const full = cases.map((one) => ofShares(one, [0.85, 0.84, 0.86]));
    const [tight] = verdictsOf({ ...result, cases: full, headroom: [] });
    expect(tight).toMatchObject({ tone: 'tight' });
    expect(tight?.sentence).toContain('with 15 % to spare');
  });

  test("a worker's own simulation without bodies is described as such, and never has all the time to spare", () => {
    const [given] = only('rapier', 60).cases;
    const one = { ...ofShares(present(given), [0.0004]), bodies: 0 };
    const alone = { ...result, cases: [one], headroom: [], growth: [] };
    expect(sentences(alone)).toEqual([
      'This device can simulate this simulation at 60 Hz with over 99 % to spare.',
    ]);
    expect(summaryOf(alone)).not.toMatch(/\b0 (?:bodies|at)|100 %/);
  });

  test('a search that ended before the limit is reported', () => {
    expect(sentences(only('rapier-simd', 60))[0]).toMatch(/fit too, where the search ended\.$/);
  });

  test('a case that does not fit', () => {
    const [verdict] = verdictsOf({
      ...only('cannon', 240),
      headroom: [],
      cases: only('cannon', 240).cases.slice(1),
    });
    expect(verdict?.tone).toBe('bad');
    expect(verdict?.sentence).toMatch(
      /cannot simulate 2,000 bodies at 240 Hz: the p99 of the step is [\d.,]+ ms of 4\.17 ms\.$/,
    );
  });

  test('steps that fit while ticks come late do not fit', () => {
    const { cases } = only('rapier', 60);
    const late = cases.map((one) => Object.assign({}, one, { deadlineMisses: one.ticks }));
    expect(sentences({ ...result, headroom: [], cases: late })).toEqual([
      'This device cannot simulate 500 bodies at 60 Hz: 100 % of the ticks are late, although the steps fit.',
    ]);
  });

  test('a run that was cancelled, quick or failed is described as such first', () => {
    const [failure] = result.cases;
    const bad = {
      ...only('rapier', 60),
      wasCancelled: true,
      options: { ...result.options, isQuick: true },
      failures: failure === undefined ? [] : [{ ...failure, message: 'out of memory' }],
    };
    expect(sentences(bad).slice(0, 3)).toEqual([
      'The run was cancelled. Cases are missing, and the limit may be higher.',
      'This was a quick run with rough figures.',
      'One case failed, see below.',
    ]);
    expect(summaryOf(bad)).toContain('out of memory');
    expect(sentences({ ...result, cases: [], headroom: [] })).toEqual(['Nothing was measured.']);
  });

  test('headroom without cases', () => {
    const [found] = only('rapier', 60).headroom;
    const of = (change: object): string | undefined => {
      const headroom = found === undefined ? [] : [{ ...found, ...change }];
      return sentences({ ...result, cases: [], headroom })[0];
    };
    const range = { bodies: 50, bodiesLow: 40, bodiesHigh: 60 };
    expect(of(range)).toBe(
      'This device can simulate up to 50 bodies at 60 Hz; the limit is between 40 and 60 bodies.',
    );
    expect(of({ ...range, bodiesHigh: null })).toContain('at least 40 bodies');
    expect(of({ bodies: 0, bodiesLow: 0, p99Ms: null })).toContain('None of the tested numbers');
    expect(of({ ...range, canTell: false, interruptions: 7 })).toBe(
      'What fits at 60 Hz, this run cannot tell: the machine was interrupted 7 times.',
    );
  });
});

describe('the table for the terminal', () => {
  const text = summaryOf(result);
  const lines = text.split('\n');

  test('begins with the machine and fits into 120 columns', () => {
    expect(lines[0]).toBe('Example 8-Core Processor, 8 cores, Linux 6.8 x64');
    expect(lines[1]).toContain('chromium 156.0.1, node 20.20.0');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  });

  test('has a row for each case, and marks the overloaded ones', () => {
    const rows = lines.filter((line) => /^ *(?:500|2,000) +(?:60|120|240) /.test(line));
    // In the browser a second table has the frames, in Node the memory.
    expect(rows).toHaveLength(result.cases.length * 2);
    const overloaded = rows.filter((line) => line.endsWith('OVERLOAD'));
    expect(overloaded.length).toBeGreaterThan(0);
    expect(overloaded.length).toBeLessThan(result.cases.length);
  });

  test('fits 120 columns with long names and large figures', () => {
    const long = 'a-very-long-name-of-an-engine-'.repeat(6);
    const wide = summaryOf({
      ...result,
      cases: result.cases.map((one) =>
        Object.assign({}, one, {
          engine: long,
          bodies: 1_000_000,
          droppedTicks: 123_456,
          budgetShare: 123.4,
        }),
      ),
      headroom: result.headroom.map((one) => Object.assign({}, one, { engine: long })),
    });
    const widths = wide.split('\n').map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(120);
  });
});

describe('progress', () => {
  const plan = planWork({ ...result.options, runtimes: ['chromium', 'node'], bodies: [900, 100] });

  test('every combination once, small counts first, a runtime at a time', () => {
    const cases = plan.filter(({ kind }) => kind === 'case');
    expect(cases).toHaveLength(2 * 3 * 3 * 2);
    expect(plan.filter(({ kind }) => kind === 'headroom')).toHaveLength(2 * 3 * 3);
    expect(new Set(plan.map((work) => JSON.stringify(work))).size).toBe(plan.length);
    expect(plan.map(({ runtime }) => runtime)).toEqual([
      ...Array.from({ length: plan.length / 2 }, () => 'chromium'),
      ...Array.from({ length: plan.length / 2 }, () => 'node'),
    ]);
    expect(cases.slice(0, 2).map((work) => 'bodies' in work && work.bodies)).toEqual([100, 900]);
  });

  test('the remaining time shrinks to nothing, at the pace of the finished work', () => {
    const planned = plan.reduce((sum, { plannedSeconds }) => sum + plannedSeconds, 0);
    expect(secondsLeft(plan, [])).toBeCloseTo(planned, 6);
    const twice = plan.map(({ plannedSeconds }) => plannedSeconds * 2);
    const half = Math.floor(plan.length / 2);
    const leftSeconds = plan
      .slice(half)
      .reduce((sum, { plannedSeconds }) => sum + plannedSeconds, 0);
    expect(secondsLeft(plan, twice.slice(0, half))).toBeCloseTo(leftSeconds * 2, 6);
    expect(secondsLeft(plan, twice)).toBe(0);
  });
});

test('figures as text', () => {
  expect([0, 0.0004, 0.0042, 0.0999, 0.42, 9.99, 9.999, 45.67, 99.96, 12_345].map(msText)).toEqual([
    '0',
    '0',
    '0.004',
    '0.10',
    '0.42',
    '9.99',
    '10.0',
    '45.7',
    '100',
    '12,345',
  ]);
  expect([-0.0001, -1.5, -1234].map(msText)).toEqual(['0', '-1.50', '-1,234']);
  expect([0, 0.0004, 0.034, 0.7, 12.3].map(percentText)).toEqual([
    '0 %',
    '< 0.1 %',
    '3.4 %',
    '70 %',
    '1,230 %',
  ]);
  expect([7, 1234567].map(countText)).toEqual(['7', '1,234,567']);
  expect([3.2, 99, 130, 7300].map(durationText)).toEqual(['4 s', '99 s', '3 min', '2 h 2 min']);
});
