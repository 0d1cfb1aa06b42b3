/**
 * Measures a case: each repeat is a separate worker, warmed up, observed for a while and ended.
 * Differences between processes are then part of the spread between the repeats.
 *
 *     connect ─ settle (in init) ─ warm-up ─┬─ measured seconds ─┬─ dispose
 *                                           └ frames sampled ────┘
 */
import { HISTOGRAM_SHAPE } from '../../src/shared/memory/layout.js';
import { Histogram } from '../../src/shared/statistics/histogram.js';
import type { Json } from '../../src/shared/index.js';
import type { WorkerLike } from '../../src/render-main/index.js';
import {
  countText,
  distributionOf,
  medianOf,
  type CaseKey,
  type CaseResult,
  type RepeatTimes,
} from '../engine/index.js';
import { openSimulation, type BenchHandle } from './open-simulation.js';
import { OWN_ENGINE } from '../worker/bench-setup.js';
import { pause, unlessAborted } from './waiting.js';
import { tuned } from '../../src/render-main/api/connect-options.js';

export interface CaseRequest {
  readonly key: CaseKey;
  /** The simulation's setup. */
  readonly setup: Json;
  /** Maximum number of bodies. */
  readonly capacity: number;
  readonly seed: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly repeats: number;
  /**
   * How often the seconds are measured at most, in one worker, until 9 of 10 steps are in time or far too slow: the best counts, because
   * other work of the machine only makes steps longer.
   */
  readonly attempts: number;
}

/** The environment that measuring needs. */
export interface MeasureParts {
  readonly createWorker: () => WorkerLike | Promise<WorkerLike>;
  /** Asks for a browser's next frame; undefined if nothing draws. */
  readonly requestFrame?: ((callback: (stampMs: number) => void) => unknown) | undefined;
  /** Ends it immediately: the current repeat is lost, the ones before it are kept. */
  readonly signal: AbortSignal;
  /** Called before each repeat except the first: true ends it with the repeats so far. */
  readonly isStopRequested?: () => boolean;
  /**
   * Runs a repeat, again if the page was hidden in the meantime, because it measured nothing then.
   */
  readonly undisturbed?: <T>(repeat: () => Promise<T>) => Promise<T>;
}

export interface MeasuredCase {
  /** The bodies in it are the actual ones: the user's own worker may have a few others. */
  readonly result: CaseResult;
  /** Name and version of the engine, as the simulation reports; empty if it does not. */
  readonly engineName: string;
}

/** Infinite patience: an overloaded worker may take seconds for a step, but does not hang. */
const PATIENCE = tuned({}, { startTimeoutMs: 120_000, hangLimitMs: Number.POSITIVE_INFINITY });
/** How long a measurement waits for its first tick. */
const TICK_LIMIT_MS = 60_000;
/** In periods. */
const FAR_TOO_SLOW = 2;
/** A slow step takes less than this many times as long as a fast one: nothing else was running. */
const EQUAL = 2;
/** Tolerance for grounds, walls, players, and lost bodies: as a number, or as a share. */
const MORE_BODIES = 16;
const TOLERATED_SHARE = 0.05;

/**
 * @throws The worker's error. @throws The signal's reason when it is aborted in the first repeat.
 */
export async function measureCase(
  request: CaseRequest,
  parts: MeasureParts,
): Promise<MeasuredCase> {
  const { undisturbed = (repeat) => repeat(), isStopRequested = () => false } = parts;
  const repeats: Awaited<ReturnType<typeof measureRepeat>>[] = [];
  while (repeats.length < request.repeats) {
    if (repeats.length > 0 && isStopRequested()) break;
    try {
      repeats.push(await undisturbed(() => measureRepeat(request, parts)));
    } catch (error) {
      if (!parts.signal.aborted || repeats.length === 0) throw error;
      break;
    }
  }
  type Repeat = (typeof repeats)[number];
  const median = (of: (repeat: Repeat) => number): number => medianOf(repeats.map(of));
  const total = (of: (repeat: Repeat) => number): number =>
    repeats.reduce((sum, repeat) => sum + of(repeat), 0);
  const costsMs = repeats.flatMap((repeat) => repeat.frameCostsMs);
  const frame = costsMs.length === 0 ? null : distributionOf(costsMs);
  return {
    engineName: repeats[0]?.engineName ?? '',
    result: {
      ...request.key,
      bodies: repeats[0]?.stats.bodies ?? 0,
      ticks: total(({ stats }) => stats.ticks),
      droppedTicks: total(({ stats }) => stats.droppedTicks),
      effectiveSpeed: median(({ stats }) => stats.effectiveSpeed),
      budgetMs: 1000 / request.key.tickRateHz,
      repeats: repeats.map(({ step }) => step),
      step: {
        p25Ms: median(({ step }) => step.p25Ms),
        p50Ms: median(({ step }) => step.p50Ms),
        p90Ms: median(({ step }) => step.p90Ms),
        p99Ms: median(({ step }) => step.p99Ms),
      },
      publishP99Ms: median(({ stats }) => stats.publishMs.p99),
      latenessP99Ms: median(({ stats }) => stats.latenessMs.p99),
      frame: frame && { p50Ms: frame.p50, p99Ms: frame.p99 },
    },
  };
}

