/** The fit behind every statement on the limit: what it says of noisy and of interrupted machines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fitLimit,
  interruptedOf,
  interruptionsIn,
  levelsOf,
  medianOf,
  poolViolators,
  requireResult,
  summaryOf,
  verdictsOf,
  type BenchOptions,
  type BenchResult,
  type Measurement,
} from '../engine/index.js';
import { runBench } from '../runner/run-bench.js';
import { QUICK } from '../runner/settings.js';
import { Random } from '../../src/shared/index.js';
import { present } from '../../tests/fixtures/present.js';
import { normal } from './scripted-bench.js';
import { measureVirtually, type Noise } from './virtual-bench.js';

const values = fc.double({ min: -3, max: 3, noNaN: true });
const groups = fc.array(fc.array(values, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 7,
});
const distance = (all: readonly (readonly number[])[], levels: readonly number[]): number =>
  all.flat().length === 0
    ? 0
    : all.reduce(
        (sum, group, index) =>
          sum + group.reduce((part, one) => part + Math.abs(one - present(levels[index])), 0),
        0,
      );

test('the levels of a fit are the medians where these increase already', () => {
  fc.assert(
    fc.property(groups, (given) => {
      const rising = given.map((group, index) => group.map((one) => one + 7 * index));
      expect(levelsOf(poolViolators(rising))).toEqual(rising.map(medianOf));
    }),
  );
});

test('the levels of a fit do not decrease, and no others are closer to the values', () => {
  fc.assert(
    fc.property(groups, fc.array(values, { minLength: 7, maxLength: 7 }), (given, others) => {
      const levels = levelsOf(poolViolators(given));
      expect(levels).toEqual(levels.toSorted((a, b) => a - b));
      const rising = others.slice(0, given.length).toSorted((a, b) => a - b);
      expect(distance(given, levels)).toBeLessThanOrEqual(distance(given, rising) + 1e-9);
    }),
  );
});

const having = (interruptions: number, longSteps: number) => ({
  ticks: 60,
  interruptions,
  longSteps,
});

const stepsMs = [2, 2.1, 1.9, 2, 30];
const of = (wakeUpsMs: readonly number[], gaps: number) => interruptedOf(stepsMs, wakeUpsMs, gaps);

test('interruptions are late wake-ups and gaps', () => {
  expect(of([0.1, 0.1, 0.2, 0.1], 0)).toEqual({ ticks: 5, interruptions: 0, longSteps: 1 });
  expect(of([0.1, 0.1, 9, 0.1], 3)).toEqual({ ticks: 5, interruptions: 4, longSteps: 1 });
  // A system whose timers are always late interrupts nothing.
  expect(of([15.6, 15.5, 15.6, 15.7], 0).interruptions).toBe(0);
});

test('interruptions are also long steps, if there are late wake-ups or gaps and not many more long steps', () => {
  expect(interruptionsIn([having(0, 1), having(0, 2)])).toEqual([0, 0]);
  expect(interruptionsIn([having(0, 1), having(1, 2)])).toEqual([1, 3]);
  expect(interruptionsIn([having(0, 9), having(1, 2)])).toEqual([0, 1]);
});

test('the fit of a limit and its interval are in order, whatever was measured', () => {
  const measurement: fc.Arbitrary<Measurement> = fc.record({
    bodies: fc.integer({ min: 1, max: 5000 }),
    p50Ms: fc.option(fc.double({ min: 0, max: 40, noNaN: true })),
    p99Ms: fc.option(fc.double({ min: 0, max: 40, noNaN: true })),
    interruptions: fc.integer({ min: 0, max: 5 }),
    ticks: fc.integer({ min: 1, max: 500 }),
    longSteps: fc.integer({ min: 0, max: 5 }),
  });
  fc.assert(
    fc.property(fc.array(measurement, { maxLength: 8 }), (measurements) => {
      const { bodies, bodiesLow, bodiesHigh, fit, p99Ms } = fitLimit(measurements, 10);
      const costs = fit.map(([, ms]) => ms ?? Infinity);
      expect(costs).toEqual(costs.toSorted((a, b) => a - b));
      expect(bodiesLow).toBeLessThanOrEqual(bodies);
      expect(bodiesHigh ?? Infinity).toBeGreaterThan(bodies);
      expect(p99Ms ?? 0).toBeLessThanOrEqual(10 + 1e-9);
      for (const [count, ms] of fit) expect(count <= bodies).toBe((ms ?? Infinity) <= 10 + 1e-9);
    }),
    { numRuns: 25 },
  );
});

const OPTIONS: BenchOptions = {
  ...QUICK,
  scenes: ['scripted:linear:200'],
  engines: ['scripted'],
  runtimes: ['node'],
  bodies: [30, 60],
  tickRatesHz: [60],
  repeats: 3,
  settleTicks: 0,
};
/** Of 200 ms for 1,000 bodies, without noise. */
const LIMIT = 83;

