/**
 * The result of the tick-budget benchmark: the contents of its JSON file, as schemas, and the types
 * that follow from them. A change that older readers would misunderstand increments {@link
 * RESULT_VERSION}.
 */
import * as v from 'valibot';
import {
  atLeast0,
  count,
  distinct,
  finite,
  flag,
  integer,
  isRising,
  list,
  moment,
  oneOf,
  pair,
  positive,
  read,
  record,
  share,
  text,
  texts,
  type Frozen,
} from './schema.js';

/** Distinguishes a benchmark's result from other JSON. */
export const RESULT_FORMAT = 'betwixt-bench';
export const RESULT_VERSION = 2;

export const RUNTIMES = ['chromium', 'firefox', 'safari', 'browser', 'node'] as const;
const runtime = oneOf(...RUNTIMES);
/**
 * Where the worker ran: a browser, by its engine (`browser` is an unknown one), or Node. Only a
 * browser has a page that draws frames.
 */
export type Runtime = v.InferOutput<typeof runtime>;

const subject = { scene: text, engine: text, runtime };
/** The part of a case that stays the same while the number of bodies changes. */
export type Subject = Frozen<v.InferOutput<v.ObjectSchema<typeof subject, undefined>>>;

const caseKey = { ...subject, bodies: count, tickRateHz: positive };
/** The key of a case: unique within a result. */
export type CaseKey = Frozen<v.InferOutput<v.ObjectSchema<typeof caseKey, undefined>>>;

/** Percentiles in milliseconds. A wake-up may be early, so these may be below 0. */
const distribution = v.pipe(
  record({ p50: finite, p95: finite, p99: finite, max: finite, mean: finite }),
  v.check(
    ({ p50, p95, p99, max }) => isRising([p50, p95, p99, max]),
    ({ input: { p50, p95, p99, max } }) =>
      `must increase from p50 over p95 and p99 to max, but has ${[p50, p95, p99, max].join(', ')}`,
  ),
);
export type Distribution = Frozen<v.InferOutput<typeof distribution>>;

/** The machine of a measurement. */
export const machine = record({
  /** Logical processors. */
  cores: integer(1),
  /** The processor's name; null where a page cannot know it. */
  cpu: v.nullable(text),
  os: text,
  /** Versions by name: the browser, Node. */
  runtimes: texts,
  /** Versions and builds of the physics engines by name. */
  engines: texts,
});
export type Machine = Frozen<v.InferOutput<typeof machine>>;

/** The options of the request. */
const options = record({
  scenes: list(text),
  engines: list(text),
  runtimes: list(runtime),
  bodies: list(count),
  tickRatesHz: list(positive),
  /** Measured seconds of one repeat, after the warm-up. */
  seconds: atLeast0,
  warmUpSeconds: atLeast0,
  /** Ticks before the warm-up in which the bodies of a scene settle. */
  settleTicks: count,
  /** How often each case is measured. The differences are the spread of a case. */
  repeats: integer(1),
  /** A short run as a smoke test: its figures are rough. */
  isQuick: flag,
  /** Whether headroom is searched for. */
  searchesHeadroom: flag,
  /** The user's own worker script instead of the built-in scenes; null for those. */
  worker: v.nullable(text),
});
export type BenchOptions = Frozen<v.InferOutput<typeof options>>;

/** One tick. Times are milliseconds from when the first tick of its list was due. */
const tickTime = record({
  dueMs: finite,
  /** When its step began. */
  startMs: finite,
  stepMs: atLeast0,
  publishMs: atLeast0,
});
export type TickTime = Frozen<v.InferOutput<typeof tickTime>>;

/** The page's cost, and what it could show. */
const frame = record({
  rateHz: atLeast0,
  /** Work of the page for a frame. */
  costMs: distribution,
  /** Size of the animation error, frame by frame. */
  animationErrorMs: record({ mean: atLeast0, p99: atLeast0, max: atLeast0 }),
  starved: count,
  repeated: count,
  resets: count,
});
export type FrameResult = Frozen<v.InferOutput<typeof frame>>;

/** In megabytes of 10^6 bytes; null for a side that could not be measured. */
const memory = record({ workerMB: v.nullable(atLeast0), pageMB: v.nullable(atLeast0) });
export type MemoryResult = Frozen<v.InferOutput<typeof memory>>;

/** Counts that show whether the machine kept the worker from running; see interruptions.ts. */
const interrupted = {
  ticks: count,
  /** Late wake-ups, and gaps in a loop without work. 0 where that is not known. */
  interruptions: count,
  /** Steps that took much longer than usual. */
  longSteps: count,
};
export type Interrupted = Frozen<v.InferOutput<v.ObjectSchema<typeof interrupted, undefined>>>;

/** One measurement of a case. */
const repeat = record({ p50Ms: atLeast0, p99Ms: atLeast0, ...interrupted });
export type Repeat = Frozen<v.InferOutput<typeof repeat>>;

