/** Runs the whole plan in sequence, and builds the result. */
import {
  RESULT_FORMAT,
  RESULT_VERSION,
  estimateOf,
  findHeadroom,
  growthOf,
  keyText,
  measurementsOf,
  planWork,
  probeLengthOf,
  requireResult,
  secondsLeft,
  subjectText,
  type BenchOptions,
  type BenchResult,
  type CaseFailure,
  type CaseKey,
  type CaseResult,
  type Estimate,
  type HeadroomResult,
  type Machine,
  type Measurement,
  type PlannedWork,
} from '../engine/index.js';
import type { Json } from '../../src/shared/index.js';
import { MAX_BODIES, capacityOf, setupOf } from '../worker/bench-setup.js';
import { hasBodiesAsked, wrongBodiesText } from './body-count.js';
import type { CaseRequest, MeasuredCase } from './measure-case.js';

export interface BenchProgress {
  /** The current measurement. */
  readonly work: PlannedWork;
  /** For a search: the count that is being tried. */
  readonly probe: number | undefined;
  readonly done: number;
  readonly all: number;
  readonly secondsLeft: number;
}

export interface BenchRun {
  readonly options: BenchOptions;
  readonly seed: number;
  /**
   * Maximum number of bodies of the user's own worker. Default: `connect`'s; with `--bodies`, the
   * maximum of any scene.
   */
  readonly capacity?: number | undefined;
  readonly machine: Machine;
  /**
   * Measures a case in one of the runtimes.
   *
   * @throws The case's error, or anything when it was stopped.
   */
  readonly measure: (request: CaseRequest) => Promise<MeasuredCase>;
  /** True: ends with the results so far. */
  readonly isStopRequested: () => boolean;
  readonly onProgress?: (progress: BenchProgress) => void;
  /** Called after each measurement of a search, while nothing is measured. */
  readonly onEstimate?: (work: PlannedWork, estimate: Estimate) => void;
  /** Called with the results so far after each case and search. */
  readonly onPart?: (result: BenchResult) => void;
  /** Milliseconds on any clock. */
  readonly now: () => number;
}

const QUICK_PROBES = 13;
/** Where a search begins if no case says more. */
const START_BODIES = 100;
/** Of a count that a worker cannot run. */
const CANNOT_RUN = { p50Ms: null, p99Ms: null, ticks: 0, interruptions: 0, longSteps: 0 } as const;
/** The default of `connect`: the app's own worker is made for that. */
const DEFAULT_CAPACITY = 4096;
/**
 * Settling costs up to twice as much per tick as what follows. More than this multiple of the
 * budget does not fit.
 */
const SETTLE_LIMIT_BUDGETS = 4;

export async function runBench(run: BenchRun): Promise<BenchResult> {
  return new Bench(run).run();
}

class Bench {
  readonly #run: BenchRun;
  readonly #plan: readonly PlannedWork[];
  readonly #tookSeconds: number[] = [];
  readonly #cases: CaseResult[] = [];
  readonly #failures: CaseFailure[] = [];
  readonly #headroom: HeadroomResult[] = [];
  readonly #engines: Record<string, string>;
  readonly #made = new Date().toISOString();
  #wasCancelled = false;
  /** The user's worker decides on its bodies: more counts would measure the same. */
  #ignoresBodies = false;

  constructor(run: BenchRun) {
    this.#run = run;
    this.#plan = planWork(run.options);
    this.#engines = { ...run.machine.engines };
  }

