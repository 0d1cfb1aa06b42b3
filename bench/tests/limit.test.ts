/** How many bodies a device simulates, on devices whose step times are known. */
import { expect, test } from 'vitest';
import { Random } from '../../src/shared/index.js';
import {
  changeOf,
  limitOf,
  nextCount,
  roundCount,
  sentenceOf,
  type Limit,
  type Measurement,
} from '../engine/index.js';

const BUDGET_MS = 1000 / 60;

const next = (measurements: readonly Measurement[]): number | undefined =>
  nextCount(measurements, BUDGET_MS, { start: 100, max: 16_384, times: 3 });

/** @param timesOf A fast and a slow step of a number of bodies, in ms. */
function search(timesOf: (bodies: number) => readonly [fast: number, slow: number]) {
  const measurements: Measurement[] = [];
  const limits: Limit[] = [];
  for (;;) {
    const bodies = next(measurements);
    if (bodies === undefined) break;
    const [p25Ms, p90Ms] = timesOf(bodies);
    measurements.push({ bodies, p25Ms, p90Ms });
    limits.push(limitOf(measurements, BUDGET_MS));
    expect(limits.length).toBeLessThan(40);
  }
  return { limits, last: limits.at(-1) ?? limitOf(measurements, BUDGET_MS) };
}

/** As measured of a heap: 8.8 ms for 2,000. */
const costOf = (bodies: number): number => 8.8 * (bodies / 2000) ** 1.4;

test.each([1, 40, 1000, 3100])(
  'a device whose steps are all alike has narrow bounds around its limit of %d bodies',
  (bodies) => {
    const { limits, last } = search((count) => {
      const ms = (BUDGET_MS * costOf(count)) / costOf(bodies + 0.5);
      return [ms, ms];
    });
    expect(last.bodiesLow).toBeLessThanOrEqual(bodies);
    expect(last.bodiesHigh).toBeGreaterThan(bodies);
    expect(last.bodiesHigh ?? Infinity).toBeLessThanOrEqual(
      Math.max(1.08 * last.bodiesLow, bodies + 2),
    );
    expect(limits.length).toBeLessThan(16);
  },
);

test.each([1, 2, 3, 4, 5])(
  'on a busy device the bounds only come closer, around the limit (%d)',
  (seed) => {
    const random = new Random(seed);
    const { limits, last } = search((count) => {
      const fast = costOf(count) * random.between(0.9, 1.1);
      return [fast, fast * random.between(1.1, 6)];
    });
    for (const [index, { bodies, bodiesLow, bodiesHigh }] of limits.entries()) {
      const before = limits[index - 1];
      expect(bodiesLow).toBeGreaterThanOrEqual(before?.bodiesLow ?? 0);
      expect(bodiesHigh ?? Infinity).toBeLessThanOrEqual(before?.bodiesHigh ?? Infinity);
      expect(bodies).toBeGreaterThanOrEqual(bodiesLow);
      expect(bodies).toBeLessThanOrEqual(bodiesHigh ?? Infinity);
    }
    // 3,156 bodies at 16.7 ms.
    expect(last.bodiesLow).toBeLessThan(3400);
    expect(last.bodiesHigh).toBeGreaterThan(2900);
  },
);

const of = (bodies: number, p25Ms: number, p90Ms: number): Measurement => ({
  bodies,
  p25Ms,
  p90Ms,
});

test('the best measurement of a number counts, and a disturbed one is repeated before it decides', () => {
  const known = [of(1000, 16, 16.5)];
  expect(limitOf([...known, of(1050, 17, 60)], BUDGET_MS).bodiesHigh).toBeNull();
  expect(next([...known, of(1050, 17, 60)])).toBe(1050);
  const twice = [...known, of(1050, 17, 60), of(1050, 18, 70)];
  expect(limitOf(twice, BUDGET_MS)).toMatchObject({ bodiesLow: 1000, bodiesHigh: 1050 });
  expect(next(twice)).toBeUndefined();
  // As only a link by hand has it.
  expect(limitOf([of(900, 18, 20), ...known], BUDGET_MS)).toMatchObject({
    bodiesLow: 1000,
    bodiesHigh: null,
  });
  const better = [...known, of(1050, 17, 60), of(1050, 9, 12)];
  expect(limitOf(better, BUDGET_MS)).toMatchObject({ bodiesLow: 1050, bodiesHigh: null });
});

