/**
 * A benchmark of a simulation whose cost is known: a · bodies^k with noise, on a schedule in
 * scripted time.
 */
import {
  RESULT_FORMAT,
  RESULT_VERSION,
  caseResultOf,
  distributionOf,
  fitLimit,
  growthOf,
  measurementsOf,
  type BenchOptions,
  type BenchResult,
  type CaseKey,
  type CaseResult,
  type FrameResult,
  type HeadroomResult,
  type Measurement,
  type RepeatMeasurement,
  type Runtime,
  type TickTime,
} from '../engine/index.js';
import { Random } from '../../src/shared/index.js';

export interface CostModel {
  /** Of one body, in milliseconds. */
  readonly oneMs: number;
  readonly exponent: number;
  /** Standard deviation of a step, as a share of its cost. */
  readonly noise: number;
}

/** Sum of twelve: close enough to a normal distribution with mean 0 and deviation 1. */
export function normal(random: Random): number {
  let sum = -6;
  for (let count = 0; count < 12; count++) sum += random.next();
  return sum;
}

export const meanCostMs = ({ oneMs, exponent }: CostModel, bodies: number): number =>
  oneMs * bodies ** exponent;

export const costMs = (model: CostModel, bodies: number, random: Random): number =>
  meanCostMs(model, bodies) * Math.max(0.01, 1 + model.noise * normal(random));

/** Ticks as a worker would run them: in sequence, and whole ticks dropped when five are due. */
export function runRepeat(
  model: CostModel,
  { bodies, tickRateHz }: Pick<CaseKey, 'bodies' | 'tickRateHz'>,
  seconds: number,
  random: Random,
): RepeatMeasurement {
  const periodMs = 1000 / tickRateHz;
  const ticks: TickTime[] = [];
  const latenessMs: number[] = [];
  let freeMs = 0;
  let droppedTicks = 0;
  const factor = 1 + 0.004 * normal(random);
  for (let tick = 0; tick < seconds * tickRateHz; tick++) {
    const dueMs = tick * periodMs;
    if (freeMs > dueMs + 5 * periodMs) {
      droppedTicks++;
      continue;
    }
    const lateMs = 0.05 + 0.1 * random.next();
    // Of wake-ups: after a long step the worker does not sleep.
    if (tick === 0 || freeMs < dueMs) latenessMs.push(lateMs);
    const startMs = Math.max(dueMs + lateMs, freeMs);
    const hiccup = random.next() < 0.002 ? 3 : 1;
    const stepMs = costMs(model, bodies, random) * factor * hiccup;
    const publishMs = 0.01 + bodies * 0.000_013;
    freeMs = startMs + stepMs + publishMs;
    ticks.push({ dueMs, startMs, stepMs, publishMs });
  }
  const effectiveSpeed = ticks.length / (seconds * tickRateHz);
  const controlMs = Array.from({ length: 20 }, () => 0.2 + random.next());
  return { ticks, latenessMs, seconds, droppedTicks, effectiveSpeed, controlMs };
}

export function runCase(
  model: CostModel,
  key: CaseKey,
  random: Random,
  { seconds = 5, repeats = 3 } = {},
): CaseResult {
  const measured = Array.from({ length: repeats }, () => runRepeat(model, key, seconds, random));
  const frame = key.runtime === 'node' ? null : frames(key.bodies, random);
  const pageMB = key.runtime === 'node' ? null : 30 + key.bodies * 0.001;
  return caseResultOf(key, measured, {
    frame,
    memory: { workerMB: 12 + key.bodies * 0.004, pageMB },
  });
}

function frames(bodies: number, random: Random): FrameResult {
  const costs = Array.from({ length: 300 }, () => 0.3 + bodies * 0.0003 * (1 + random.next()));
  return {
    rateHz: 60,
    costMs: distributionOf(costs),
    animationErrorMs: { mean: 0.012, p99: 0.08, max: 1.4 },
    starved: 2,
    repeated: 1,
    resets: 0,
  };
}

export const ENGINE_COSTS: Readonly<Record<string, CostModel>> = {
  'rapier-simd': { oneMs: 0.0021, exponent: 1.06, noise: 0.08 },
  rapier: { oneMs: 0.0034, exponent: 1.06, noise: 0.08 },
  cannon: { oneMs: 0.0011, exponent: 1.45, noise: 0.12 },
};

