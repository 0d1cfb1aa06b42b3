/** Results as JSON, and the figures in them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  BenchResultError,
  caseResultOf,
  distributionOf,
  isOverloaded,
  isWithinBudget,
  percentileCurveOf,
  requireResult,
  worstSecondOf,
  type BenchResult,
  type TickTime,
} from '../../../bench/engine/index.js';
import { Random } from '../../../src/shared/index.js';
import { runCase, scriptedResult } from './scripted-bench.js';

const result = scriptedResult(1, { bodies: [200, 400], tickRatesHz: [60], seconds: 2 });
const text = JSON.stringify(result);

/** The result with another value at a path, or without it. */
function damaged(path: readonly (string | number)[], value?: unknown): unknown {
  const json: unknown = JSON.parse(text);
  const parent = path
    .slice(0, -1)
    .reduce((at, step) => (at as Record<string | number, unknown>)[step], json);
  const last = path.at(-1) ?? '';
  if (value === undefined) delete (parent as Record<string | number, unknown>)[last];
  else (parent as Record<string | number, unknown>)[last] = value;
  return json;
}

/** Every path to a value that is not an object. */
function leaves(at: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof at !== 'object' || at === null) return [path];
  return Object.entries(at).flatMap(([name, value]) =>
    leaves(value, [...path, Array.isArray(at) ? Number(name) : name]),
  );
}

