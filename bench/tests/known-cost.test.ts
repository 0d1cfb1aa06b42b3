/** Steps of known cost, on a scripted clock: the benchmark measures exactly their cost. */
import { expect, test } from 'vitest';
import {
  GRID_STEP,
  isOverloaded,
  isWithinBudget,
  requireResult,
  verdictsOf,
  type BenchOptions,
  type BenchResult,
} from '../engine/index.js';
import { runBench } from '../runner/run-bench.js';
import { DEFAULTS } from '../runner/settings.js';
import { present } from '../../tests/fixtures/present.js';
import { gapsIn } from '../worker/tick-log.js';
import { measureVirtually } from './virtual-bench.js';

const OPTIONS: BenchOptions = {
  ...DEFAULTS,
  engines: ['scripted'],
  runtimes: ['node'],
  bodies: [10],
  tickRatesHz: [100],
  seconds: 1,
  settleTicks: 0,
  repeats: 2,
  searchesHeadroom: false,
};

/** Doubles that are summed in another order. */
const DIGITS = 6;

test('a loop without work counts how often it was interrupted', () => {
  const stepsMs = [0.01, 1.9, 0.01, 7, 2.5, 0.01, 40, 60];
  let [nowMs, reading] = [500, 0];
  // 100 ms are over during the last of these, which is not counted: nothing was read after it.
  expect(gapsIn(() => (nowMs += stepsMs[reading++ % stepsMs.length] ?? 0))).toBe(3);
});

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

test.each([0.125, 2, 9.5])('a step of %d ms measures exactly that', async (costMs) => {
  const [one] = (await measure({ scenes: [`scripted:constant:${costMs}`] })).cases;
  const { stepMs, latenessMs, publishMs, ...result } = present(one);
  for (const value of Object.values(stepMs)) expect(value).toBeCloseTo(costMs, DIGITS);
  expect(result.budgetShare).toBeCloseTo(costMs / 10, DIGITS);
  expect(latenessMs.max).toBeCloseTo(0, DIGITS);
  expect(publishMs.max).toBe(0);
  expect(result).toMatchObject({ deadlineMisses: 0, droppedTicks: 0, effectiveSpeed: 1 });
  expect(result.ticks).toBe(2 * 1 * 100);
  expect(isWithinBudget(present(one))).toBe(true);
  expect(result.worstSecond.map(({ dueMs }) => dueMs)).toEqual(
    Array.from({ length: 100 }, (_, tick) => tick * 10),
  );
});

test('a step that costs in proportion to the bodies grows by a power of 1', async () => {
  const { cases, growth } = await measure({
    scenes: ['scripted:linear:40'],
    bodies: [25, 50, 100],
  });
  const medians = cases.map(({ stepMs }) => stepMs.p50);
  expect(medians).toEqual([1, 2, 4].map((ms) => expect.closeTo(ms, DIGITS)));
  expect(growth).toHaveLength(1);
  expect(growth[0]?.exponent).toBeCloseTo(1, DIGITS);
});

test('a step that varies has the percentiles of its distribution', async () => {
  const [one] = (await measure({ scenes: ['scripted:noisy:4'], seconds: 10 })).cases;
  const { stepMs, percentileCurve } = present(one);
  // Evenly from 2 to 6 ms: the same 2,000 draws of one seed each time.
  expect(stepMs.p50).toBeCloseTo(4, 0);
  expect(stepMs.p95 - 5.8).toBeCloseTo(0, 0);
  expect(stepMs.max).toBeLessThan(6);
  expect(stepMs.max).toBeGreaterThan(5.99);
  expect(percentileCurve[0]?.[1]).toBeGreaterThanOrEqual(2);
  expect(percentileCurve.at(-1)?.[1]).toBeCloseTo(stepMs.max, 3);
});

test('an overload of twice the budget runs at half its speed, and the result says so', async () => {
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

test('an overload begins where the budget ends', async () => {
  const { cases } = await measure({ scenes: ['scripted:linear:100'], bodies: [99, 101] });
  expect(cases.map(isOverloaded)).toEqual([false, true]);
});

test.each([
  ['scripted:linear:400', 25, 100],
  ['scripted:linear:100', 60, 166],
])(
  'the search for headroom of %s at %d Hz finds the %d bodies that fit',
  async (scene, tickRateHz, limit) => {
    const { headroom } = await measure({
      scenes: [scene],
      tickRatesHz: [tickRateHz],
      bodies: [60],
      seconds: 0.4,
      searchesHeadroom: true,
    });
    expect(headroom).toHaveLength(1);
    const { bodies, isBoundedBySearch } = present(headroom[0]);
    expect(bodies).toBeLessThanOrEqual(limit);
    expect(bodies).toBeGreaterThan(limit / GRID_STEP - 1);
    expect(isBoundedBySearch).toBe(false);
  },
);
