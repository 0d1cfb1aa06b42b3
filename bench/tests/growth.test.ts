/** The exponent with which cost grows, against planted ones. */
import { expect, test } from 'vitest';
import { fitGrowth, growthOf, studentT, type GrowthPoint } from '../engine/index.js';
import { Random } from '../../src/shared/index.js';
import { costMs, runCase } from './scripted-bench.js';

const COUNTS = [250, 500, 1000, 2000, 4000];
const SEEDS = 100;

/** For how many of a hundred seeds the spread contains the planted exponent. */
function coverage(noise: number, factors: readonly number[], counts = COUNTS): number {
  let held = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new Random(seed);
    const exponent = random.between(0.9, 2);
    const groups = factors.map((factor) =>
      counts.map((bodies): GrowthPoint => {
        return [bodies, factor * costMs({ oneMs: 0.002, exponent, noise }, bodies, random)];
      }),
    );
    const fit = fitGrowth(groups);
    if (fit?.exponentLow === null || fit?.exponentHigh === null || fit === undefined) continue;
    if (fit.exponentLow <= exponent && exponent <= fit.exponentHigh) held++;
  }
  return (held / SEEDS) * 100;
}

test.each([
  ['little noise', 0.01, [1]],
  ['much noise', 0.1, [1]],
  ['a factor for each tick rate', 0.03, [1, 1.7, 0.6]],
] as const)('%s', (_, noise, factors) => {
  const percent = coverage(noise, factors);
  expect(percent).toBeGreaterThanOrEqual(95);
});

test('the spread of the growth contains a planted exponent for 95 of 100 seeds with three counts', () => {
  expect(coverage(0.05, [1], [500, 1000, 2000])).toBeGreaterThanOrEqual(95);
});

test('without noise the exponent of the growth is exact, whatever the factors of the groups', () => {
  const groups = [
    [0.001, [500, 1000]],
    [0.3, [2000, 4000]],
    [7, [100]],
  ] as const;
  const fit = fitGrowth(
    groups.map(([factor, counts]) =>
      counts.map((bodies): GrowthPoint => [bodies, factor * bodies ** 1.37]),
    ),
  );
  expect(fit?.exponent).toBeCloseTo(1.37, 10);
  expect(fit?.exponentLow).toBeCloseTo(1.37, 6);
  expect(fit?.points).toHaveLength(5);
});

test('the growth of a result has a row for each scene, engine and runtime, and a point for each repeat', () => {
  const random = new Random(5);
  const model = { oneMs: 0.001, exponent: 1.3, noise: 0.02 };
  const cases = (['node', 'chromium'] as const).flatMap((runtime) =>
    [60, 120].flatMap((tickRateHz) =>
      [500, 1000].map((bodies) =>
        runCase(model, { scene: 'a', engine: 'b', runtime, bodies, tickRateHz }, random),
      ),
    ),
  );
  const growth = growthOf(cases);
  expect(growth.map(({ runtime }) => runtime)).toEqual(['node', 'chromium']);
  for (const { exponent, points } of growth) {
    expect(points).toHaveLength(12);
    expect(Math.abs(exponent - 1.3)).toBeLessThan(0.03);
  }
});

test("Student's t matches the tables", () => {
  const table: readonly (readonly [number, number])[] = [
    [1, 63.657],
    [2, 9.925],
    [3, 5.841],
    [4, 4.604],
    [5, 4.032],
    [10, 3.169],
    [30, 2.75],
    [120, 2.617],
  ];
  for (const [freedom, value] of table) {
    expect(Math.abs(studentT(freedom) / value - 1)).toBeLessThan(0.009);
  }
});
