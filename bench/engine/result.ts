/** The result of the benchmark, as its JSON file contains it. */

/** Distinguishes a benchmark's result from other JSON. */
export const RESULT_FORMAT = 'betwixt-bench';
/** A change that older readers would misunderstand increments it. */
export const RESULT_VERSION = 3;

/**
 * Where the worker ran: a browser, by its engine (`browser` is an unknown one), or Node. Only a
 * browser has a page that draws frames.
 */
export type Runtime = 'chromium' | 'firefox' | 'safari' | 'browser' | 'node';

/** The part of a case that stays the same while the number of bodies changes. */
export interface Subject {
  readonly scene: string;
  readonly engine: string;
  readonly runtime: Runtime;
}

export interface CaseKey extends Subject {
  readonly bodies: number;
  readonly tickRateHz: number;
}

/** The machine of a measurement. */
export interface Machine {
  /** Logical processors. */
  readonly cores: number;
  /** The processor's name; null where a page cannot know it. */
  readonly cpu: string | null;
  readonly os: string;
  /** Versions by name: the browser, Node. */
  readonly runtimes: Readonly<Record<string, string>>;
  /** Versions and builds of the physics engines by name. */
  readonly engines: Readonly<Record<string, string>>;
}

/** The options of the request. */
export interface BenchOptions {
  readonly scenes: readonly string[];
  readonly engines: readonly string[];
  readonly runtimes: readonly Runtime[];
  /** Empty: the largest number of bodies is searched for. */
  readonly bodies: readonly number[];
  readonly tickRatesHz: readonly number[];
  /** Measured seconds of a repeat, after the warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly repeats: number;
  /** The user's own worker script instead of the built-in scenes; null for those. */
  readonly worker: string | null;
}

/** Medians of the repeats. Times in ms. */
export interface CaseResult extends CaseKey {
  /** In all repeats. */
  readonly ticks: number;
  readonly droppedTicks: number;
  /** Simulated time over real time: 1 when it keeps up. */
  readonly effectiveSpeed: number;
  /** The time that a step has: the period. */
  readonly budgetMs: number;
  /** Times of each repeat. */
  readonly repeats: readonly RepeatTimes[];
  readonly step: RepeatTimes;
  readonly publishP99Ms: number;
  /** Wake-up minus due time. */
  readonly latenessP99Ms: number;
  /** Work of the page for a frame; null where nothing draws. */
  readonly frame: { readonly p50Ms: number; readonly p99Ms: number } | null;
}

/** How long steps take, in ms. */
export interface RepeatTimes {
  readonly p25Ms: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
}

/** A case without a result. */
export interface CaseFailure extends CaseKey {
  readonly message: string;
}

/** A short measurement of a number of bodies. Null: they cannot run. */
export interface Measurement {
  readonly bodies: number;
  readonly p25Ms: number | null;
  readonly p90Ms: number | null;
}

/** How many bodies the device simulates; see limit.ts. */
export interface LimitResult extends Subject {
  readonly tickRateHz: number;
  readonly bodies: number;
  readonly bodiesLow: number;
  /** Null: the largest number that was tried was not too many. */
  readonly bodiesHigh: number | null;
  /** Why the search ended: it found the limit, its time was over, or the user stopped it. */
  readonly ended: 'found' | 'time' | 'stopped';
  readonly measurements: readonly Measurement[];
}

export interface BenchResult {
  readonly format: typeof RESULT_FORMAT;
  readonly version: typeof RESULT_VERSION;
  /** When it was measured: ISO 8601, UTC. */
  readonly made: string;
  readonly machine: Machine;
  readonly options: BenchOptions;
  readonly cases: readonly CaseResult[];
  readonly failures: readonly CaseFailure[];
  readonly limits: readonly LimitResult[];
  /** Stopped by the user: cases are missing. */
  readonly wasCancelled: boolean;
}

/** @throws Error when it is not a result, or one of another version. */
export function requireResult(json: unknown): BenchResult {
  const head = (json ?? {}) as { readonly format?: unknown; readonly version?: unknown };
  if (head.format !== RESULT_FORMAT) {
    throw new Error('this is not a result of the benchmark: use a file written with --json');
  }
  if (head.version !== RESULT_VERSION) {
    throw new Error(
      `this result has version ${String(head.version)}, and version ${RESULT_VERSION} is needed: measure again`,
    );
  }
  return json as BenchResult;
}

/** A text that identifies a case: equal texts mean the same case. */
export function keyText({ scene, engine, runtime, bodies, tickRateHz }: CaseKey): string {
  return JSON.stringify([scene, engine, runtime, bodies, tickRateHz]);
}
