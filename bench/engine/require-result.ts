/** Reads a benchmark's result back from JSON, strictly: a comparison of damaged figures would look like any other. */
import {
  BenchResultError,
  flag,
  integer,
  list,
  moment,
  number,
  oneOf,
  orNull,
  pair,
  record,
  text,
  texts,
  type Check,
} from './check.js';
import {
  RESULT_FORMAT,
  RESULT_VERSION,
  RUNTIMES,
  keyText,
  type BenchOptions,
  type BenchResult,
  type CaseFailure,
  type CaseResult,
  type Distribution,
  type FrameResult,
  type GrowthResult,
  type HeadroomResult,
  type Machine,
  type MemoryResult,
  type Repeat,
  type TickTime,
} from './result.js';

const share = number(0, 1);
const atLeast0 = number(0);
const runtime = oneOf(...RUNTIMES);
const rateHz = number(Number.MIN_VALUE);

const distribution: Check<Distribution> = (value, path) => {
  // A wake-up may be early, so these may lie below 0.
  const checked = record<Distribution>({
    p50: number(),
    p95: number(),
    p99: number(),
    max: number(),
    mean: number(),
  })(value, path);
  const { p50, p95, p99, max } = checked;
  requireRising([p50, p95, p99, max], path, 'p50, p95, p99 and max');
  return checked;
};

const subject = { scene: text, engine: text, runtime };
const key = { ...subject, bodies: integer(0), tickRateHz: rateHz };

const frame = record<FrameResult>({
  rateHz: atLeast0,
  costMs: distribution,
  animationErrorMs: record<FrameResult['animationErrorMs']>({
    mean: atLeast0,
    p99: atLeast0,
    max: atLeast0,
  }),
  starved: integer(0),
  repeated: integer(0),
  resets: integer(0),
});

const percentileCurve: Check<CaseResult['percentileCurve']> = (value, path) => {
  const points = list(pair(share, atLeast0))(value, path);
  for (const side of [0, 1] as const) {
    requireRising(
      points.map((point) => point[side]),
      path,
      side === 0 ? 'its shares' : 'its times',
    );
  }
  return points;
};

const caseResult = record<CaseResult>({
  ...key,
  seconds: atLeast0,
  ticks: integer(0),
  stepMs: distribution,
  budgetMs: number(Number.MIN_VALUE),
  budgetShare: atLeast0,
  deadlineMisses: integer(0),
  droppedTicks: integer(0),
  effectiveSpeed: atLeast0,
  latenessMs: distribution,
  publishMs: distribution,
  controlMs: orNull(distribution),
  frame: orNull(frame),
  memory: orNull(record<MemoryResult>({ workerMB: orNull(atLeast0), pageMB: orNull(atLeast0) })),
  worstSecond: list(
    record<TickTime>({
      dueMs: number(),
      startMs: number(),
      stepMs: atLeast0,
      publishMs: atLeast0,
    }),
  ),
  percentileCurve,
  repeats: list(record<Repeat>({ p50Ms: atLeast0, p99Ms: atLeast0 })),
});

const headroom = record<HeadroomResult>({
  ...subject,
  tickRateHz: rateHz,
  bodies: integer(0),
  p99Ms: orNull(atLeast0),
  triedCounts: list(pair(integer(0), orNull(atLeast0))),
  isBoundedBySearch: flag,
});

const growth = record<GrowthResult>({
  ...subject,
  exponent: number(),
  exponentLow: orNull(number()),
  exponentHigh: orNull(number()),
  points: list(pair(integer(1), number(Number.MIN_VALUE))),
});

/** What a result was measured on. */
export const machine = record<Machine>({
  cores: integer(1),
  cpu: orNull(text),
  os: text,
  runtimes: texts,
  engines: texts,
});

const result = record<BenchResult>({
  format: oneOf(RESULT_FORMAT),
  version: oneOf(RESULT_VERSION),
  made: moment,
  machine,
  options: record<BenchOptions>({
    scenes: list(text),
    engines: list(text),
    runtimes: list(runtime),
    bodies: list(integer(0)),
    tickRatesHz: list(rateHz),
    seconds: atLeast0,
    warmUpSeconds: atLeast0,
    settleTicks: integer(0),
    repeats: integer(1),
    isQuick: flag,
    searchesHeadroom: flag,
    worker: orNull(text),
  }),
  cases: list(caseResult),
  failures: list(record<CaseFailure>({ ...key, message: text })),
  headroom: list(headroom),
  growth: list(growth),
  wasCancelled: flag,
});

/**
 * The result that parsed JSON holds. Fields that are not known are left out.
 *
 * @throws {BenchResultError} When it is of another kind or of a newer version, or naming the place where it is
 *   damaged, such as `cases[3].stepMs.p99`.
 */
export function requireResult(json: unknown): BenchResult {
  const { format, version }: Head = typeof json === 'object' && json !== null ? json : {};
  if (format !== RESULT_FORMAT) {
    throw new BenchResultError(
      `this is no result of the benchmark: its format must be "${RESULT_FORMAT}". ` +
        'Give a file that was written with --json.',
    );
  }
  if (typeof version === 'number' && version > RESULT_VERSION) {
    throw new BenchResultError(
      `this result is of version ${version}, and the newest that can be read here is ${RESULT_VERSION}. ` +
        'Use the release that wrote it, or measure anew.',
    );
  }
  const checked = result(json, '');
  const seen = new Set<string>();
  for (const [index, one] of checked.cases.entries()) {
    if (seen.has(keyText(one))) {
      throw new BenchResultError(`cases[${index}] is the same case as one before it`);
    }
    seen.add(keyText(one));
  }
  return checked;
}

interface Head {
  readonly format?: unknown;
  readonly version?: unknown;
}

function requireRising(values: readonly number[], path: string, what: string): void {
  const isRising = values.every(
    (value, index) => index === 0 || value >= (values[index - 1] ?? value),
  );
  if (!isRising)
    throw new BenchResultError(
      `${path}: ${what} must go up, and are ${values.slice(0, 8).join(', ')}`,
    );
}