async function measuredWith(noise: Noise): Promise<BenchResult> {
  const result = await runBench({
    options: OPTIONS,
    seed: 1,
    machine: { cores: 1, cpu: null, os: 'test', runtimes: {}, engines: {} },
    measure: (request) => measureVirtually(request, noise),
    isStopRequested: () => false,
    now: () => 0,
  });
  return requireResult(JSON.parse(JSON.stringify(result)));
}

/** @param meanMs Mean time between two pauses of the machine. */
function noiseOf(seed: number, spread: number, meanMs = Infinity, maxMs = 30): Noise {
  const random = new Random(seed);
  return {
    ofRepeat: () => Math.exp((spread / 2) * normal(random)),
    ofStep: () => Math.exp(spread * normal(random)),
    nextPause: () => ({
      afterMs: -Math.log(1 - random.next()) * meanMs,
      lengthMs: random.between(6, maxMs),
    }),
  };
}

/** What the summary says of the limit and of the cases must follow from the row of the headroom. */
function expectAgreement(result: BenchResult): void {
  const headroom = present(result.headroom[0]);
  const { bodiesLow, bodiesHigh, canTell, interruptions } = headroom;
  const sentence = present(verdictsOf(result).find(({ tone }) => tone !== 'note')).sentence;
  const [, can] = /^This device can simulate (\d+) bodies/.exec(sentence) ?? [];
  const [, cannot] = /^This device cannot simulate (\d+) bodies/.exec(sentence) ?? [];
  expect(Number(can ?? 0)).toBeLessThanOrEqual(bodiesLow);
  expect(Number(cannot ?? Infinity)).toBeGreaterThanOrEqual(bodiesHigh ?? 0);
  const [, low, high] = /is between ([\d,]+) and ([\d,]+) bodies/.exec(sentence) ?? [];
  const said = [low, high].map((text) =>
    text === undefined ? text : Number(text.replace(',', '')),
  );
  expect([
    [undefined, undefined],
    [bodiesLow, bodiesHigh],
  ]).toContainEqual(said);
  const cannotTell = `cannot tell: the machine was interrupted ${interruptions} times`;
  expect(sentence.includes(cannotTell)).toBe(!canTell);
  const row = present(
    summaryOf(result)
      .split('\n')
      .find((line) => line.includes('between')),
  );
  expect(summaryOf(result).includes(' cannot tell')).toBe(!canTell);
  expect(row.length).toBeGreaterThan(0);
}

test('the summary agrees with the headroom on a noisy machine, and the interval contains the limit', async () => {
  let covered = 0;
  const runs = 3;
  for (let seed = 0; seed < runs; seed++) {
    const spread = 0.05;
    const result = await measuredWith(noiseOf(seed, spread));
    expectAgreement(result);
    const { bodiesLow, bodiesHigh, canTell } = present(result.headroom[0]);
    expect(canTell).toBe(true);
    const limit = LIMIT / Math.exp(2.33 * spread);
    covered += bodiesLow <= limit && limit <= (bodiesHigh ?? Infinity) ? 1 : 0;
  }
  expect(covered).toBe(runs);
});

test('the headroom is right or cannot tell on a machine that interrupts, from now and then to all the time', async () => {
  let untold = 0;
  for (const [seed, meanMs] of [4000, 600, 60].entries()) {
    const result = await measuredWith(noiseOf(seed, 0.02, meanMs));
    expectAgreement(result);
    const { bodiesLow, bodiesHigh, canTell, interruptions } = present(result.headroom[0]);
    expect(interruptions).toBeGreaterThan(0);
    expect(bodiesLow).toBeLessThanOrEqual(LIMIT);
    expect(bodiesHigh ?? Infinity).toBeGreaterThanOrEqual(LIMIT / Math.exp(2.33 * 0.02));
    untold += canTell ? 0 : 1;
  }
  // Seldom enough, the limit is found; often enough, it is not, and that is said.
  expect(untold).toBeGreaterThan(0);
  expect(untold).toBeLessThan(3);
});