/** Step time by share of the steps, both ascending. */
const percentileCurve = v.pipe(
  list(pair(share, atLeast0)),
  v.check((points) => isRising(points.map(([at]) => at)), 'has shares that do not increase'),
  v.check((points) => isRising(points.map(([, ms]) => ms)), 'has times that do not increase'),
);

const caseResult = record({
  ...caseKey,
  /** Measured time, all repeats together. */
  seconds: atLeast0,
  ticks: count,
  stepMs: distribution,
  /** The tick budget: the period. */
  budgetMs: positive,
  /** p99 of the step over the budget. */
  budgetShare: atLeast0,
  /** Ticks that were not published when the next one was due. */
  deadlineMisses: count,
  droppedTicks: count,
  /** Simulated time over real time: 1 when it keeps up. */
  effectiveSpeed: atLeast0,
  /** Wake-up minus due time. */
  latenessMs: distribution,
  publishMs: distribution,
  /** From a control call to its answer; null when none was measured. */
  controlMs: v.nullable(distribution),
  /** Null where nothing draws. */
  frame: v.nullable(frame),
  memory: v.nullable(memory),
  /** The ticks of the worst second: total lateness of publication is largest. */
  worstSecond: list(tickTime),
  percentileCurve,
  repeats: list(repeat),
});
export type CaseResult = Frozen<v.InferOutput<typeof caseResult>>;

/** A case without a result. */
const caseFailure = record({ ...caseKey, message: text });
export type CaseFailure = Frozen<v.InferOutput<typeof caseFailure>>;

/** One measurement of a number of bodies. */
const measurement = record({
  bodies: count,
  /** Null: it cannot run, or falls behind. */
  p50Ms: v.nullable(atLeast0),
  p99Ms: v.nullable(atLeast0),
  ...interrupted,
});
export type Measurement = Frozen<v.InferOutput<typeof measurement>>;

/** The maximum number of bodies within the budget: the fields of `Limit`, and what they are from. */
const headroom = v.pipe(
  record({
    ...subject,
    tickRateHz: positive,
    bodies: count,
    p99Ms: v.nullable(atLeast0),
    bodiesLow: count,
    bodiesHigh: v.nullable(count),
    fit: list(pair(count, v.nullable(atLeast0))),
    interruptions: count,
    canTell: flag,
    /** Of the cases and of the search, in this order. */
    measurements: list(measurement),
    /** The search ended before it found the limit, so there may be more room than `bodies` says. */
    isBoundedBySearch: flag,
  }),
  v.check(
    ({ bodies, bodiesLow, bodiesHigh }) => isRising([bodiesLow, bodies, bodiesHigh ?? bodies]),
    ({ input: { bodies, bodiesLow, bodiesHigh } }) =>
      `must have bodies from bodiesLow to bodiesHigh, but has ${[bodies, bodiesLow, bodiesHigh].join(', ')}`,
  ),
);
export type HeadroomResult = Frozen<v.InferOutput<typeof headroom>>;

/** How a step's cost grows: with the number of bodies to the power of `exponent`. */
const growth = record({
  ...subject,
  exponent: finite,
  /**
   * Ends of the interval that contains the exponent with 99 % confidence; null with too few points.
   */
  exponentLow: v.nullable(finite),
  exponentHigh: v.nullable(finite),
  /** The fitted points: bodies, and the p50 of the step in ms. */
  points: list(pair(integer(1), positive)),
});
export type GrowthResult = Frozen<v.InferOutput<typeof growth>>;

const result = record({
  format: v.literal(RESULT_FORMAT, JSON.stringify(RESULT_FORMAT)),
  version: v.literal(RESULT_VERSION, String(RESULT_VERSION)),
  /** When it was measured: ISO 8601, UTC. */
  made: moment,
  machine,
  options,
  cases: distinct(caseResult, keyText),
  failures: list(caseFailure),
  headroom: list(headroom),
  growth: list(growth),
  /** It was cancelled: cases are missing. */
  wasCancelled: flag,
});
export type BenchResult = Frozen<v.InferOutput<typeof result>>;

/**
 * Parses and strictly checks a result from JSON: a comparison of damaged figures would look like
 * any other. Unknown fields are dropped.
 *
 * @throws {BenchResultError} When it is of another kind or of a newer version, or naming the place
 * where it is
 *   damaged, such as `cases[3].stepMs.p99`.
 */
export function requireResult(json: unknown): BenchResult {
  const otherwise =
    `this is not a result of the benchmark: its format must be "${RESULT_FORMAT}". ` +
    'Use a file written with --json.';
  return read(result, { format: RESULT_FORMAT, version: RESULT_VERSION, otherwise }, json);
}

/** A text that identifies a case and sorts well: equal texts mean the same case. */
export function keyText({ scene, engine, runtime: where, bodies, tickRateHz }: CaseKey): string {
  return JSON.stringify([scene, engine, where, bodies, tickRateHz]);
}

export function subjectText({ scene, engine, runtime: where }: Subject): string {
  return JSON.stringify([scene, engine, where]);
}

/** Groups items by a key, groups and items in the order in which they first occur. */
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
