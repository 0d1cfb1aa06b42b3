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
  /** All own cost over all steps: includes rare long passes. */
  readonly meanShare: number;
}

/** At a higher rate, so that the loop is fully optimized: at 60 Hz that takes long. */
const WARM_UP_MS = 5000;
const WARM_UP_HZ = 240;

/** Runs the heap in Rapier with SIMD in a separate worker. */
export async function measureOverhead(
  createWorker: () => WorkerLike,
  { bodies, tickRateHz, seconds }: OverheadRequest,
): Promise<Overhead> {
  const setup = setupOf({ scene: 'heap', engine: 'rapier-simd', bodies }, 1);
  const simulation = await connect<{ queries?: OverheadQueries }>(createWorker, {
    tickRateHz: WARM_UP_HZ,
    capacity: capacityOf(setup),
    setup,
    recording: false,
    whenHidden: 'run',
    startTimeoutMs: 120_000,
  });
  try {
    await elapse(WARM_UP_MS);
    await simulation.setTickRate(tickRateHz);
    await elapse(500);
    simulation.resetStats();
    await simulation.queries.beginPasses();
    await elapse(seconds * 1000);
    const { passes, others } = await simulation.queries.endPasses();
    const stats = simulation.stats();
    const [steps, own, turns]: [number[], number[], number[]] = [[], [], []];
    for (let at = 0; at < passes.length; at += PASS_NUMBERS) {
      const [awakeMs = 0, stepMs = 0, turnMs = 0] = passes.subarray(at, at + PASS_NUMBERS);
      steps.push(stepMs);
      own.push(awakeMs - stepMs);
      turns.push(turnMs);
    }
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
      meanShare: sum(own) / sum(steps),
    };
  } finally {
    await simulation.dispose();
  }
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

const elapse = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
