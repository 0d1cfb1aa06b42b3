/**
 * What a run of the tick-budget benchmark found: the contents of its JSON file.
 *
 * `require-result.ts` checks a file against these types. A change that older readers would misunderstand
 * raises {@link RESULT_VERSION}.
 */

/** Tells a benchmark's result from other JSON. */
export const RESULT_FORMAT = 'betwixt-bench';
export const RESULT_VERSION = 1;

export const RUNTIMES = ['chromium', 'firefox', 'safari', 'browser', 'node'] as const;
/**
 * Where the worker ran: a browser, by its engine (`browser` is one that is not known), or Node. Only in a browser is
 * there a page that draws frames.
 */
export type Runtime = (typeof RUNTIMES)[number];

/** What stays the same while the number of bodies changes. */
export interface Subject {
  readonly scene: string;
  readonly engine: string;
  readonly runtime: Runtime;
}

/** What a case is told apart by: no two cases of a result have the same. */
export interface CaseKey extends Subject {
  readonly bodies: number;
  readonly tickRateHz: number;
}

/** Of a kind of duration, in milliseconds: the value that so many of a hundred do not exceed. */
export interface Distribution {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly mean: number;
}

export interface Machine {
  /** Logical processors. */
  readonly cores: number;
  /** The processor's name; null where a page is not told. */
  readonly cpu: string | null;
  readonly os: string;
  /** Versions by name: the browser, Node. */
  readonly runtimes: Readonly<Record<string, string>>;
  /** Versions and builds of the physics engines by name. */
  readonly engines: Readonly<Record<string, string>>;
}

/** What was asked for. */
export interface BenchOptions {
  readonly scenes: readonly string[];
  readonly engines: readonly string[];
  readonly runtimes: readonly Runtime[];
  readonly bodies: readonly number[];
  readonly tickRatesHz: readonly number[];
  /** Measured seconds of one repeat, after the warm-up. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Ticks before the warm-up in which the bodies of a scene fall and come to lie. */
  readonly settleTicks: number;
  /** Times that each case is measured. Their differences are the spread of a case. */
  readonly repeats: number;
  /** A short run, to see that everything works: its figures are rough. */
  readonly isQuick: boolean;
  /** Whether headroom is searched for. */
  readonly searchesHeadroom: boolean;
  /** The user's own worker script in place of the built-in scenes; null for those. */
  readonly worker: string | null;
}

/** One tick. Times are milliseconds from when the first tick of its list was due. */
export interface TickTime {
  readonly dueMs: number;
  /** When its step began. */
  readonly startMs: number;
  readonly stepMs: number;
  readonly publishMs: number;
}

/** What the page paid, and what it could show. */
export interface FrameResult {
  readonly rateHz: number;
  /** Work of the page for a frame. */
  readonly costMs: Distribution;
  /** Size of the animation error, frame by frame. */
  readonly animationErrorMs: {
    readonly mean: number;
    readonly p99: number;
    readonly max: number;
  };
  readonly starved: number;
  readonly repeated: number;
  readonly resets: number;
}

/** In megabytes of 10^6 bytes; null for a side that could not be measured. */
export interface MemoryResult {
  readonly workerMB: number | null;
  readonly pageMB: number | null;
}

/** One of the times that a case was measured. */
export interface Repeat {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface CaseResult extends CaseKey {
  /** Measured time, all repeats together. */
  readonly seconds: number;
  readonly ticks: number;
  readonly stepMs: Distribution;
  /** The tick budget: the period. */
  readonly budgetMs: number;
  /** p99 of the step over the budget. */
  readonly budgetShare: number;
  /** Ticks that were not published when the next one was due. */
  readonly deadlineMisses: number;
  readonly droppedTicks: number;
  /** Simulated time over real time: 1 when it keeps up. */
  readonly effectiveSpeed: number;
  /** Wake-up minus due time. */
  readonly latenessMs: Distribution;
  readonly publishMs: Distribution;
  /** From a control call to its answer; null when none was measured. */
  readonly controlMs: Distribution | null;
  /** Null where nothing draws. */
  readonly frame: FrameResult | null;
  readonly memory: MemoryResult | null;
  /** The ticks of the second in which they were done latest, added up. */
  readonly worstSecond: readonly TickTime[];
  /** Step time by share of the steps, both going up; the share from 0 to 1. */
  readonly percentileCurve: readonly (readonly [share: number, ms: number])[];
  readonly repeats: readonly Repeat[];
}

/** A case that gave no result. */
export interface CaseFailure extends CaseKey {
  readonly message: string;
}

/** The most bodies that keep within the budget. */
export interface HeadroomResult extends Subject {
  readonly tickRateHz: number;
  /** 0 when not even the smallest count that was tried keeps within it. */
  readonly bodies: number;
  /** At that count; null when it is 0. */
  readonly p99Ms: number | null;
  /** All counts tried, going up, with the median of their p99; null for a count that could not be run. */
  readonly triedCounts: readonly (readonly [bodies: number, p99Ms: number | null])[];
  /** The search ended before it found the limit, so there may be more room than `bodies` says. */
  readonly isBoundedBySearch: boolean;
}

/** How a step's cost grows: as the number of bodies to the power of `exponent`. */
export interface GrowthResult extends Subject {
  readonly exponent: number;
  /** Ends of the interval that holds the exponent with 99 % confidence; null with too few points for one. */
  readonly exponentLow: number | null;
  readonly exponentHigh: number | null;
  /** What it was fitted to. */
  readonly points: readonly (readonly [bodies: number, p50Ms: number])[];
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
  readonly headroom: readonly HeadroomResult[];
  readonly growth: readonly GrowthResult[];
  /** It was ended early: cases are missing. */
  readonly wasCancelled: boolean;
}

/** A case in words that sort and compare: two keys are the same case when their texts are equal. */
export function keyText({ scene, engine, runtime, bodies, tickRateHz }: CaseKey): string {
  return JSON.stringify([scene, engine, runtime, bodies, tickRateHz]);
}

export function subjectText({ scene, engine, runtime }: Subject): string {
  return JSON.stringify([scene, engine, runtime]);
}

/** Items that belong together, groups and items in the order in which they first come. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
