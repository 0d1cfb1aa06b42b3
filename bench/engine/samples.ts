/** From single ticks to a case's figures: percentiles, their curve and the worst second. */
import { interruptedOf } from './interruptions.js';
import type { CaseKey, CaseResult, Distribution, Repeat, TickTime } from './result.js';

/**
 * The value that the given share of values does not exceed: the nearest rank, so always a measured
 * value.
 *
 * @param sorted Ascending, not empty.
 * @param share From 0 to 1; 1 is the largest value.
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** @throws RangeError when there are none. */
export function distributionOf(values: Iterable<number>): Distribution {
  const sorted = Float64Array.from(values).toSorted();
  if (sorted.length === 0) throw new RangeError('there must be a value to take percentiles of');
  return {
    p50: quantileOf(sorted, 0.5),
    p95: quantileOf(sorted, 0.95),
    p99: quantileOf(sorted, 0.99),
    max: quantileOf(sorted, 1),
    mean: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
  };
}

/** Points of the curve per tenfold decrease of the remaining values. */
const POINTS_PER_DECADE = 10;

/** Shares that approach 1 as closely as the number of values allows, and the values there. */
export function percentileCurveOf(values: Iterable<number>): [share: number, ms: number][] {
  const sorted = Float64Array.from(values).toSorted();
  if (sorted.length === 0) return [];
  const points: [number, number][] = [];
  for (let point = 0; 10 ** (point / POINTS_PER_DECADE) < sorted.length; point++) {
    const share = 1 - 10 ** (-point / POINTS_PER_DECADE);
    points.push([rounded(share, 1e6), rounded(quantileOf(sorted, share), 1e4)]);
  }
  points.push([1, rounded(quantileOf(sorted, 1), 1e4)]);
  return points;
}

/** When a tick was published, after it was due. */
export const doneAfterDueMs = ({ dueMs, startMs, stepMs, publishMs }: TickTime): number =>
  startMs + stepMs + publishMs - dueMs;

/** The second of a run in which ticks were latest in total. Times count from its first due time. */
export function worstSecondOf(ticks: readonly TickTime[]): TickTime[] {
  let first = 0;
  let lateMs = 0;
  let worst = { first: 0, end: 0, lateMs: Number.NEGATIVE_INFINITY };
  for (const [last, tick] of ticks.entries()) {
    lateMs += doneAfterDueMs(tick);
    // By due time, not by count: dropped ticks leave a gap in their second.
    for (let oldest = ticks[first]; oldest !== undefined && first < last; oldest = ticks[first]) {
      // Half a tick of a 1000 Hz schedule as tolerance: due times are rounded.
      if (oldest.dueMs > tick.dueMs - 999.5) break;
      lateMs -= doneAfterDueMs(oldest);
      first++;
    }
    if (lateMs > worst.lateMs) worst = { first, end: last + 1, lateMs };
  }
  const originMs = ticks[worst.first]?.dueMs ?? 0;
  return ticks.slice(worst.first, worst.end).map((tick) => ({
    dueMs: rounded(tick.dueMs - originMs, 1e3),
    startMs: rounded(tick.startMs - originMs, 1e3),
    stepMs: rounded(tick.stepMs, 1e3),
    publishMs: rounded(tick.publishMs, 1e3),
  }));
}

/** The measurements of one repeat of a case. */
export interface RepeatMeasurement {
  /** Every tick that ran, in order, on one time line. At least one. */
  readonly ticks: readonly TickTime[];
  /** Wake-up minus due time, for each wake-up. */
  readonly latenessMs: readonly number[];
  readonly seconds: number;
  readonly droppedTicks: number;
  readonly effectiveSpeed: number;
  /** Of control calls; empty when none were made. */
  readonly controlMs: readonly number[];
  /** How often a loop without work was held up; see interruptions.ts. Default 0. */
  readonly gaps?: number;
}

/**
 * The figures of a case.
 *
 * @param repeats At least one.
 * @param page The page's and the memory's figures, which do not come from ticks.
 * @throws RangeError when a repeat has no tick or no wake-up.
 */
export function caseResultOf(
  { scene, engine, runtime, bodies, tickRateHz }: CaseKey,
  repeats: readonly RepeatMeasurement[],
  page: Pick<CaseResult, 'frame' | 'memory'>,
): CaseResult {
  const budgetMs = 1000 / tickRateHz;
  const ticks = repeats.flatMap((repeat) => repeat.ticks);
  const stepMs = distributionOf(ticks.map((tick) => tick.stepMs));
  const control = repeats.flatMap((repeat) => repeat.controlMs);
  const seconds = sum(repeats.map((repeat) => repeat.seconds));
  const simulatedSeconds = sum(repeats.map((repeat) => repeat.seconds * repeat.effectiveSpeed));
  const worst = repeats
    .map((repeat) => worstSecondOf(repeat.ticks))
    .reduce((a, b) => (sum(b.map(doneAfterDueMs)) > sum(a.map(doneAfterDueMs)) ? b : a));
  return {
    scene,
    engine,
    runtime,
    bodies,
    tickRateHz,
    seconds,
    ticks: ticks.length,
    stepMs,
    budgetMs,
    budgetShare: stepMs.p99 / budgetMs,
    deadlineMisses: ticks.filter((tick) => doneAfterDueMs(tick) > budgetMs).length,
    droppedTicks: sum(repeats.map((repeat) => repeat.droppedTicks)),
    effectiveSpeed: seconds > 0 ? simulatedSeconds / seconds : 0,
    latenessMs: distributionOf(repeats.flatMap((repeat) => repeat.latenessMs)),
    publishMs: distributionOf(ticks.map((tick) => tick.publishMs)),
    controlMs: control.length === 0 ? null : distributionOf(control),
    frame: page.frame,
    memory: page.memory,
    worstSecond: worst,
    percentileCurve: percentileCurveOf(ticks.map((tick) => tick.stepMs)),
    repeats: repeats.map(repeatOf),
  };
}

function repeatOf({ ticks, latenessMs, gaps = 0 }: RepeatMeasurement): Repeat {
  const stepsMs = ticks.map((tick) => tick.stepMs);
  const { p50, p99 } = distributionOf(stepsMs);
  return { p50Ms: p50, p99Ms: p99, ...interruptedOf(stepsMs, latenessMs, gaps) };
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

/** Rounded to 1 / `fractions`: people read the files too, and clocks are no finer. */
const rounded = (value: number, fractions: number): number =>
  Math.round(value * fractions) / fractions;
