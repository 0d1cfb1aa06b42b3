/** Steps of known cost, on a scripted clock: the benchmark measures exactly their cost. */
import { describe, expect, test } from 'vitest';
import {
  GRID_STEP,
  isOverloaded,
  isWithinBudget,
  requireResult,
  verdictsOf,
  type BenchOptions,
  type BenchResult,
} from '../../../bench/engine/index.js';
import { runBench } from '../../../bench/runner/run-bench.js';
import { DEFAULTS } from '../../../bench/runner/settings.js';
import { present } from '../../fixtures/present.js';
import { measureVirtually } from './virtual-bench.js';

const OPTIONS: BenchOptions = {
  ...DEFAULTS,
  engines: ['scripted'],
  runtimes: ['node'],
  bodies: [10],
  tickRatesHz: [100],
  seconds: 2,
  settleTicks: 0,
  repeats: 2,
  searchesHeadroom: false,
};

/** Doubles that are summed in another order. */
const DIGITS = 6;

async function measure(options: Partial<BenchOptions>): Promise<BenchResult> {
  const result = await runBench({
    options: { ...OPTIONS, ...options },
    seed: 1,
    machine: { cores: 1, cpu: null, os: 'test', runtimes: {}, engines: {} },
    measure: measureVirtually,
    isStopRequested: () => false,
    now: () => 0,
  });
  expect(result.failures).toEqual([]);
  // As it is written to a file, and validated when it is read.
  const read = requireResult(JSON.parse(JSON.stringify(result)));
  expect(read).toEqual(result);
  return read;
}

describe('a step of known cost', () => {
  test.each([0.125, 2, 9.5])('of %d ms measures exactly that', async (costMs) => {
    const [one] = (await measure({ scenes: [`scripted:constant:${costMs}`] })).cases;
    const { stepMs, latenessMs, publishMs, ...result } = present(one);
    for (const value of Object.values(stepMs)) expect(value).toBeCloseTo(costMs, DIGITS);
    expect(result.budgetShare).toBeCloseTo(costMs / 10, DIGITS);
    expect(latenessMs.max).toBeCloseTo(0, DIGITS);
    expect(publishMs.max).toBe(0);
    expect(result).toMatchObject({ deadlineMisses: 0, droppedTicks: 0, effectiveSpeed: 1 });
    expect(result.ticks).toBe(2 * 2 * 100);
    expect(isWithinBudget(present(one))).toBe(true);
    expect(result.worstSecond.map(({ dueMs }) => dueMs)).toEqual(
      Array.from({ length: 100 }, (_, tick) => tick * 10),
    );
  });

  test('in proportion to the bodies grows by a power of 1', async () => {
    const { cases, growth } = await measure({
      scenes: ['scripted:linear:4'],
      bodies: [250, 500, 1000],
    });
    const medians = cases.map(({ stepMs }) => stepMs.p50);
    expect(medians).toEqual([1, 2, 4].map((ms) => expect.closeTo(ms, DIGITS)));
    expect(growth).toHaveLength(1);
    expect(growth[0]?.exponent).toBeCloseTo(1, DIGITS);
  });

  test('that varies has the percentiles of its distribution', async () => {
    const [one] = (await measure({ scenes: ['scripted:noisy:4'], seconds: 20 })).cases;
    const { stepMs, percentileCurve } = present(one);
    // Evenly from 2 to 6 ms: the same 2,000 draws of one seed each time.
    expect(stepMs.p50).toBeCloseTo(4, 0);
    expect(stepMs.p95 - 5.8).toBeCloseTo(0, 0);
    expect(stepMs.max).toBeLessThan(6);
    expect(stepMs.max).toBeGreaterThan(5.99);
    expect(percentileCurve[0]?.[1]).toBeGreaterThanOrEqual(2);
    expect(percentileCurve.at(-1)?.[1]).toBeCloseTo(stepMs.max, 3);
  });
});

describe('an overload', () => {
  test('of twice the budget runs at half its speed, and the result says so', async () => {
    const result = await measure({ scenes: ['scripted:constant:20'] });
    const one = present(result.cases[0]);
    expect(isOverloaded(one)).toBe(true);
    expect(isWithinBudget(one)).toBe(false);
    expect(one.budgetShare).toBeCloseTo(2, DIGITS);
    expect(one.stepMs.p50).toBeCloseTo(20, DIGITS);
    // To a pass of catch-up at either end of the measured time.
    expect(Math.abs(one.droppedTicks - one.ticks)).toBeLessThanOrEqual(2 * 2 * 5);
    expect(one.effectiveSpeed).toBeCloseTo(0.5, 1);
    expect(one.deadlineMisses).toBe(one.ticks);
    expect(verdictsOf(result)).toMatchObject([
      { tone: 'bad', sentence: expect.stringContaining('cannot simulate 10 bodies at 100 Hz') },
    ]);
  });

  test('begins where the budget ends', async () => {
    const { cases } = await measure({ scenes: ['scripted:linear:10'], bodies: [999, 1001] });
    expect(cases.map(isOverloaded)).toEqual([false, true]);
  });
});

describe('the search for headroom', () => {
  test.each([
    ['scripted:linear:40', 25, 1000],
    ['scripted:linear:20', 60, 833],
    ['scripted:linear:10', 240, 416],
  ])('of %s at %d Hz finds the %d bodies that fit', async (scene, tickRateHz, limit) => {
    const { headroom } = await measure({
      scenes: [scene],
      tickRatesHz: [tickRateHz],
      bodies: [300],
      seconds: 0.5,
      searchesHeadroom: true,
    });
    expect(headroom).toHaveLength(1);
    const { bodies, isBoundedBySearch } = present(headroom[0]);
    expect(bodies).toBeLessThanOrEqual(limit);
    expect(bodies).toBeGreaterThan(limit / GRID_STEP - 1);
    expect(isBoundedBySearch).toBe(false);
  });
});
