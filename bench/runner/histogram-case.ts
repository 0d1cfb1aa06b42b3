/**
 * The figures of a case whose worker does not note its ticks: the user's own. They come from the
 * library's histograms, so single ticks cannot be shown.
 */
import { bucketMiddle } from '../../src/shared/statistics/histogram.js';
import { HISTOGRAM_SHAPE, STATISTICS, type BufferViews } from '../../src/shared/memory/layout.js';
import {
  distributionOf,
  type CaseKey,
  type CaseResult,
  type Distribution,
} from '../engine/index.js';

const NAMES = ['step', 'publish', 'lateness'] as const;
type Counts = Readonly<Record<(typeof NAMES)[number], Int32Array>>;

/** The worker's counts in one repeat. */
export interface CountedRepeat {
  readonly counts: Counts;
  readonly ticks: number;
  readonly droppedTicks: number;
  readonly seconds: number;
  readonly controlMs: readonly number[];
}

/** Counts from now on; returns a function that returns the counts. */
export function countFrom(
  views: BufferViews,
): () => Pick<CountedRepeat, 'counts' | 'ticks' | 'droppedTicks'> {
  const before = snapshot(views);
  return () => {
    const after = snapshot(views);
    const less = (name: keyof Counts): Int32Array =>
      after.counts[name].map((count, bucket) => count - (before.counts[name][bucket] ?? 0));
    return {
      counts: { step: less('step'), publish: less('publish'), lateness: less('lateness') },
      ticks: after.ticks - before.ticks,
      droppedTicks: after.droppedTicks - before.droppedTicks,
    };
  };
}

function snapshot({ histograms, statistics }: BufferViews) {
  const { step, publish, lateness } = histograms;
  return {
    counts: { step: step.slice(), publish: publish.slice(), lateness: lateness.slice() },
    ticks: Atomics.load(statistics, STATISTICS.ticks),
    droppedTicks: Atomics.load(statistics, STATISTICS.droppedTicks),
  };
}

/** @param repeats At least one, with at least one tick each. */
export function countedCaseOf(
  key: CaseKey,
  repeats: readonly CountedRepeat[],
  page: Pick<CaseResult, 'frame' | 'memory'>,
): CaseResult {
  const budgetMs = 1000 / key.tickRateHz;
  const steps = merged(repeats, 'step');
  const stepMs = distribution(steps);
  const ticks = sum(repeats.map((repeat) => repeat.ticks));
  const droppedTicks = sum(repeats.map((repeat) => repeat.droppedTicks));
  const control = repeats.flatMap((repeat) => repeat.controlMs);
  return {
    ...key,
    seconds: sum(repeats.map((repeat) => repeat.seconds)),
    ticks,
    stepMs,
    budgetMs,
    budgetShare: stepMs.p99 / budgetMs,
    // Ticks whose step already took too long: which tick also woke up late is not known here.
    deadlineMisses: countOver(steps, budgetMs),
    droppedTicks,
    effectiveSpeed: ticks + droppedTicks === 0 ? 1 : ticks / (ticks + droppedTicks),
    latenessMs: distribution(merged(repeats, 'lateness')),
    publishMs: distribution(merged(repeats, 'publish')),
    controlMs: control.length === 0 ? null : distributionOf(control),
    ...page,
    worstSecond: [],
    percentileCurve: curve(steps),
    repeats: repeats.map(({ counts }) => {
      const { p50, p99 } = distribution(counts.step);
      // Which ticks the machine delayed is not known.
      return {
        p50Ms: p50,
        p99Ms: p99,
        ticks: totalOf(counts.step),
        interruptions: 0,
        longSteps: 0,
      };
    }),
  };
}

function merged(repeats: readonly CountedRepeat[], name: keyof Counts): Int32Array {
  const all = new Int32Array(repeats[0]?.counts[name].length ?? 0);
  for (const { counts } of repeats) {
    for (let bucket = 0; bucket < all.length; bucket++) {
      all[bucket] = (all[bucket] ?? 0) + (counts[name][bucket] ?? 0);
    }
  }
  return all;
}

const msOf = (bucket: number): number =>
  bucketMiddle(bucket, HISTOGRAM_SHAPE) * HISTOGRAM_SHAPE.unitMs;

function distribution(counts: Int32Array): Distribution {
  const total = totalOf(counts);
  if (total === 0) throw new RangeError('no tick ran in the measured time');
  let weighted = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    weighted += (counts[bucket] ?? 0) * msOf(bucket);
  }
  const [p50 = 0, p95 = 0, p99 = 0, max = 0] = quantiles(counts, [0.5, 0.95, 0.99, 1]);
  return { p50, p95, p99, max, mean: weighted / total };
}

function curve(counts: Int32Array): [share: number, ms: number][] {
  const total = totalOf(counts);
  const shares: number[] = [];
  for (let point = 0; 10 ** (point / 10) < total; point++) {
    shares.push(Math.round((1 - 10 ** (-point / 10)) * 1e6) / 1e6);
  }
  shares.push(1);
  const values = quantiles(counts, shares);
  return shares.map((share, index) => [share, values[index] ?? 0]);
}

/** By nearest rank; shares in rising order. */
function quantiles(counts: Int32Array, shares: readonly number[]): number[] {
  const total = totalOf(counts);
  const found: number[] = [];
  let seen = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    seen += counts[bucket] ?? 0;
    while (
      found.length < shares.length &&
      seen >= Math.max(1, Math.ceil((shares[found.length] ?? 1) * total))
    ) {
      found.push(msOf(bucket));
    }
  }
  return found;
}

function countOver(counts: Int32Array, limitMs: number): number {
  return sum([...counts].map((count, bucket) => (msOf(bucket) > limitMs ? count : 0)));
}

const totalOf = (counts: Int32Array): number => counts.reduce((total, count) => total + count, 0);
const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
