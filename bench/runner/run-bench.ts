/** Measures cases and searches for limits in sequence, and builds the result. */
import {
  RESULT_FORMAT,
  RESULT_VERSION,
  limitOf,
  nextCount,
  type BenchOptions,
  type BenchResult,
  type CaseFailure,
  type CaseKey,
  type CaseResult,
  type LimitResult,
  type Machine,
  type Measurement,
} from '../engine/index.js';
import type { Json } from '../../src/shared/index.js';
import { MAX_BODIES, capacityOf, setupOf } from '../worker/bench-setup.js';
import type { CaseRequest, MeasuredCase } from './measure-case.js';

export interface BenchProgress {
  /** The current case, or the one that a search tries. */
  readonly work: CaseKey;
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
  readonly onMeasured?: (limit: LimitResult) => void;
  /** Called with the results so far after each case and search. */
  readonly onPart?: (result: BenchResult) => void;
  /** Milliseconds on any clock. */
  readonly now: () => number;
}

/** A search ends before it takes longer, in seconds. */
const SEARCH_SECONDS = 55;
const SEARCH = { start: 100, max: MAX_BODIES, times: 3 };
/** How each of its numbers is measured. */
const PROBE = { seconds: 0.7, warmUpSeconds: 0.2, repeats: 1, attempts: 3 };
/** Settling costs up to twice as much per tick as what follows: more than this does not fit. */
const SETTLE_LIMIT_BUDGETS = 2.5;
/** Loading an engine, building a scene and letting it settle, and ending a worker, in seconds. */
const CASE_OVERHEAD_SECONDS = 1.5;
/** The default of `connect`: the app's own worker is made for that. */
const DEFAULT_CAPACITY = 4096;

type Work = Omit<CaseKey, 'bodies'> & {
  /** Undefined: a search. */
  readonly bodies: number | undefined;
};

export async function runBench(run: BenchRun): Promise<BenchResult> {
  return new Bench(run).run();
}

class Bench {
  readonly #run: BenchRun;
  readonly #plan: readonly Work[];
  #done = 0;
  readonly #cases: CaseResult[] = [];
  readonly #failures: CaseFailure[] = [];
  readonly #limits: LimitResult[] = [];
  readonly #engines: Record<string, string>;
  readonly #made = new Date().toISOString();

  constructor(run: BenchRun) {
    this.#run = run;
    this.#plan = planOf(run.options);
    this.#engines = { ...run.machine.engines };
  }

