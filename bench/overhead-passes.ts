/**
 * The loop's own cost per tick, besides the step: measured on a worker that runs on its schedule
 * and sleeps.
 */
import { connect, type WorkerLike } from '../src/render-main/index.js';
import { distributionOf } from './engine/index.js';
import { PASS_NUMBERS, type OverheadQueries } from './overhead-simulation.js';
import { capacityOf, setupOf } from './worker/bench-setup.js';

export interface OverheadRequest {
  readonly bodies: number;
  readonly tickRateHz: number;
  readonly seconds: number;
  /** See the option of `connect`. */
  readonly turnsPerSecond: number;
}

/** Medians of one worker's passes in ms, except the shares. */
export interface Overhead {
  readonly engineName: string;
  readonly passes: number;
  /** Passes that caught up or had no tick. */
  readonly others: number;
  readonly stepMs: number;
  /** Awake less its step. */
  readonly ownMs: number;
  readonly publishMs: number;
  /** The turn of the event loop in which control calls run. */
  readonly turnMs: number;
  readonly latenessMs: number;
  /** The median of the own cost over that of the step. */
  readonly share: number;
  /** All time awake outside of steps over all steps: includes rare long passes, and those without a tick. */
  readonly meanShare: number;
  /** From a call of a query to its answer, as the page sees it. */
  readonly answerMs: number;
  /** From a message to a worker that does nothing else to its answer: the least that a call can take. */
  readonly echoMs: number;
}

/** A worker that answers each message, and waits for the next one in its event loop. */
export interface Echo {
  ask(): Promise<unknown>;
  end(): unknown;
}

/** At a higher rate, so that the loop is fully optimized: at 60 Hz that takes long. */
const WARM_UP_MS = 5000;
const WARM_UP_HZ = 240;
/** Calls whose answers are timed, and the longest time between two of them, in ms. */
const CALLS = 100;
const MAX_CALL_GAP_MS = 30;

/** Runs the heap in Rapier with SIMD in a separate worker. */
export async function measureOverhead(
  createWorker: () => WorkerLike,
  createEcho: () => Echo,
  { bodies, tickRateHz, seconds, turnsPerSecond }: OverheadRequest,
): Promise<Overhead> {
  const setup = setupOf({ scene: 'heap', engine: 'rapier-simd', bodies }, 1);
  const simulation = await connect<{ queries?: OverheadQueries }>(createWorker, {
    tickRateHz: WARM_UP_HZ,
    capacity: capacityOf(setup),
    setup,
    turnsPerSecond,
    whenHidden: 'run',
  });
  const echo = createEcho();
  try {
    await elapse(WARM_UP_MS);
    await simulation.setTickRate(tickRateHz);
    await elapse(500);
    simulation.resetStats();
    await simulation.queries.beginPasses();
    await elapse(seconds * 1000);
    const { passes, others, awakeMs: allAwakeMs, steppedMs } = await simulation.queries.endPasses();
    const stats = simulation.stats();
    const [steps, own, turns]: [number[], number[], number[]] = [[], [], []];
    for (let at = 0; at < passes.length; at += PASS_NUMBERS) {
      const [awakeMs = 0, stepMs = 0, turnMs = 0] = passes.subarray(at, at + PASS_NUMBERS);
      steps.push(stepMs);
      own.push(awakeMs - stepMs);
      turns.push(turnMs);
    }
    const [answersMs, echoesMs] = await timeCalls([
      () => simulation.queries.describe(),
      () => echo.ask(),
    ]);
    return {
      engineName: await simulation.queries.describe(),
      passes: steps.length,
      others,
      stepMs: distributionOf(steps).p50,
      ownMs: distributionOf(own).p50,
      turnMs: distributionOf(turns).p50,
      publishMs: stats.publishMs.p50,
      latenessMs: stats.latenessMs.p50,
      share: distributionOf(own).p50 / distributionOf(steps).p50,
      meanShare: (allAwakeMs - steppedMs) / steppedMs,
      answerMs: distributionOf(answersMs ?? []).p50,
      echoMs: distributionOf(echoesMs ?? []).p50,
    };
  } finally {
    echo.end();
    await simulation.dispose();
  }
}

/** How long calls of each kind take, in ms, in alternation and made at any time of the worker's period. */
async function timeCalls(kinds: readonly (() => Promise<unknown>)[]): Promise<number[][]> {
  const tookMs = kinds.map((): number[] => []);
  for (let made = 0; made < CALLS; made++) {
    for (const [kind, call] of kinds.entries()) {
      await elapse(Math.random() * MAX_CALL_GAP_MS);
      const startMs = performance.now();
      await call();
      tookMs[kind]?.push(performance.now() - startMs);
    }
  }
  return tookMs;
}

const elapse = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
