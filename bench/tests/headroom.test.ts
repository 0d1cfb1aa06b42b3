/** The search for headroom, against simulations with a known limit. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GRID_STEP, distributionOf, findHeadroom } from '../engine/index.js';
import { Random } from '../../src/shared/index.js';
import { costMs, meanCostMs, normal, type CostModel } from './scripted-bench.js';

const quiet = (exponent: number, limit: number): CostModel => ({
  oneMs: 10 / limit ** exponent,
  exponent,
  noise: 0,
});

/** A thousand bodies take 10 ms. */
const thousand = quiet(1, 1000);

/** A measurement of steps that all cost the same. */
const steady = (ms: number) => ({
  p50Ms: ms,
  p99Ms: ms,
  ticks: 120,
  interruptions: 0,
  longSteps: 0,
});

const exponents = fc.double({ min: 0.8, max: 2.2, noNaN: true });

test('the search for headroom finds a count that fits and is close to the limit, from above and from below', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 30, max: 50_000 }),
      exponents,
      fc.integer({ min: 10, max: 20_000 }),
      async (limit, exponent, startBodies) => {
        const model = quiet(exponent, limit + 0.5);
        const found = await findHeadroom(async (bodies) => steady(meanCostMs(model, bodies)), {
          budgetMs: 10,
          startBodies,
        });
        expect(found).toMatchObject({ isBoundedBySearch: false, canTell: true, interruptions: 0 });
        expect(found.bodies).toBeLessThanOrEqual(limit);
        // A step of the grid, and rounding to whole bodies.
        expect(found.bodies * GRID_STEP + 1.1).toBeGreaterThanOrEqual(limit);
        expect(found.bodiesLow).toBeLessThanOrEqual(found.bodies);
        expect(found.bodiesHigh ?? Infinity).toBeGreaterThan(limit);
        const counts = found.fit.map(([bodies]) => bodies);
        expect(counts).toEqual([...new Set(counts)].toSorted((a, b) => a - b));
        expect(found.fit.find(([bodies]) => bodies === found.bodies)?.[1]).toBe(found.p99Ms);
      },
    ),
    { numRuns: 8 },
  );
});

test.each([
  ['of a calm machine, measured for long', 0.02, 0.004, 300, 30],
  ['of a quick run', 0.05, 0.03, 42, 13],
  ['of a bad day', 0.1, 0.08, 42, 13],
])(
  'the interval of the headroom contains the limit with the noise %s',
  async (_, noise, betweenRuns, ticks, maxProbes) => {
    const runs = 8;
    let covered = 0;
    let errors = 0;
    for (let seed = 0; seed < runs; seed++) {
      const random = new Random(seed);
      const limit = Math.round(random.between(200, 20_000));
      const model = { ...quiet(random.between(1, 1.6), limit), noise };
      // The p99 of a normal distribution is 2.33 deviations above its mean.
      const budgetMs = 10 * (1 + 2.33 * noise);
      const measure = async (bodies: number) => {
        const factor = Math.exp(betweenRuns * normal(random));
        const steps = Array.from({ length: ticks }, () => factor * costMs(model, bodies, random));
        const { p50, p99 } = distributionOf(steps);
        return { p50Ms: p50, p99Ms: p99, ticks: 120, interruptions: 0, longSteps: 0 };
      };
      const known = [];
      for (const bodies of [500, 500, 500, 2000, 2000, 2000]) {
        known.push({ bodies, ...(await measure(bodies)) });
      }
      const found = await findHeadroom(measure, { budgetMs, known, maxProbes });
      expect(found.measurements.length).toBeLessThanOrEqual(known.length + maxProbes);
      expect(found.measurements.slice(0, known.length)).toEqual(known);
      const isIn = found.bodiesLow <= limit && (found.bodiesHigh ?? Infinity) >= limit;
      covered += isIn ? 1 : 0;
      errors += Math.abs(Math.log(Math.max(1, found.bodies) / limit)) / runs;
    }
    expect(covered / runs).toBeGreaterThanOrEqual(0.95);
    expect(errors).toBeLessThan(2 * Math.hypot(Math.log(GRID_STEP), betweenRuns));
  },
);