test('a number is not too slow if fewer bodies were so fast that the machine must have done other work', () => {
  const known = [of(800, 4.5, 47)];
  const disturbed = [...known, of(1150, 113, 191)];
  expect(limitOf(disturbed, BUDGET_MS).bodiesHigh).toBeNull();
  expect(next(disturbed)).toBe(1150);
  expect(limitOf([...known, of(1700, 61, 90)], BUDGET_MS).bodiesHigh).toBe(1700);
  // A bound stays where it is.
  expect(limitOf([...known, of(1700, 61, 90), of(1500, 5, 30)], BUDGET_MS).bodiesHigh).toBe(1700);
});

test('an unsure number between narrow bounds is measured three times at most', () => {
  const measurements = [of(1000, 16, 16.5), of(1100, 18, 20), of(1050, 15, 20)];
  expect(next(measurements)).toBe(1050);
  expect(next([...measurements, of(1050, 15, 20)])).toBe(1050);
  expect(next([...measurements, of(1050, 15, 20), of(1050, 15, 20)])).toBeUndefined();
});

test('a device that simulates the largest number, or not one, ends there', () => {
  expect(search(() => [1, 2]).last).toMatchObject({ bodiesLow: 16_384, bodiesHigh: null });
  expect(search(() => [20, 30]).last).toMatchObject({ bodies: 0, bodiesLow: 0, bodiesHigh: 1 });
});

test('numbers of bodies are easy to read', () => {
  expect([7, 123.4, 1234, 3456, 9876].map(roundCount)).toEqual([7, 125, 1250, 3500, 9900]);
});

const answer = { scene: 'heap', tickRateHz: 60, bodies: 1900, bodiesLow: 1850, bodiesHigh: 1950 };
test.each([
  [{ ended: 'found' }, 'Your device simulates 1,900 boxes at 60 Hz (between 1,850 and 1,950).'],
  [
    { ended: 'time', bodiesLow: 1500, bodiesHigh: 2200 },
    'Your device simulates 1,900 boxes at 60 Hz (between 1,500 and 2,200: it seemed busy; measure again for a narrower answer).',
  ],
  [
    { ended: 'stopped', bodiesLow: 0, bodiesHigh: 2200 },
    'Your device simulates 1,900 boxes at 60 Hz (fewer than 2,200: it was stopped early; measure again for a narrower answer).',
  ],
  [
    { ended: 'measuring', bodiesHigh: null },
    'Your device simulates about 1,900 boxes at 60 Hz (at least 1,850 so far).',
  ],
  [
    { ended: 'measuring', bodiesLow: 0, bodiesHigh: null },
    'Your device simulates about 1,900 boxes at 60 Hz (a guess so far).',
  ],
  [
    { ended: 'found', scene: 'rain', bodies: 16_384, bodiesLow: 16_384, bodiesHigh: null },
    'Your device simulates 16,384 bodies at 60 Hz (at least 16,384: more are not tried).',
  ],
] as const)('an answer is one sentence: %o', (given, sentence) => {
  expect(sentenceOf({ ...answer, ...given })).toBe(sentence);
});

test('a change counts if the repeats of both sides do not overlap, and it is 3 % or more', () => {
  expect(changeOf([1, 1.1, 1.2], [1.3, 1.4, 1.5]).kind).toBe('slower');
  expect(changeOf([1, 1.1, 1.2], [0.5, 0.6, 0.7]).kind).toBe('faster');
  expect(changeOf([1, 1.1, 1.2], [1.19, 1.4, 1.5]).kind).toBe('no difference');
  expect(changeOf([1, 1.001, 1.002], [1.01, 1.011, 1.012]).kind).toBe('no difference');
  expect(changeOf([1, 1.1, 1.2], [2, 2.1]).kind).toBe('too few repeats');
});