async function measureRepeat(
  { key, setup, capacity, seed, seconds, warmUpSeconds, attempts }: CaseRequest,
  { createWorker, requestFrame, signal }: MeasureParts,
) {
  signal.throwIfAborted();
  const failed = new AbortController();
  const opening = openSimulation(createWorker, {
    ...PATIENCE,
    tickRateHz: key.tickRateHz,
    capacity,
    seed,
    setup,
    recording: false,
  });
  const over = AbortSignal.any([signal, failed.signal]);
  // A simulation that opens after an abort must also be ended.
  const { session, simulation } = await unlessAborted(opening, signal).catch((error: unknown) => {
    opening.then((opened) => opened.simulation.dispose()).catch(() => {});
    throw error;
  });
  simulation.on('status', (status) => {
    if (status.kind === 'failed') failed.abort(status.error);
  });
  try {
    // With other queries, or none.
    const isOwn = key.engine === OWN_ENGINE;
    const engineName = isOwn ? '' : await simulation.queries.describe();
    const ids = isOwn ? new Uint32Array(0) : await simulation.queries.ids();
    const steps = new Histogram(HISTOGRAM_SHAPE, session.worker.connection.views.histograms.step);
    await pause(warmUpSeconds * 1000, over);
    await until(() => simulation.stats().ticks > 0, over);
    requireBodies(key.bodies, simulation.stats().bodies);
    const endFrames =
      requestFrame === undefined ? () => [] : drawWith(requestFrame, simulation, ids);
    let step = { p25Ms: Infinity, p50Ms: Infinity, p90Ms: Infinity, p99Ms: Infinity };
    simulation.resetStats();
    for (let attempt = 0; attempt < attempts && !isDecided(step, key.tickRateHz); attempt++) {
      steps.rebase();
      await pause(seconds * 1000, over);
      await until(() => steps.total > 0, over);
      step = {
        p25Ms: Math.min(step.p25Ms, steps.quantile(0.25)),
        p50Ms: Math.min(step.p50Ms, steps.quantile(0.5)),
        p90Ms: Math.min(step.p90Ms, steps.quantile(0.9)),
        p99Ms: Math.min(step.p99Ms, steps.quantile(0.99)),
      };
    }
    return { engineName, step, frameCostsMs: endFrames(), stats: simulation.stats() };
  } finally {
    await simulation.dispose();
  }
}

/** Whether another attempt would say the same: 9 of 10 steps are in time, or they take about equally far too long. */
function isDecided({ p25Ms, p90Ms }: RepeatTimes, tickRateHz: number): boolean {
  const shareOf = (ms: number): number => (ms * tickRateHz) / 1000;
  return shareOf(p90Ms) <= 1 || (shareOf(p25Ms) > FAR_TOO_SLOW && p90Ms < EQUAL * p25Ms);
}

/** Resolves when a tick has run. */
async function until(hasRun: () => boolean, signal: AbortSignal): Promise<void> {
  const endMs = performance.now() + TICK_LIMIT_MS;
  while (!hasRun()) {
    if (performance.now() > endMs) {
      throw new Error(`no tick was done within ${TICK_LIMIT_MS / 1000} s`);
    }
    await pause(5, signal);
  }
}

/** @param asked 0: any number. @throws Error if the user's own worker does not have them. */
export function requireBodies(asked: number, bodies: number): void {
  const tolerated = asked * TOLERATED_SHARE;
  const isRight = bodies >= asked - tolerated && bodies <= asked + Math.max(MORE_BODIES, tolerated);
  if (asked === 0 || isRight) return;
  throw new Error(
    `the worker has ${countText(bodies)} ${bodies === 1 ? 'body' : 'bodies'}, whatever --bodies says ` +
      `(${countText(asked)}): it does not read context.setup.bodies`,
  );
}

/**
 * Does a page's work for every frame, without drawing: samples, and writes all matrices.
 *
 * @returns Ends it, and returns the costs of the frames in ms.
 */
function drawWith(
  requestFrame: NonNullable<MeasureParts['requestFrame']>,
  simulation: BenchHandle,
  ids: Uint32Array,
): () => number[] {
  const scales = new Float32Array(ids.length * 3).fill(1);
  const matrices = new Float32Array(ids.length * 16);
  const costsMs: number[] = [];
  let isOver = false;
  requestFrame(function onFrame(stampMs) {
    if (isOver) return;
    const startMs = performance.now();
    simulation.sample(stampMs).writeMatrices(ids, scales, ids.length, matrices);
    costsMs.push(performance.now() - startMs);
    requestFrame(onFrame);
  });
  return () => {
    isOver = true;
    return costsMs;
  };
}