  async run(): Promise<BenchResult> {
    const { isStopRequested, onPart } = this.#run;
    for (const { bodies, ...subject } of this.#plan) {
      if (isStopRequested()) break;
      if (bodies === undefined) await this.#search(subject);
      else await this.#measure({ ...subject, bodies });
      if (isStopRequested()) break;
      this.#done += 1;
      onPart?.(this.#result());
    }
    return this.#result();
  }

  async #measure(key: CaseKey): Promise<void> {
    const { options, isStopRequested } = this.#run;
    const { seconds, warmUpSeconds, repeats } = options;
    this.#report(key);
    try {
      this.#cases.push(
        await this.#one(key, { seconds, warmUpSeconds, repeats, attempts: 1 }, null),
      );
    } catch (error) {
      if (!isStopRequested()) this.#failures.push({ ...key, message: messageOf(error) });
    }
  }

  async #search(subject: Omit<CaseKey, 'bodies'>): Promise<void> {
    const { isStopRequested, onMeasured, now } = this.#run;
    const budgetMs = 1000 / subject.tickRateHz;
    const measurements: Measurement[] = [];
    const resultOf = (ended: LimitResult['ended']): LimitResult => {
      const { bodies, bodiesLow, bodiesHigh } = limitOf(measurements, budgetMs);
      return { ...subject, bodies, bodiesLow, bodiesHigh, ended, measurements: [...measurements] };
    };
    let failure: CaseFailure | undefined;
    let ended: 'found' | 'time' | undefined;
    const endMs = now() + SEARCH_SECONDS * 1000;
    let longestMs = 0;
    while (!isStopRequested()) {
      const bodies = nextCount(measurements, budgetMs, SEARCH);
      const beganMs = now();
      if (bodies === undefined) ended = 'found';
      else if (beganMs + longestMs > endMs) ended = 'time';
      if (bodies === undefined || ended !== undefined) break;
      const key = { ...subject, bodies };
      this.#report(key, (endMs - beganMs) / 1000);
      try {
        const { step } = await this.#one(key, PROBE, SETTLE_LIMIT_BUDGETS * budgetMs);
        measurements.push({ bodies, p25Ms: rounded(step.p25Ms), p90Ms: rounded(step.p90Ms) });
      } catch (error) {
        if (isStopRequested()) break;
        failure = { ...key, message: messageOf(error) };
        measurements.push({ bodies, p25Ms: null, p90Ms: null });
      }
      longestMs = Math.max(longestMs, now() - beganMs);
      if (hasRun(measurements)) onMeasured?.(resultOf('time'));
    }
    if (hasRun(measurements)) this.#limits.push(resultOf(ended ?? 'stopped'));
    else if (failure !== undefined) this.#failures.push(failure);
  }

  async #one(
    key: CaseKey,
    how: Pick<CaseRequest, 'seconds' | 'warmUpSeconds' | 'repeats' | 'attempts'>,
    settleLimitMs: number | null,
  ): Promise<CaseResult> {
    const { seed, measure } = this.#run;
    const { setup, capacity } = setupFor(key, this.#run, settleLimitMs);
    const { result, engineName } = await measure({ key, setup, capacity, seed, ...how });
    if (engineName !== '') this.#engines[key.engine] = engineName;
    return result;
  }

  #report(work: CaseKey, secondsLeft?: number): void {
    const { onProgress, options } = this.#run;
    const { seconds, warmUpSeconds, repeats } = options;
    const caseSeconds = (seconds + warmUpSeconds + CASE_OVERHEAD_SECONDS) * repeats;
    const planned = (one: Work): number =>
      one.bodies === undefined ? SEARCH_SECONDS : caseSeconds;
    const [current, ...rest] = this.#plan.slice(this.#done).map(planned);
    const left = rest.reduce((sum, one) => sum + one, secondsLeft ?? current ?? 0);
    onProgress?.({ work, done: this.#done, all: this.#plan.length, secondsLeft: left });
  }

  #result(): BenchResult {
    const { machine, options } = this.#run;
    return {
      format: RESULT_FORMAT,
      version: RESULT_VERSION,
      made: this.#made,
      machine: { ...machine, engines: this.#engines },
      options,
      cases: this.#cases,
      failures: this.#failures,
      limits: this.#limits,
      wasCancelled: this.#done < this.#plan.length,
    };
  }
}

/**
 * All work in order. One runtime after another, because a browser is slow to start; small counts
 * first, so that a cancelled run has the ones that are likely to fit.
 */
function planOf({ runtimes, scenes, engines, tickRatesHz, bodies }: BenchOptions): Work[] {
  const counts = bodies.length === 0 ? [undefined] : bodies.toSorted((a, b) => a - b);
  return runtimes.flatMap((runtime) =>
    scenes.flatMap((scene) =>
      engines.flatMap((engine) =>
        tickRatesHz.flatMap((tickRateHz) =>
          counts.map((count) => ({ scene, engine, runtime, tickRateHz, bodies: count })),
        ),
      ),
    ),
  );
}

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

const hasRun = (measurements: readonly Measurement[]): boolean =>
  measurements.some(({ p25Ms }) => p25Ms !== null);

/** To the digits that an address has, so that a link gives the same answer. */
const rounded = (ms: number): number => Number(ms.toPrecision(3));

/** The first line: a message from a browser's page ends with where it was thrown. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\n.*/s, '');
