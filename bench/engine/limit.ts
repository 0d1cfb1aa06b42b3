/**
 * The largest number of bodies whose p99 keeps within the budget, from all measurements of a run: those
 * of its cases and those of its search.
 *
 * More bodies never cost less, so the p99 is fitted by levels that do not decrease with the bodies
 * (isotonic.ts), on a logarithmic scale. Everything that is said about a number of bodies follows from
 * this fit, so statements cannot contradict each other. The interval of the limit is a bootstrap: the
 * fit is repeated with the same levels and other noise, which is drawn from the differences between the
 * measurements and their levels; see Efron and Tibshirani, An Introduction to the Bootstrap, chapters
 * 9 and 13.
 *
 *     p99 / budget   over   ·               ·   ●────
 *                       1 ──────────────────┬────────
 *                                ●──●───●───┘    ● levels   · single measurements
 *                    fits   ●────┘  ·     low…high
 *
 * A measurement in which the machine often interrupted the worker shows what the machine did, and not
 * what a step costs. If it exceeds the budget all the same, it is left out, unless even its median
 * step does.
 */
import { Random } from '../../src/shared/index.js';
import { areDisturbing, interruptionsIn } from './interruptions.js';
import { levelsOf, poolViolators } from './isotonic.js';
import { isDelayed, isOverloaded } from './overload.js';
import type { CaseResult, Measurement } from './result.js';

/** The result of {@link fitLimit}. */
export interface Limit {
  /** The largest measured count that fits; 0 if none does. */
  readonly bodies: number;
  /** Its p99 by the fit; null if there is none. */
  readonly p99Ms: number | null;
  /** The limit is at least this, with {@link LIMIT_CONFIDENCE}: a measured count, or 0. */
  readonly bodiesLow: number;
  /** It is below this measured count; null if all that were measured may fit. */
  readonly bodiesHigh: number | null;
  /** Measured counts, ascending, with their p99 by the fit, which never decreases; null: cannot run. */
  readonly fit: readonly (readonly [bodies: number, p99Ms: number | null])[];
  /** How often the machine interrupted the worker in all measurements. */
  readonly interruptions: number;
  /** False: it was interrupted too often to say more than that the limit is in the interval. */
  readonly canTell: boolean;
}

/** Confidence of the interval: half of the rest lies on either side. */
export const LIMIT_CONFIDENCE = 0.95;
const REPLICATES = 400;
/**
 * Noise that is assumed besides the measured one, as a standard deviation of the logarithm: a few
 * repeats may agree by chance, and the speed of a machine varies by more from one minute to the next.
 */
const MIN_NOISE = 0.025;
/** An interval is conclusive up to this ratio of its ends. */
const MAX_RATIO = 1.5;

/** Levels of the p99 for the measured counts. */
export interface Levels {
  /** The measured counts, ascending. */
  readonly counts: readonly number[];
  /** The p99 of each by the fit, which never decreases; Infinity: cannot run. */
  readonly p99Ms: readonly number[];
  /** The highest count that fits, and the lowest that does not; undefined: none. */
  readonly low: number | undefined;
  readonly high: number | undefined;
}

/** The fit alone, which takes much less time than the interval. */
export function fitLevels(measurements: readonly Judged[], budgetMs: number): Levels {
  const { counts, levels } = fitOf(measurements, budgetMs);
  const { fits, over } = endsOf(counts, levels);
  return {
    counts,
    p99Ms: levels.map((level) => budgetMs * Math.exp(level)),
    low: fits === 0 ? undefined : fits,
    high: Number.isFinite(over) ? over : undefined,
  };
}

/** @param budgetMs The period, in milliseconds. */
export function fitLimit(measurements: readonly Measurement[], budgetMs: number): Limit {
  const all = judge(measurements, budgetMs);
  const { counts, groups, blocks, levels } = fitOf(all, budgetMs);
  const found = endsOf(counts, levels);
  const ends = bootstrap(counts, groups, levels, residualsOf(blocks));
  const bodiesLow = Math.min(found.fits, quantile(ends.map(({ fits }) => fits)));
  const high = Math.max(found.over, -quantile(ends.map(({ over }) => -over)));
  const bodiesHigh = Number.isFinite(high) ? high : null;
  const fit = counts.map((count, index): [number, number | null] => {
    const p99Ms = budgetMs * Math.exp(levels[index] ?? NaN);
    return [count, Number.isFinite(p99Ms) ? p99Ms : null];
  });
  const isSharp = bodiesLow > 0 && bodiesHigh !== null && bodiesHigh <= MAX_RATIO * bodiesLow;
  return {
    bodies: found.fits,
    p99Ms: fit.find(([count]) => count === found.fits)?.[1] ?? null,
    bodiesLow,
    bodiesHigh,
    fit,
    interruptions: interruptionsIn(measurements).reduce((sum, one) => sum + one, 0),
    canTell: isSharp || all.every(({ isUsable }) => isUsable),
  };
}

