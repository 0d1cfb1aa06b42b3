/** Results as JSON, and the figures in them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  BenchResultError,
  caseResultOf,
  distributionOf,
  requireResult,
  type BenchResult,
} from '../engine/index.js';
import { scriptedResult } from './scripted-bench.js';

const result = scriptedResult(1, {
  bodies: [200, 400],
  tickRatesHz: [60],
  seconds: 1,
  engines: ['rapier', 'cannon'],
});
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

test('a result file is read as it was written', () => {
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

test('a result file of another kind or of a newer version is refused, with advice', () => {
  for (const foreign of [null, 5, 'x', [], {}, { format: 'other', version: 1 }]) {
    expect(() => requireResult(foreign)).toThrow(/not a result of the benchmark.*--json/);
  }
  expect(() => requireResult({ ...result, version: 3 })).toThrow(/version 3.*newest.*is 2/);
  expect(() => requireResult({ ...result, version: 0 })).toThrow(/version must be 2/);
});

test('a result file that lacks a value or has another kind of it is refused with its path', () => {
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
    { numRuns: 60 },
  );
});

test.each([
  [
    ['cases', 2, 'stepMs', 'p99'],
    1e6,
    'cases[2].stepMs must increase from p50 over p95 and p99 to max',
  ],
  [['cases', 1, 'percentileCurve', 3, 0], 2, 'cases[1].percentileCurve[3][0] must be 1 or less'],
  [['cases', 1, 'effectiveSpeed'], Number.POSITIVE_INFINITY, 'cases[1].effectiveSpeed must be a'],
  [['cases', 1, 'bodies'], 200, 'cases[1] repeats an earlier case'],
  [['headroom', 0, 'bodiesLow'], 1e9, 'headroom[0] must have bodies from bodiesLow'],
  [['growth', 0, 'points', 0, 1], 0, 'growth[0].points[0][1] must be'],
])('a result file in which %j is %j is refused', (path, value, message) => {
  expect(() => requireResult(damaged(path, value))).toThrow(message);
});

test('percentiles are measured values, by the nearest rank', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(distributionOf(values)).toEqual({ p50: 50, p95: 95, p99: 99, max: 100, mean: 50.5 });
  expect(distributionOf([7])).toEqual({ p50: 7, p95: 7, p99: 7, max: 7, mean: 7 });
  expect(distributionOf([4, 1, 3, 2])).toEqual({ p50: 2, p95: 4, p99: 4, max: 4, mean: 2.5 });
  expect(() => distributionOf([])).toThrow(RangeError);
});

test('the repeats of a case are reported one by one, and their speed is weighted by their seconds', () => {
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
