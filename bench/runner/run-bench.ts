/** Runs everything that was asked for, one after the other, and puts the result together. */
import {
  RESULT_FORMAT,
  RESULT_VERSION,
  findHeadroom,
  growthOf,
  isWithinBudget,
  planWork,
  probeLengthOf,
  requireResult,
  secondsLeft,
  type BenchOptions,
  type BenchResult,
  type CaseFailure,
  type CaseKey,
  type CaseResult,
  type HeadroomResult,
  type Machine,
  type PlannedWork,
} from '../engine/index.js';
import type { Json } from '../../src/shared/recording.js';
import { MAX_BODIES, capacityOf, setupOf } from '../worker/bench-setup.js';
import type { CaseRequest, MeasuredCase } from './measure-case.js';

export interface BenchProgress {
  /** What is being measured. */
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
  readonly machine: Machine;
  /**
   * Measures a case in one of the runtimes.
   *
   * @throws What the case failed with, or anything when it was stopped.
   */
  readonly measure: (request: CaseRequest) => Promise<MeasuredCase>;
  /** True: what is there is the result. */
  readonly isStopRequested: () => boolean;
  readonly onProgress?: (progress: BenchProgress) => void;
  /** Called with what there is after each case and search. */
  readonly onPart?: (result: BenchResult) => void;
  /** Milliseconds on any clock. */
  readonly now: () => number;
}

const QUICK_PROBES = 13;
/** Settling costs up to twice as much as what comes after it. What takes more than these budgets a tick does not fit. */
const SETTLE_LIMIT_BUDGETS = 4;

export async function runBench(run: BenchRun): Promise<BenchResult> {
  return new Bench(run).run();
}

class Bench {
  readonly #run: BenchRun;
  readonly #plan: readonly PlannedWork[];
  readonly #tookS: number[] = [];
  readonly #cases: CaseResult[] = [];
  readonly #failures: CaseFailure[] = [];
  readonly #headroom: HeadroomResult[] = [];
  readonly #engines: Record<string, string>;
  readonly #made = new Date().toISOString();
  #wasCancelled = false;

  constructor(run: BenchRun) {
    this.#run = run;
    this.#plan = planWork(run.options);
    this.#engines = { ...run.machine.engines };
  }

  async run(): Promise<BenchResult> {
    const { isStopRequested, onPart, now } = this.#run;
    for (const work of this.#plan) {
      if (isStopRequested()) break;
      const startMs = now();
      this.#tell(work);
      if (work.kind === 'case') await this.#measure(work);
      else await this.#search(work);
      if (isStopRequested()) break;
      this.#tookS.push((now() - startMs) / 1000);
      onPart?.(this.#result());
    }
    this.#wasCancelled = isStopRequested() && this.#tookS.length < this.#plan.length;
    return this.#result();
  }

  async #measure({ scene, engine, runtime, bodies, tickRateHz }: CaseKey): Promise<void> {
    const key = { scene, engine, runtime, bodies, tickRateHz };
    try {
      this.#cases.push(await this.#one(key, { ...this.#run.options, wantsMemory: true }));
    } catch (error) {
      if (this.#run.isStopRequested()) return;
      this.#failures.push({ ...key, message: messageOf(error) });
    }
  }

  async #search(work: PlannedWork & { kind: 'headroom' }): Promise<void> {
    const { scene, engine, runtime, tickRateHz } = work;
    const { options, isStopRequested } = this.#run;
    const budgetMs = 1000 / tickRateHz;
    const probeOptions = {
      ...probeLengthOf(options),
      repeats: 1,
      wantsMemory: false,
      settleLimitMs: SETTLE_LIMIT_BUDGETS * budgetMs * options.settleTicks,
    };
    const measureP99Ms = async (bodies: number): Promise<number> => {
      this.#tell(work, bodies);
      const key = { scene, engine, runtime, bodies, tickRateHz };
      try {
        return (await this.#one(key, probeOptions)).stepMs.p99;
      } catch (error) {
        // One that cannot be run does not fit; a search that was stopped knows what it knew.
        if (isStopRequested()) throw error;
        return Number.NaN;
      }
    };
    try {
      const found = await findHeadroom(measureP99Ms, {
        budgetMs,
        startBodies: this.#startOf(work),
        maxBodies: MAX_BODIES,
        ...(options.isQuick ? { maxProbes: QUICK_PROBES } : {}),
        isCancelled: isStopRequested,
      });
      if (found.triedCounts.length === 0) return;
      this.#headroom.push({ scene, engine, runtime, tickRateHz, ...found });
    } catch (error) {
      if (!isStopRequested()) throw error;
    }
  }

  /** Near the limit, going by the cases: the cost of a step is about in proportion to the bodies, or a bit more. */
  #startOf({
    scene,
    engine,
    runtime,
    tickRateHz,
  }: CaseKey | (PlannedWork & { kind: 'headroom' })): number {
    const measured = this.#cases
      .filter(
        (one) =>
          one.scene === scene &&
          one.engine === engine &&
          one.runtime === runtime &&
          one.tickRateHz === tickRateHz,
      )
      .toSorted((a, b) => a.bodies - b.bodies);
    const near = measured.findLast(isWithinBudget) ?? measured[0];
    if (near === undefined) return 100;
    const guess = near.bodies / Math.max(near.budgetShare, 0.01);
    return Math.min(MAX_BODIES, Math.max(1, Math.round(guess)));
  }

  async #one(
    key: CaseKey,
    how: Pick<CaseRequest, 'seconds' | 'warmUpSeconds' | 'repeats' | 'wantsMemory'> & {
      readonly settleLimitMs?: number;
    },
  ): Promise<CaseResult> {
    const { options, seed, measure } = this.#run;
    const { seconds, warmUpSeconds, repeats, wantsMemory } = how;
    const { setup, capacity } = setupFor(key, options, seed, how.settleLimitMs ?? null);
    const length = { seconds, warmUpSeconds, repeats, wantsMemory };
    const request = { key, setup, capacity, seed, ...length };
    const { result, engineName } = await measure(request);
    if (engineName !== '') this.#engines[key.engine] = engineName;
    return result;
  }

  #tell(work: PlannedWork, probe?: number): void {
    this.#run.onProgress?.({
      work,
      probe,
      done: this.#tookS.length,
      all: this.#plan.length,
      secondsLeft: secondsLeft(this.#plan, this.#tookS),
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
      growth: growthOf(this.#cases),
      wasCancelled: this.#wasCancelled,
    } satisfies BenchResult);
  }
}

/** The user's own worker is given the number of bodies, if there is one, and nothing else. */
function setupFor(
  key: CaseKey,
  { worker }: BenchOptions,
  seed: number,
  settleLimitMs: number | null,
): { readonly setup: Json; readonly capacity: number } {
  if (worker === null) {
    const setup = setupOf(key, seed, settleLimitMs);
    return { setup, capacity: capacityOf(setup) };
  }
  const { bodies } = key;
  return { setup: bodies === 0 ? null : { bodies }, capacity: MAX_BODIES };
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
