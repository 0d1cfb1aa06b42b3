/**
 * Measures a case: each repeat is a separate worker, warmed up, observed for a while and ended.
 * Differences between processes are then part of the spread between the repeats.
 *
 *     connect ─ settle (in init) ─ warm-up ─┬─ measured seconds ───────────────────┬─ dispose
 *                                           └ ticks noted, frames sampled, control calls at odd
 *                                           moments
 */
import { SLOT_HEADER } from '../../src/shared/memory/layout.js';
import type { Json } from '../../src/shared/index.js';
import type { WorkerLike } from '../../src/render-main/index.js';
import {
  caseResultOf,
  type CaseKey,
  type CaseResult,
  type MemoryResult,
  type RepeatMeasurement,
} from '../engine/index.js';
import { hasBodiesAsked } from './body-count.js';
import { FrameMeter, type FrameClock } from './frame-meter.js';
import { countFrom, countedCaseOf, type CountedRepeat } from './histogram-case.js';
import { repeatOf } from './logged-ticks.js';
import { openSimulation, type BenchHandle, type OpenSimulation } from './open-simulation.js';
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
  /** Whether memory is measured, which takes a while. */
  readonly wantsMemory: boolean;
}

/** The environment that measuring needs. */
export interface MeasureParts {
  readonly createWorker: () => WorkerLike | Promise<WorkerLike>;
  /** A browser's frames; undefined if nothing draws. */
  readonly frames?: FrameClock | undefined;
  readonly measureMemory?: ((simulation: BenchHandle) => Promise<MemoryResult | null>) | undefined;
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
  /** Its bodies are the actual ones: the user's own worker may ignore the requested number. */
  readonly result: CaseResult;
  /** Name and version of the engine, as the simulation reports; empty if it does not. */
  readonly engineName: string;
}

interface MeasuredRepeat {
  readonly measured: Measured;
  readonly memory: MemoryResult | null;
  readonly engineName: string;
  readonly bodies: number;
}

type Measured =
  | { readonly kind: 'logged'; readonly repeat: RepeatMeasurement }
  | { readonly kind: 'counted'; readonly repeat: CountedRepeat };

/** Infinite patience: an overloaded worker may take seconds for a step, but does not hang. */
const PATIENCE = tuned({}, { startTimeoutMs: 120_000, hangLimitMs: Number.POSITIVE_INFINITY });
/** How long a measurement waits for its first tick. */
const TICK_LIMIT_MS = 60_000;

/**
 * @throws The worker's error. @throws The signal's reason when it is aborted in the first repeat.
 */
export async function measureCase(
  request: CaseRequest,
  parts: MeasureParts,
): Promise<MeasuredCase> {
  const meter = parts.frames === undefined ? undefined : new FrameMeter(parts.frames);
  const { undisturbed = (repeat) => repeat(), isStopRequested = () => false } = parts;
  const measured: Measured[] = [];
  let memory: MemoryResult | null = null;
  let engineName = '';
  let { bodies } = request.key;
  for (let repeat = 0; repeat < request.repeats; repeat++) {
    if (repeat > 0 && isStopRequested()) break;
    try {
      const wantsMemory = request.wantsMemory && repeat === 0;
      const one = await undisturbed(() => measureRepeat({ ...request, wantsMemory }, parts, meter));
      measured.push(one.measured);
      memory = one.memory ?? memory;
      engineName = one.engineName;
      if (one.measured.kind === 'logged') continue;
      // The user's own worker has as many bodies as it has, whatever was requested.
      bodies = one.bodies;
      if (!hasBodiesAsked(request.key.bodies, bodies)) break;
    } catch (error) {
      if (!parts.signal.aborted || repeat === 0) throw error;
      break;
    }
  }
  const key = { ...request.key, bodies };
  const page = { frame: meter?.result() ?? null, memory };
  const logged = measured.flatMap((one) => (one.kind === 'logged' ? [one.repeat] : []));
  const counted = measured.flatMap((one) => (one.kind === 'counted' ? [one.repeat] : []));
  const result =
    counted.length > 0 ? countedCaseOf(key, counted, page) : caseResultOf(key, logged, page);
  return { result, engineName };
}

