/** The order of work and its result, with computed measurements. */
import { expect, test } from 'vitest';
import {
  GRID_STEP,
  caseResultOf,
  requireResult,
  type BenchOptions,
  type BenchResult,
  type Estimate,
} from '../engine/index.js';
import type { CaseRequest, MeasuredCase } from '../runner/measure-case.js';
import { reportHtml } from '../report/index.js';
import { runBench, type BenchProgress } from '../runner/run-bench.js';
import { QUICK } from '../runner/settings.js';

const OPTIONS: BenchOptions = {
  ...QUICK,
  scenes: ['heap'],
  engines: ['cannon', 'jolt'],
  runtimes: ['node'],
  bodies: [200, 400],
  tickRatesHz: [50],
};

/** Steps of 0.01 ms a body: 2,000 bodies at 50 Hz. */
function computed({ key, seconds, repeats }: CaseRequest): MeasuredCase {
  const periodMs = 1000 / key.tickRateHz;
  const count = Math.round(seconds * key.tickRateHz);
  const ticks = Array.from({ length: count }, (_, index) => ({
    dueMs: index * periodMs,
    startMs: index * periodMs + 0.1,
    stepMs: key.bodies / 100,
    publishMs: 0.01,
  }));
  const repeat = {
    ticks,
    latenessMs: ticks.map(() => 0.1),
    seconds,
    droppedTicks: 0,
    effectiveSpeed: 1,
    controlMs: [1],
  };
  const measured = Array.from({ length: repeats }, () => repeat);
  return {
    result: caseResultOf(key, measured, { frame: null, memory: null }),
    engineName: `${key.engine} 1`,
  };
}

/** As a worker that has ten bodies whatever number it is asked for. */
const havingTen = (request: CaseRequest): Promise<MeasuredCase> => {
  const measured = computed(request);
  return Promise.resolve({ ...measured, result: { ...measured.result, bodies: 10 } });
};

interface Given {
  readonly options?: BenchOptions;
  readonly measure?: (request: CaseRequest) => Promise<MeasuredCase>;
  /** Number of measurements after which it is stopped. */
  readonly stopsAfter?: number;
}

async function run({ options = OPTIONS, measure, stopsAfter = Infinity }: Given = {}) {
  const estimates: Estimate[] = [];
  const progress: BenchProgress[] = [];
  const parts: BenchResult[] = [];
  const requests: CaseRequest[] = [];
  let nowMs = 0;
  const result = await runBench({
    options,
    seed: 5,
    machine: { cores: 2, cpu: null, os: 'test', runtimes: {}, engines: {} },
    measure(request) {
      requests.push(request);
      nowMs += 1000;
      return measure === undefined ? Promise.resolve(computed(request)) : measure(request);
    },
    isStopRequested: () => requests.length >= stopsAfter,
    onProgress: (one) => progress.push(one),
    onEstimate: (_work, one) => estimates.push(one),
    onPart: (part) => parts.push(part),
    now: () => nowMs,
  });
  return { result, progress, parts, requests, estimates };
}

test('a run measures every case, and finds the planted limit within its grid and the growth', async () => {
  const { result, parts, progress } = await run();
  expect(requireResult(JSON.parse(JSON.stringify(result)))).toEqual(result);
  expect(result.cases.map(({ engine, bodies }) => [engine, bodies])).toEqual([
    ['cannon', 200],
    ['cannon', 400],
    ['jolt', 200],
    ['jolt', 400],
  ]);
  expect(result.machine.engines).toEqual({ cannon: 'cannon 1', jolt: 'jolt 1' });
  expect(result.headroom).toHaveLength(2);
  for (const { bodies } of result.headroom) {
    expect(bodies).toBeLessThanOrEqual(2000);
    expect(bodies).toBeGreaterThan(2000 / GRID_STEP - 1);
  }
  expect(result.growth.map(({ exponent }) => exponent)).toEqual([
    expect.closeTo(1, 6),
    expect.closeTo(1, 6),
  ]);
  expect(result.wasCancelled).toBe(false);
  const html = reportHtml(result, { before: result });
  for (const text of ['test', 'This device can simulate', '400 at 50 Hz'])
    expect(html).toContain(text);
  expect(/NaN|Infinity|undefined|\[object/.exec(html)?.[0]).toBeUndefined();
  expect(parts).toHaveLength(6);
  expect(new Set(progress.map(({ done }) => done))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});

const search = { ...OPTIONS, engines: ['jolt'], bodies: [] };

test('a search estimates the limit from its first measurement on, and narrows the interval down to its result', async () => {
  const { result, estimates, requests } = await run({ options: search });
  expect(estimates).toHaveLength(requests.length);
  for (const { bodies, bodiesLow, bodiesHigh } of estimates) {
    expect(bodies).toBeCloseTo(2000, 6);
    expect(bodiesLow).toBeLessThanOrEqual(2000);
    expect(bodiesHigh ?? Infinity).toBeGreaterThan(2000);
  }
  expect(estimates[0]).toMatchObject({ bodiesLow: requests[0]?.key.bodies, bodiesHigh: null });
  expect(result.headroom).toMatchObject([
    { bodiesLow: estimates.at(-1)?.bodiesLow, bodiesHigh: estimates.at(-1)?.bodiesHigh },
  ]);
});

test('a search that is stopped keeps what it knows', async () => {
  const { result } = await run({
    options: search,
    stopsAfter: 3,
    measure: (request) =>
      request.key.bodies > 1000
        ? Promise.reject(new Error('stopped'))
        : Promise.resolve(computed(request)),
  });
  expect(result).toMatchObject({ wasCancelled: true, failures: [] });
  expect(result.headroom).toMatchObject([{ bodies: 800, isBoundedBySearch: true }]);
});

test('a search in which nothing runs fails with the reason', async () => {
  const { result } = await run({
    options: search,
    measure: () => Promise.reject(new Error('no engine')),
  });
  expect(result).toMatchObject({ headroom: [], failures: [{ bodies: 1, message: 'no engine' }] });
});

test('a case of a run that fails is reported, and the others continue', async () => {
  const { result } = await run({
    measure: (request) =>
      request.key.engine === 'cannon' && request.key.bodies === 400
        ? Promise.reject(new Error('out of memory'))
        : Promise.resolve(computed(request)),
  });
  expect(result.failures).toMatchObject([
    { engine: 'cannon', bodies: 400, message: 'out of memory' },
  ]);
  expect(result.cases).toHaveLength(3);
  expect(result.headroom).toHaveLength(2);
});

const own = { ...OPTIONS, scenes: ['a.ts'], engines: ['own'], worker: 'a.ts' };

test('a worker that does not read its setup fails with the number of bodies that it has, and gives no limit or growth', async () => {
  const { result, requests } = await run({ options: own, measure: havingTen });
  expect(result).toMatchObject({ cases: [], headroom: [], growth: [] });
  expect(result.failures.map(({ bodies, message }) => [bodies, message])).toEqual([
    [200, expect.stringContaining('the worker has 10 bodies, whatever --bodies says (200)')],
    [400, expect.stringContaining('it does not read context.setup.bodies')],
  ]);
  expect(requests).toHaveLength(2);
});