function fitOf(measurements: readonly Judged[], budgetMs: number) {
  const counts = [...new Set(measurements.map(({ bodies }) => bodies))]
    .filter((count) => usableOf(measurements, count).length > 0)
    .toSorted((a, b) => a - b);
  const groups = counts.map((count) =>
    usableOf(measurements, count).map(({ p99Ms }) => logShare(p99Ms, budgetMs)),
  );
  const blocks = poolViolators(groups);
  return { counts, groups, blocks, levels: levelsOf(blocks) };
}

/** A measurement among the others of its machine. */
export interface Judged extends Measurement {
  readonly isDisturbed: boolean;
  /** Whether it says something about its count. */
  readonly isUsable: boolean;
}

export function judge(measurements: readonly Measurement[], budgetMs: number): Judged[] {
  const interruptions = interruptionsIn(measurements);
  return measurements.map((one, index) => {
    const isDisturbed = areDisturbing(interruptions[index] ?? 0, one.ticks);
    const fits = one.p99Ms !== null && one.p99Ms <= budgetMs;
    const isUsable = !isDisturbed || fits || (one.p50Ms ?? 0) > budgetMs;
    return { ...one, isDisturbed, isUsable };
  });
}

/** The measurements of a count that say something: without disturbed ones, if there are others. */
export function usableOf(measurements: readonly Judged[], count: number): readonly Judged[] {
  const all = measurements.filter(({ bodies, isUsable }) => bodies === count && isUsable);
  const calm = all.filter(({ isDisturbed }) => !isDisturbed);
  return calm.length > 0 ? calm : all;
}

/** The repeats of a case. Those of a case that falls behind although its steps fit do not fit. */
export function measurementsOf(one: CaseResult): Measurement[] {
  const { bodies, ticks, budgetMs, stepMs, repeats } = one;
  const fallsBehind = isOverloaded(one) && one.budgetShare <= 1 && !isDelayed(one);
  const whole = { p50Ms: stepMs.p50, p99Ms: stepMs.p99, ticks, interruptions: 0, longSteps: 0 };
  return (repeats.length === 0 ? [whole] : repeats).map((repeat) => {
    const p99Ms = fallsBehind && repeat.p99Ms <= budgetMs ? null : repeat.p99Ms;
    return Object.assign({ bodies }, repeat, { p99Ms });
  });
}

interface Ends {
  /** The highest count that fits; 0: none. */
  readonly fits: number;
  /** The lowest that does not; Infinity: none. */
  readonly over: number;
}

function endsOf(counts: readonly number[], levels: readonly number[]): Ends {
  const firstOver = levels.findIndex((level) => level > 0);
  if (firstOver < 0) return { fits: counts.at(-1) ?? 0, over: Infinity };
  return { fits: counts[firstOver - 1] ?? 0, over: counts[firstOver] ?? Infinity };
}

/** Differences from the levels, enlarged by what the levels have taken from them. */
function residualsOf(blocks: ReturnType<typeof poolViolators>): number[] {
  return blocks.flatMap(({ values, level }) =>
    values.length < 2 || !Number.isFinite(level)
      ? []
      : values
          .filter((value) => Number.isFinite(value))
          .map((value) => (value - level) * Math.sqrt(values.length / (values.length - 1))),
  );
}

function bootstrap(
  counts: readonly number[],
  groups: readonly (readonly number[])[],
  levels: readonly number[],
  residuals: readonly number[],
): Ends[] {
  // The same measurements give the same interval.
  const random = new Random(1);
  const noise = (): number => {
    const residual = residuals[Math.floor(random.next() * residuals.length)] ?? 0;
    return residual + MIN_NOISE * normal(random);
  };
  return Array.from({ length: REPLICATES }, () => {
    const drawn = groups.map((values, index) =>
      values.map((value) => (Number.isFinite(value) ? (levels[index] ?? 0) + noise() : value)),
    );
    return endsOf(counts, levelsOf(poolViolators(drawn)));
  });
}

/** The lower end of the interval. */
function quantile(values: readonly number[]): number {
  const rank = Math.floor(((1 - LIMIT_CONFIDENCE) / 2) * values.length);
  return values.toSorted((a, b) => a - b)[rank] ?? Number.NaN;
}

/** Three even ones are enough here: mean 0, deviation 1. */
const normal = (random: Random): number =>
  2 * (random.next() + random.next() + random.next() - 1.5);

function logShare(p99Ms: number | null, budgetMs: number): number {
  // A clock that is too coarse for an empty step gives 0.
  return p99Ms === null ? Infinity : Math.log(Math.max(p99Ms, 1e-6) / budgetMs);
}
