/** The order of work and its result, with computed measurements. */
import { expect, test } from 'vitest';
import {
  compareResults,
  comparisonSummary,
  requireResult,
  summaryOf,
  type BenchOptions,
  type BenchResult,
  type LimitResult,
} from '../engine/index.js';
import { requireBodies, type CaseRequest, type MeasuredCase } from '../runner/measure-case.js';
import { runBench, type BenchProgress } from '../runner/run-bench.js';
import { DEFAULTS } from '../runner/settings.js';

const CASES: BenchOptions = {
  ...DEFAULTS,
  engines: ['cannon', 'jolt'],
  runtimes: ['node'],
  bodies: [400, 200],
  tickRatesHz: [50],
};
const SEARCH: BenchOptions = { ...CASES, engines: ['jolt'], bodies: [] };

/** Steps of 0.01 ms a body: 2,000 bodies at 50 Hz. */
function computed({ key, repeats }: CaseRequest): MeasuredCase {
  const ms = key.bodies / 100;
  const step = { p25Ms: ms, p50Ms: ms, p90Ms: ms, p99Ms: ms };
  const result = {
    ...key,
    ticks: 50,
    droppedTicks: 0,
    effectiveSpeed: 1,
    budgetMs: 20,
    repeats: Array.from({ length: repeats }, () => step),
    step,
    publishP99Ms: 0.01,
    latenessP99Ms: 0.1,
    frame: null,
  };
  return { result, engineName: `${key.engine} 1` };
}

interface Given {
  readonly options?: BenchOptions;
  readonly measure?: (request: CaseRequest) => MeasuredCase;
  /** Number of measurements after which it is stopped. */
  readonly stopsAfter?: number;
  /** Time that each measurement takes, in s. */
  readonly seconds?: number;
}

async function run({
  options = CASES,
  measure = computed,
  stopsAfter = Infinity,
  seconds = 1,
}: Given = {}) {
  const limits: LimitResult[] = [];
  const progress: BenchProgress[] = [];
  const parts: BenchResult[] = [];
  const requests: CaseRequest[] = [];
  let nowMs = 0;
  const result = await runBench({
    options,
    seed: 5,
    machine: { cores: 2, cpu: null, os: 'test', runtimes: {}, engines: {} },
    async measure(request) {
      requests.push(request);
      nowMs += 1000 * seconds;
      return measure(request);
    },
    isStopRequested: () => requests.length >= stopsAfter,
    onProgress: (one) => progress.push(one),
    onMeasured: (one) => limits.push(one),
    onPart: (part) => parts.push(part),
    now: () => nowMs,
  });
  return { result, progress, parts, requests, limits, seconds: nowMs / 1000 };
}

test('a run measures every case, small numbers first, and its summary has all of them', async () => {
  const { result, parts, progress } = await run();
  expect(requireResult(JSON.parse(JSON.stringify(result)))).toEqual(result);
  expect(result.cases.map(({ engine, bodies }) => [engine, bodies])).toEqual([
    ['cannon', 200],
    ['cannon', 400],
    ['jolt', 200],
    ['jolt', 400],
  ]);
  expect(result.machine.engines).toEqual({ cannon: 'cannon 1', jolt: 'jolt 1' });
  expect(result).toMatchObject({ wasCancelled: false, failures: [], limits: [] });
  expect(parts).toHaveLength(4);
  expect(progress.map(({ done }) => done)).toEqual([0, 1, 2, 3]);
  const text = summaryOf(result) + comparisonSummary(compareResults(result, result));
  for (const words of ['heap, jolt, node, 400 at 50 Hz', '20 %', 'no difference']) {
    expect(text).toContain(words);
  }
  expect(/NaN|Infinity|undefined|\[object/.exec(text)?.[0]).toBeUndefined();
});

test('a search finds the planted limit, and tells it in a sentence', async () => {
  const { result, limits, requests } = await run({ options: SEARCH });
  expect(limits).toHaveLength(requests.length);
  // From its first measurement on.
  expect(limits[0]).toMatchObject({ bodies: 2000, bodiesLow: 100, bodiesHigh: null });
  const [limit] = result.limits;
  expect(limit).toMatchObject({ ended: 'found', bodiesLow: 2000, bodiesHigh: expect.any(Number) });
  expect(limit?.bodiesHigh).toBeLessThan(2200);
  expect(summaryOf(result)).toContain(
    'Your device simulates 2,000 boxes at 50 Hz (between 2,000 and',
  );
});

test('a search ends within a minute, however long its measurements take', async () => {
  const { result, seconds } = await run({ options: SEARCH, seconds: 11 });
  expect(result.limits).toMatchObject([{ ended: 'time' }]);
  expect(seconds).toBeLessThanOrEqual(60);
});

test('a search that is stopped keeps what it knows', async () => {
  const { result } = await run({ options: SEARCH, stopsAfter: 2 });
  expect(result).toMatchObject({ wasCancelled: true, failures: [] });
  expect(result.limits).toMatchObject([{ ended: 'stopped', bodiesLow: 800 }]);
});

const failing = (message: string): never => {
  throw new Error(message);
};

test('a search in which nothing runs fails with the reason', async () => {
  const { result } = await run({ options: SEARCH, measure: () => failing('no engine') });
  expect(result).toMatchObject({ limits: [], failures: [{ bodies: 1, message: 'no engine' }] });
});

test('a case of a run that fails is reported, and the others continue', async () => {
  const { result } = await run({
    measure: (request) =>
      request.key.engine === 'cannon' && request.key.bodies === 400
        ? failing('out of memory')
        : computed(request),
  });
  expect(result.failures).toMatchObject([
    { engine: 'cannon', bodies: 400, message: 'out of memory' },
  ]);
  expect(result.cases).toHaveLength(3);
});

test('a worker that does not read its setup fails with the number of bodies that it has', () => {
  requireBodies(0, 10);
  requireBodies(200, 216);
  expect(() => requireBodies(200, 10)).toThrow(
    'the worker has 10 bodies, whatever --bodies says (200): it does not read context.setup.bodies',
  );
});

test('only a result of this version is read', () => {
  expect(() => requireResult({ format: 'betwixt-bench', version: 2 })).toThrow('has version 2');
  expect(() => requireResult([])).toThrow('not a result of the benchmark');
});
