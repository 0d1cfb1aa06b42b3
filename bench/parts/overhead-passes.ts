/** The cost of the worker's loop besides the step, while it runs on its schedule and sleeps. */
import type { SimulationHandle, WorkerLike } from '../../src/render-main/index.js';
import { openSimulation } from '../runner/open-simulation.js';
import { medianOf } from '../engine/index.js';
import { capacityOf, setupOf } from '../worker/bench-setup.js';
import { STEP_NUMBERS, type OverheadQueries } from './overhead-simulation.js';

export interface OverheadRequest {
  readonly bodies: number;
  readonly tickRateHz: number;
  readonly seconds: number;
}

/** Medians of one worker, in ms. */
export interface Overhead {
  readonly stepMs: number;
  /** Time awake outside of the step. */
  readonly ownMs: number;
  /** The sum over all ticks as a share of all steps, in per cent: includes rare long passes. */
  readonly ownPercent: number;
  readonly publishMs: number;
  readonly latenessMs: number;
  /** From a query to its answer, as the page sees it. */
  readonly answerMs: number;
}

type OverheadHandle = SimulationHandle<Record<never, never>, Record<never, never>, OverheadQueries>;

/** At a higher rate, so that the loop is fully optimized: at 60 Hz that takes long. */
const WARM_UP_MS = 5000;
const WARM_UP_HZ = 240;
const QUERIES = 100;
const MAX_GAP_MS = 30;

/** Runs the heap in Rapier with SIMD in a separate worker. */
export async function measurePasses(
  createWorker: () => WorkerLike,
  { bodies, tickRateHz, seconds }: OverheadRequest,
): Promise<Overhead> {
  const setup = setupOf({ scene: 'heap', engine: 'rapier-simd', bodies }, 1);
  const { session, simulation } = await openSimulation(createWorker, {
    tickRateHz: WARM_UP_HZ,
    capacity: capacityOf(setup),
    setup,
    whenHidden: 'run',
  });
  const { queries } = simulation as unknown as OverheadHandle;
  try {
    await elapse(WARM_UP_MS);
    await simulation.setTickRate(tickRateHz);
    await elapse(500);
    simulation.resetStats();
    await queries.beginSteps(session.worker.connection.views.control.buffer);
    await elapse(seconds * 1000);
    const steps = await queries.endSteps();
    const { publishMs, latenessMs } = simulation.stats();
    const { stepsMs, ownMs } = costsOf(steps);
    return {
      stepMs: medianOf(stepsMs),
      ownMs: medianOf(ownMs),
      ownPercent: (sum(ownMs) / sum(stepsMs)) * 100,
      publishMs: publishMs.p50,
      latenessMs: latenessMs.p50,
      answerMs: await timeQueries(() => queries.describe()),
    };
  } finally {
    await simulation.dispose();
  }
}

const WRAP_MS = 2 ** 32 / 1000;

/**
 * From the beginning of a step to that of the next one, the thread is awake when it does not sleep:
 *
 *     begins ── step ── publishes ── statistics, turn ── sleeps ── wakes ── begins
 *       └───────────────── awake ───────────────────┘           └─ awake ──┘      own cost = awake − step
 */
function costsOf(numbers: Float64Array): { readonly stepsMs: number[]; readonly ownMs: number[] } {
  const [stepsMs, ownMs]: [number[], number[]] = [[], []];
  for (let at = 0; at + STEP_NUMBERS < numbers.length; at += STEP_NUMBERS) {
    const [startMs = NaN, stepMs = NaN, asleepMs = NaN] = numbers.subarray(at);
    const [nextMs = NaN, , nextAsleepMs = NaN] = numbers.subarray(at + STEP_NUMBERS);
    const sleptMs = (nextAsleepMs - asleepMs + WRAP_MS) % WRAP_MS;
    stepsMs.push(stepMs);
    ownMs.push(nextMs - startMs - sleptMs - stepMs);
  }
  return { stepsMs, ownMs };
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** At any time of the worker's period. */
async function timeQueries(ask: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  while (tookMs.length < QUERIES) {
    await elapse(Math.random() * MAX_GAP_MS);
    const startMs = performance.now();
    await ask();
    tookMs.push(performance.now() - startMs);
  }
  return medianOf(tookMs);
}

const elapse = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
