/** The search for headroom, against simulations with a known limit. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GRID_STEP, distributionOf, findHeadroom } from '../../../bench/engine/index.js';
import { Random } from '../../../src/shared/index.js';
import { costMs, meanCostMs, type CostModel } from './scripted-bench.js';

const quiet = (exponent: number, limit: number): CostModel => ({
  oneMs: 10 / limit ** exponent,
  exponent,
  noise: 0,
});

const exponents = fc.double({ min: 0.8, max: 2.2, noNaN: true });

test('finds the last count of the grid that fits, from above and from below', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 30, max: 50_000 }),
      exponents,
      fc.integer({ min: 10, max: 20_000 }),
      async (limit, exponent, startBodies) => {
        const model = quiet(exponent, limit + 0.5);
        const found = await findHeadroom(async (bodies) => meanCostMs(model, bodies), {
          budgetMs: 10,
          startBodies,
        });
        expect(found.isBoundedBySearch).toBe(false);
        expect(found.bodies).toBeLessThanOrEqual(limit);
        // A step of the grid, and rounding to whole bodies.
        expect(found.bodies * GRID_STEP + 1.1).toBeGreaterThanOrEqual(limit);
        const counts = found.triedCounts.map(([bodies]) => bodies);
        expect(counts).toEqual([...new Set(counts)].toSorted((a, b) => a - b));
        expect(found.triedCounts.find(([bodies]) => bodies === found.bodies)?.[1]).toBe(
          found.p99Ms,
        );
      },
    ),
  );
});

test('finds it within a step of the grid when every measurement is noisy', async () => {
  for (let seed = 0; seed < 200; seed++) {
    const random = new Random(seed);
    const limit = Math.round(random.between(200, 20_000));
    const model = { ...quiet(random.between(1, 1.6), limit), noise: 0.02 };
    // The p99 of a normal distribution is 2.33 deviations above its mean.
    const budgetMs = 10 * (1 + 2.33 * model.noise);
    const found = await findHeadroom(
      async (bodies) => {
        const steps = Array.from({ length: 600 }, () => costMs(model, bodies, random));
        return distributionOf(steps).p99;
      },
      { budgetMs },
    );
    expect(Math.abs(Math.log(found.bodies / limit) / Math.log(GRID_STEP))).toBeLessThan(2);
  }
});

test('a single hiccup near the limit does not end the search', async () => {
  const model = quiet(1, 1000);
  const hit = new Set<number>();
  const found = await findHeadroom(
    async (bodies) => {
      const isFirst = !hit.has(bodies);
      hit.add(bodies);
      const costs = meanCostMs(model, bodies);
      return isFirst && costs > 6 && costs <= 10 ? 15 : costs;
    },
    { budgetMs: 10 },
  );
  expect(found.bodies).toBeGreaterThan(1000 / GRID_STEP - 1);
});

describe('the limits of the search', () => {
  const model = quiet(1, 1000);
  const measure = async (bodies: number): Promise<number> => meanCostMs(model, bodies);

  test('the maximum number of bodies: every count fits', async () => {
    const found = await findHeadroom(measure, { budgetMs: 10, maxBodies: 777 });
    expect(found).toMatchObject({ bodies: 777, isBoundedBySearch: true });
  });

  test('the number of measurements, repeats included', async () => {
    for (const maxProbes of [0, 1, 3, 5, 8]) {
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

  test('a cancellation, which keeps the results so far', async () => {
    let probes = 0;
    const found = await findHeadroom(
      (bodies) => {
        probes++;
        return measure(bodies);
      },
      { budgetMs: 10, isCancelled: () => probes === 3 },
    );
    expect(found.isBoundedBySearch).toBe(true);
    expect(found.triedCounts).toHaveLength(3);
    expect(found.bodies).toBe(found.triedCounts[2]?.[0]);
  });

  test('not even one body fits', async () => {
    const found = await findHeadroom(async () => 50, { budgetMs: 10 });
    expect(found).toMatchObject({ bodies: 0, p99Ms: null, isBoundedBySearch: false });
  });
});

test('a count that cannot be run does not fit, and has no p99', async () => {
  const found = await findHeadroom(async (bodies) => (bodies > 300 ? Number.NaN : 1), {
    budgetMs: 10,
  });
  expect(found.bodies).toBeGreaterThan(300 / GRID_STEP - 1);
  expect(found.triedCounts.at(-1)?.[1]).toBeNull();
});

async function broken(): Promise<number> {
  throw new Error('no worker');
}

test('an error in a measurement ends the search, and wrong options are named', async () => {
  await expect(findHeadroom(broken, { budgetMs: 10 })).rejects.toThrow('no worker');
  await expect(findHeadroom(broken, { budgetMs: 0 })).rejects.toThrow(/budgetMs.*is 0/);
  await expect(findHeadroom(broken, { budgetMs: 1, maxBodies: 50 })).rejects.toThrow(/maxBodies/);
});