const disturbed = (bodies: number) => {
  const costs = meanCostMs(thousand, bodies);
  return { p50Ms: costs, p99Ms: costs + 8, ticks: 120, interruptions: 2, longSteps: 0 };
};

test('a machine that interrupts the worker in every measurement leaves open what it hides, and is counted', async () => {
  const found = await findHeadroom(async (bodies) => disturbed(bodies), {
    budgetMs: 10,
    startBodies: 700,
  });
  expect(found).toMatchObject({ canTell: false, interruptions: 6, fit: [], bodiesHigh: null });
});

test('a machine that interrupts the worker does not hide what fits all the same, and what does not fit even half of the time', async () => {
  const found = await findHeadroom(async (bodies) => disturbed(bodies), {
    budgetMs: 10,
    startBodies: 100,
  });
  expect(found.canTell).toBe(false);
  expect(found.bodiesLow).toBeGreaterThanOrEqual(100);
  expect(found.bodiesLow).toBeLessThanOrEqual(200);
  const over = await findHeadroom(async (bodies) => disturbed(bodies), {
    budgetMs: 10,
    startBodies: 2000,
  });
  expect(over.bodiesHigh).toBeLessThanOrEqual(2000);
  expect(over.bodiesHigh).toBeGreaterThan(1000);
});

test('a machine that interrupts the worker now and then costs only repeats', async () => {
  let probes = 0;
  const found = await findHeadroom(
    async (bodies) =>
      ++probes % 3 === 0 ? disturbed(bodies) : steady(meanCostMs(thousand, bodies)),
    { budgetMs: 10 },
  );
  expect(found.canTell).toBe(true);
  expect(found.interruptions).toBe(2 * Math.floor(probes / 3));
  expect(found.bodies).toBeLessThanOrEqual(1000);
  expect(found.bodies).toBeGreaterThan(1000 / GRID_STEP - 1);
});

const measure = async (bodies: number) => steady(meanCostMs(thousand, bodies));

test('the search for headroom makes at most the given number of measurements, repeats included', async () => {
  for (const maxProbes of [0, 1, 3, 5]) {
    let probes = 0;
    const found = await findHeadroom(
      (bodies) => {
        probes++;
        return measure(bodies);
      },
      { budgetMs: 10, maxProbes },
    );
    expect(probes).toBeLessThanOrEqual(maxProbes);
    expect(found.isBoundedBySearch).toBe(true);
    expect(found.bodies).toBeLessThanOrEqual(1000);
  }
});

test('the search for headroom keeps its results when it is cancelled', async () => {
  let probes = 0;
  const found = await findHeadroom(
    (bodies) => {
      probes++;
      return measure(bodies);
    },
    { budgetMs: 10, isCancelled: () => probes === 2 },
  );
  expect(found.isBoundedBySearch).toBe(true);
  expect(found.fit).toHaveLength(2);
  expect(found.bodies).toBe(found.fit[1]?.[0]);
});

test('the search for headroom finds nothing when not even one body fits', async () => {
  const found = await findHeadroom(async () => steady(50), { budgetMs: 10 });
  expect(found).toMatchObject({ bodies: 0, p99Ms: null, isBoundedBySearch: false });
});

test('a number of bodies that cannot be run does not fit, and has no p99', async () => {
  const found = await findHeadroom(
    async (bodies) => (bodies > 300 ? { ...steady(0), p50Ms: null, p99Ms: null } : steady(1)),
    { budgetMs: 10 },
  );
  expect(found.bodies).toBeGreaterThan(300 / GRID_STEP - 1);
  expect(found.bodiesHigh).toBeGreaterThan(300);
  expect(found.fit.at(-1)?.[1]).toBeNull();
});