  async run(): Promise<BenchResult> {
    const { isStopRequested, onPart, now } = this.#run;
    for (const work of this.#plan) {
      if (isStopRequested()) break;
      if (work.kind === 'headroom' && this.#ignoresBodies) {
        this.#tookSeconds.push(0);
        continue;
      }
      const startMs = now();
      this.#report(work);
      if (work.kind === 'case') await this.#measure(work);
      else await this.#search(work);
      if (isStopRequested()) break;
      this.#tookSeconds.push((now() - startMs) / 1000);
      onPart?.(this.#result());
    }
    this.#wasCancelled = isStopRequested() && this.#tookSeconds.length < this.#plan.length;
    return this.#result();
  }

  async #measure({ scene, engine, runtime, bodies, tickRateHz }: CaseKey): Promise<void> {
    const key = { scene, engine, runtime, bodies, tickRateHz };
    try {
      const measured = await this.#one(key, { ...this.#run.options, wantsMemory: true });
      // Two small requested counts may both be close enough to a fixed number of bodies.
      if (this.#cases.some((one) => keyText(one) === keyText(measured))) {
        throw this.#wrongBodies(bodies, measured.bodies);
      }
      this.#cases.push(measured);
    } catch (error) {
      if (this.#run.isStopRequested()) return;
      this.#failures.push({ ...key, message: messageOf(error) });
    }
  }

  async #search(work: PlannedWork & { kind: 'headroom' }): Promise<void> {
    const { scene, engine, runtime, tickRateHz } = work;
    const { options, isStopRequested, onEstimate } = this.#run;
    const budgetMs = 1000 / tickRateHz;
    const probeOptions = {
      ...probeLengthOf(options),
      repeats: 1,
      wantsMemory: false,
      settleLimitMs: SETTLE_LIMIT_BUDGETS * budgetMs * options.settleTicks,
    };
    const known = this.#cases.filter((one) => isOf(one, work)).flatMap(measurementsOf);
    let failure: CaseFailure | undefined;
    const measure = async (bodies: number): Promise<Omit<Measurement, 'bodies'> | undefined> => {
      if (isStopRequested()) return undefined;
      this.#report(work, bodies);
      const key = { scene, engine, runtime, bodies, tickRateHz };
      try {
        const [repeat] = (await this.#one(key, probeOptions)).repeats;
        return repeat ?? CANNOT_RUN;
      } catch (error) {
        if (error instanceof WrongBodiesError) throw error;
        if (isStopRequested()) return undefined;
        failure = { ...key, message: messageOf(error) };
        // A count that cannot run does not fit.
        return CANNOT_RUN;
      }
    };
    try {
      const found = await findHeadroom(measure, {
        budgetMs,
        known,
        startBodies: Math.min(this.#maxBodies, known[0]?.bodies ?? START_BODIES),
        maxBodies: this.#maxBodies,
        ...(options.isQuick ? { maxProbes: QUICK_PROBES } : {}),
        onMeasured: (measurements) => {
          const estimate = estimateOf(measurements, budgetMs);
          if (estimate !== undefined) onEstimate?.(work, estimate);
        },
      });
      if (found.measurements.some(({ p50Ms }) => p50Ms !== null)) {
        this.#headroom.push({ scene, engine, runtime, tickRateHz, ...found });
      } else if (failure !== undefined) this.#failures.push(failure);
    } catch (error) {
      if (!(error instanceof WrongBodiesError)) throw error;
      this.#failures.push({ scene, engine, runtime, tickRateHz, ...error.asked });
    }
  }

  get #maxBodies(): number {
    const { options, capacity } = this.#run;
    return Math.min(MAX_BODIES, (options.worker === null ? undefined : capacity) ?? MAX_BODIES);
  }

  async #one(
    key: CaseKey,
    how: Pick<CaseRequest, 'seconds' | 'warmUpSeconds' | 'repeats' | 'wantsMemory'> & {
      readonly settleLimitMs?: number;
    },
  ): Promise<CaseResult> {
    const { options, seed, measure } = this.#run;
    const { seconds, warmUpSeconds, repeats, wantsMemory } = how;
    const settleLimitMs = how.settleLimitMs ?? null;
    const { setup, capacity } = setupFor(key, this.#run, settleLimitMs);
    const length = { seconds, warmUpSeconds, repeats, wantsMemory };
    const request = { key, setup, capacity, seed, ...length };
    const { result, engineName } = await measure(request);
    if (engineName !== '') this.#engines[key.engine] = engineName;
    if (options.worker !== null && !hasBodiesAsked(key.bodies, result.bodies)) {
      throw this.#wrongBodies(key.bodies, result.bodies);
    }
    return result;
  }

  #wrongBodies(asked: number, bodies: number): WrongBodiesError {
    this.#ignoresBodies = true;
    return new WrongBodiesError(asked, bodies);
  }

  #report(work: PlannedWork, probe?: number): void {
    this.#run.onProgress?.({
      work,
      probe,
      done: this.#tookSeconds.length,
      all: this.#plan.length,
      secondsLeft: secondsLeft(this.#plan, this.#tookSeconds),
    });
  }

  #result(): BenchResult {
    return requireResult({
      format: RESULT_FORMAT,
      version: RESULT_VERSION,
      made: this.#made,
      machine: { ...this.#run.machine, engines: this.#engines },
      options: this.#run.options,
      cases: this.#cases,
      failures: this.#failures,
      headroom: this.#headroom,
      growth: this.#ignoresBodies ? [] : growthOf(this.#cases),
      wasCancelled: this.#wasCancelled,
    } satisfies BenchResult);
  }
}

const isOf = (one: CaseResult, { scene, engine, runtime, tickRateHz }: PlannedWork): boolean =>
  subjectText(one) === subjectText({ scene, engine, runtime }) && one.tickRateHz === tickRateHz;

/** The user's own worker gets only the number of bodies, if there is one. */
function setupFor(
  key: CaseKey,
  { options, seed, capacity }: BenchRun,
  settleLimitMs: number | null,
): { readonly setup: Json; readonly capacity: number } {
  if (options.worker === null) {
    const setup = setupOf(key, seed, settleLimitMs);
    return { setup, capacity: capacityOf(setup) };
  }
  const { bodies } = key;
  return bodies === 0
    ? { setup: null, capacity: capacity ?? DEFAULT_CAPACITY }
    : { setup: { bodies }, capacity: capacity ?? MAX_BODIES + 1024 };
}

/** The actual case differs from the requested one. */
class WrongBodiesError extends Error {
  override readonly name = 'WrongBodiesError';
  readonly asked: Pick<CaseFailure, 'bodies' | 'message'>;

  constructor(asked: number, bodies: number) {
    super(wrongBodiesText(asked, bodies));
    this.asked = { bodies: asked, message: this.message };
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