async function measureRepeat(
  { key, setup, capacity, seed, seconds, warmUpSeconds, wantsMemory }: CaseRequest,
  parts: MeasureParts,
  meter: FrameMeter | undefined,
): Promise<MeasuredRepeat> {
  const { signal } = parts;
  signal.throwIfAborted();
  const failed = new AbortController();
  const opening = openSimulation(parts.createWorker, {
    ...PATIENCE,
    tickRateHz: key.tickRateHz,
    capacity,
    seed,
    setup,
    recording: false,
  });
  const over = AbortSignal.any([signal, failed.signal]);
  // A simulation that opens after an abort must also be ended.
  const opened = await unlessAborted(opening, signal).catch((error: unknown) => {
    opening.then(({ simulation }) => simulation.dispose()).catch(() => {});
    throw error;
  });
  const { simulation, logsTicks } = opened;
  simulation.on('status', (status) => {
    if (status.kind === 'failed') failed.abort(status.error);
  });
  try {
    const ids = logsTicks ? await simulation.queries.ids() : new Uint32Array(0);
    const engineName = logsTicks ? await simulation.queries.describe() : '';
    const frames = meter?.start(simulation, ids);
    let isWhole = false;
    try {
      await pause(warmUpSeconds * 1000, over);
      const tick = await tickAfter(opened, 1, over);
      const end = await beginCounting(opened);
      frames?.begin();
      const controlMs = await callForAWhile(simulation, seconds * 1000, over);
      await tickAfter(opened, tick + 1, over);
      const measured = await unlessAborted(end(key.tickRateHz, controlMs), over);
      isWhole = true;
      frames?.end(true);
      const memory = wantsMemory ? await parts.measureMemory?.(simulation) : null;
      return {
        measured,
        memory: memory ?? null,
        engineName,
        bodies: simulation.stats().bodies,
      };
    } finally {
      if (!isWhole) frames?.end(false);
    }
  } finally {
    await simulation.dispose();
  }
}

/** @returns Ends it, and returns the measurements. */
async function beginCounting({
  session,
  simulation,
  logsTicks,
}: OpenSimulation): Promise<
  (tickRateHz: number, controlMs: readonly number[]) => Promise<Measured>
> {
  const { views } = session.worker.link;
  if (logsTicks) {
    await simulation.queries.beginTicks(views.control.buffer);
    return async (tickRateHz, controlMs) => {
      const logged = await simulation.queries.endTicks();
      return { kind: 'logged', repeat: repeatOf(logged, tickRateHz, controlMs) };
    };
  }
  const counts = countFrom(views);
  const startMs = performance.now();
  return async (_tickRateHz, controlMs) => {
    const seconds = (performance.now() - startMs) / 1000;
    return { kind: 'counted', repeat: { ...counts(), seconds, controlMs } };
  };
}

/** Resolves with the actual number when at least this many ticks have run. */
async function tickAfter(
  { session }: OpenSimulation,
  tick: number,
  signal: AbortSignal,
): Promise<number> {
  const endMs = performance.now() + TICK_LIMIT_MS;
  for (;;) {
    const newest = session.worker.link.status.read()[SLOT_HEADER.newestTick] ?? 0;
    if (newest >= tick) return newest;
    if (performance.now() > endMs) {
      throw new Error(`no tick was done within ${TICK_LIMIT_MS / 1000} s`);
    }
    await pause(5, signal);
  }
}

/** Calls the worker at irregular moments, and returns how long each answer took. */
async function callForAWhile(
  simulation: BenchHandle,
  durationMs: number,
  signal: AbortSignal,
): Promise<number[]> {
  const tookMs: number[] = [];
  const endMs = performance.now() + durationMs;
  // Multiples of the golden ratio: evenly spread, and never in step with the ticks.
  for (let call = 1; performance.now() < endMs; call++) {
    const waitMs = 60 + 80 * ((call * 0.618_033_988_75) % 1);
    await pause(Math.min(waitMs, Math.max(0, endMs - performance.now())), signal);
    if (performance.now() >= endMs) break;
    const startMs = performance.now();
    // Sets a value that is set already: a control call of the library, which every simulation
    // answers.
    await unlessAborted(simulation.setMaxCatchUpTicks(simulation.maxCatchUpTicks), signal);
    tookMs.push(performance.now() - startMs);
  }
  return tookMs;
}