const pathText = (path: readonly (string | number)[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);

describe('a result file', () => {
  test('is read as it was written', () => {
    expect(requireResult(JSON.parse(text))).toEqual(result);
    const cancelled: BenchResult = {
      ...result,
      wasCancelled: true,
      cases: [],
      failures: [
        {
          scene: 'a',
          engine: 'b',
          runtime: 'node',
          bodies: 1,
          tickRateHz: 59.94,
          message: 'no <b>',
        },
      ],
    };
    expect(requireResult(JSON.parse(JSON.stringify(cancelled)))).toEqual(cancelled);
  });

  test('that lacks a field names it', () => {
    expect(() => requireResult(damaged(['cases', 1, 'stepMs', 'max']))).toThrow(
      'cases[1].stepMs.max is missing',
    );
  });

  test('is read without unknown fields', () => {
    expect(requireResult({ ...result, later: 1 })).toEqual(result);
  });

  test('of another kind or of a newer version is refused, with advice', () => {
    for (const foreign of [null, 5, 'x', [], {}, { format: 'other', version: 1 }]) {
      expect(() => requireResult(foreign)).toThrow(/not a result of the benchmark.*--json/);
    }
    expect(() => requireResult({ ...result, version: 3 })).toThrow(/version 3.*newest.*is 2/);
    expect(() => requireResult({ ...result, version: 0 })).toThrow(/version must be 2/);
  });

  test('that lacks a value or has another kind of it is refused with its path', () => {
    const [, version, ...paths] = leaves(JSON.parse(text));
    expect(version).toEqual(['version']);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.boolean(), (path, isLost) => {
        const isListItem = typeof path.at(-1) === 'number';
        // A list may be shorter, and names are arbitrary.
        fc.pre(!(path[1] === 'runtimes' || path[1] === 'engines') || !isLost);
        const json = damaged(path, isLost && !isListItem ? undefined : { wrong: true });
        expect(() => requireResult(json)).toThrow(BenchResultError);
        expect(() => requireResult(json)).toThrow(pathText(path));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      ['cases', 2, 'stepMs', 'p99'],
      1e6,
      'cases[2].stepMs must increase from p50 over p95 and p99 to max',
    ],
    [['cases', 0, 'ticks'], 1.5, 'cases[0].ticks must be a whole number from 0, but is 1.5'],
    [['cases', 0, 'runtime'], 'bun', 'cases[0].runtime must be "chromium" or "firefox"'],
    [['cases', 1, 'percentileCurve', 3, 0], 2, 'cases[1].percentileCurve[3][0] must be 1 or less'],
    [['cases', 1, 'effectiveSpeed'], Number.POSITIVE_INFINITY, 'cases[1].effectiveSpeed must be a'],
    [['cases', 1, 'bodies'], 200, 'cases[1] repeats an earlier case'],
    [['made'], 'yesterday', 'made must be a time'],
    [['headroom', 0, 'fit', 0], [5], 'headroom[0].fit[0] must be a list of two'],
    [['headroom', 0, 'bodiesLow'], 1e9, 'headroom[0] must have bodies from bodiesLow'],
    [['growth', 0, 'points', 0, 1], 0, 'growth[0].points[0][1] must be'],
  ])('%j: %j is refused', (path, value, message) => {
    expect(() => requireResult(damaged(path, value))).toThrow(message);
  });
});

describe('the figures', () => {
  test('percentiles are measured values, by the nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(distributionOf(values)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100, mean: 50.5 });
    expect(distributionOf([7])).toEqual({ p50: 7, p95: 7, p99: 7, max: 7, mean: 7 });
    expect(distributionOf([4, 1, 3, 2])).toEqual({ p50: 2, p95: 4, p99: 4, max: 4, mean: 2.5 });
    expect(() => distributionOf([])).toThrow(RangeError);
  });

  test('the curve goes up to the largest value and is dense near it', () => {
    const random = new Random(2);
    const values = Array.from({ length: 1000 }, () => random.next());
    const curve = percentileCurveOf(values);
    expect(curve.length).toBeLessThan(40);
    expect(curve.at(-1)?.[0]).toBe(1);
    expect(curve.filter(([share]) => share >= 0.99).length).toBeGreaterThan(9);
    for (const [index, [share, ms]] of curve.entries()) {
      expect(share).toBeGreaterThanOrEqual(curve[index - 1]?.[0] ?? 0);
      expect(values.filter((value) => value <= ms + 1e-4).length).toBeGreaterThanOrEqual(
        Math.floor(share * 1000),
      );
    }
  });

  test('the worst second is the one that contains a late stretch, a second long', () => {
    const ticks = Array.from({ length: 300 }, (_, index): TickTime => {
      const dueMs = (index * 1000) / 60;
      const isSlow = index >= 150 && index < 170;
      return { dueMs, startMs: dueMs + 0.1, stepMs: isSlow ? 12 : 2, publishMs: 0.05 };
    });
    const worst = worstSecondOf(ticks);
    expect(worst).toHaveLength(60);
    expect(worst[0]?.dueMs).toBe(0);
    expect(worst.filter(({ stepMs }) => stepMs === 12)).toHaveLength(20);
    expect(worstSecondOf([])).toEqual([]);
  });

  test('a case that fits is not overloaded, one that does not fit is', () => {
    const key = {
      scene: 'heap',
      engine: 'a',
      runtime: 'node',
      bodies: 1000,
      tickRateHz: 60,
    } as const;
    const at = (oneMs: number) =>
      runCase({ oneMs, exponent: 1, noise: 0.02 }, key, new Random(4), { seconds: 3 });
    const light = at(0.004);
    expect(isOverloaded(light)).toBe(false);
    expect(isWithinBudget(light)).toBe(true);
    expect(light.ticks).toBe(540);
    expect(light.budgetShare).toBeCloseTo(0.25, 1);
    const heavy = at(0.03);
    expect(heavy.effectiveSpeed).toBeLessThan(0.6);
    expect(isOverloaded(heavy)).toBe(true);
    expect(isWithinBudget(heavy)).toBe(false);
    expect(heavy.droppedTicks).toBeGreaterThan(200);
    expect(heavy.deadlineMisses).toBeGreaterThan(heavy.ticks * 0.9);
    expect(heavy.worstSecond.length).toBeLessThan(60);
  });

  test('overload begins below a speed of 0.99 and above a miss in a hundred', () => {
    const marks = [
      [1, 0],
      [0.99, 10],
      [0.9899, 0],
      [1, 11],
    ].map(([effectiveSpeed = 0, deadlineMisses = 0]) =>
      isOverloaded({ effectiveSpeed, deadlineMisses, ticks: 1000 }),
    );
    expect(marks).toEqual([false, false, true, true]);
  });

  test('repeats are reported one by one, and their speed is weighted by their seconds', () => {
    const tick = { dueMs: 0, startMs: 0, publishMs: 0 };
    const repeat = (stepMs: number, seconds: number, effectiveSpeed: number) => ({
      ticks: [{ ...tick, stepMs }],
      latenessMs: [0.1],
      seconds,
      droppedTicks: 1,
      effectiveSpeed,
      controlMs: [],
    });
    const key = { scene: 's', engine: 'e', runtime: 'node', bodies: 1, tickRateHz: 100 } as const;
    const one = caseResultOf(key, [repeat(1, 1, 1), repeat(11, 3, 0.5)], {
      frame: null,
      memory: null,
    });
    expect(one).toMatchObject({ seconds: 4, effectiveSpeed: 0.625, droppedTicks: 2, ticks: 2 });
    expect(one).toMatchObject({ deadlineMisses: 1, budgetMs: 10, controlMs: null });
    expect(one.repeats).toEqual([
      { p50Ms: 1, p99Ms: 1, ticks: 1, interruptions: 0, longSteps: 0 },
      { p50Ms: 11, p99Ms: 11, ticks: 1, interruptions: 0, longSteps: 0 },
    ]);
    expect(one.worstSecond[0]?.stepMs).toBe(11);
  });
});