export interface Script {
  readonly engines?: readonly string[];
  readonly bodies?: readonly number[];
  readonly tickRatesHz?: readonly number[];
  readonly runtimes?: readonly Runtime[];
  readonly seconds?: number;
  readonly repeats?: number;
  /** Whether it has the headroom, which takes long to compute. */
  readonly hasHeadroom?: boolean;
  /** Makes every engine slower by this factor. */
  readonly slower?: number;
}

/** A whole result. The same script and seed give the same. */
export function scriptedResult(seed: number, script: Script = {}): BenchResult {
  const {
    engines = Object.keys(ENGINE_COSTS),
    bodies = [500, 1000, 2000],
    tickRatesHz = [60, 120, 240],
    runtimes = ['chromium', 'node'],
    seconds = 5,
    repeats = 3,
    hasHeadroom = true,
    slower = 1,
  } = script;
  const random = new Random(seed);
  const options: BenchOptions = {
    scenes: ['heap'],
    engines,
    runtimes,
    bodies,
    tickRatesHz,
    seconds,
    warmUpSeconds: 1,
    settleTicks: 180,
    repeats,
    isQuick: false,
    searchesHeadroom: true,
    worker: null,
  };
  const modelOf = (engine: string): CostModel => {
    const model = ENGINE_COSTS[engine] ?? { oneMs: 0.005, exponent: 1.1, noise: 0.05 };
    return { ...model, oneMs: model.oneMs * slower };
  };
  const subjects = runtimes.flatMap((runtime) =>
    engines.map((engine) => ({ scene: 'heap', engine, runtime })),
  );
  const rates = subjects.flatMap((subject) =>
    tickRatesHz.map((tickRateHz) => ({ subject, tickRateHz })),
  );
  const cases = rates.flatMap(({ subject, tickRateHz }) =>
    bodies.map((count) =>
      runCase(
        modelOf(subject.engine),
        {
          scene: 'heap',
          engine: subject.engine,
          runtime: subject.runtime,
          bodies: count,
          tickRateHz,
        },
        random,
        { seconds, repeats },
      ),
    ),
  );
  const headroom = (hasHeadroom ? rates : []).map(({ subject, tickRateHz }): HeadroomResult => {
    const model = modelOf(subject.engine);
    const { oneMs, exponent, noise } = model;
    const budgetMs = 1000 / tickRateHz;
    const limit = Math.floor((budgetMs / (1 + 2.33 * noise) / oneMs) ** (1 / exponent));
    const isBoundedBySearch = tickRateHz === 60 && subject.engine === 'rapier-simd';
    const counts = [limit * 0.9, limit * 0.97, limit * 1.03, limit * 1.1].map(Math.round);
    const probes = counts.slice(0, isBoundedBySearch ? 2 : 4).flatMap((count): Measurement[] => {
      const key = { ...subject, bodies: count, tickRateHz };
      return runCase(model, key, random, { seconds: 2 }).repeats.map((repeat) =>
        Object.assign({ bodies: count }, repeat),
      );
    });
    const failed = { p50Ms: null, p99Ms: null, ticks: 120, interruptions: 0, longSteps: 0 };
    const known = cases.filter(
      (one) =>
        one.engine === subject.engine &&
        one.runtime === subject.runtime &&
        one.tickRateHz === tickRateHz,
    );
    const measurements = [
      ...known.flatMap(measurementsOf),
      ...probes,
      ...(isBoundedBySearch ? [] : [{ bodies: limit * 2, ...failed }]),
    ];
    const fit = fitLimit(measurements, budgetMs);
    const where = { scene: 'heap', engine: subject.engine, runtime: subject.runtime, tickRateHz };
    return Object.assign(where, fit, { measurements, isBoundedBySearch });
  });
  return {
    format: RESULT_FORMAT,
    version: RESULT_VERSION,
    made: '2026-03-04T05:06:07.000Z',
    machine: {
      cores: 8,
      cpu: 'Example 8-Core Processor',
      os: 'Linux 6.8 x64',
      runtimes: { chromium: '156.0.1', node: '20.20.0' },
      engines: { 'rapier-simd': '0.20.0', rapier: '0.21.0', cannon: '0.20.0' },
    },
    options,
    cases,
    failures: [],
    headroom,
    growth: growthOf(cases),
    wasCancelled: false,
  };
}
