/**
 * Searches for the largest number of bodies whose p99 keeps within the budget.
 *
 * It chooses what to measure; what fits is decided by the fit of all measurements (limit.ts), including
 * those that were made before. From the counts that are known it goes up until one does not fit (or
 * down until one does), and then bisects the range between the two down to {@link GRID_STEP}: a
 * machine's speed varies more than that from one minute to the next. A single measurement decides
 * only if it is clear: near the limit, the majority of three does.
 */
import { fitLevels, fitLimit, judge, usableOf, type Judged, type Limit } from './limit.js';
import type { Measurement } from './result.js';

/** Largest ratio of the two counts that the search ends with. */
export const GRID_STEP = 1.05;
/** From the counts that are known, a step to others goes at least and at most so far. */
const MIN_STRIDE = 1.25;
const MAX_STRIDE = 8;

/**
 * Shares of the budget between which a measurement is repeated. The upper end is further away,
 * because disturbances make a measurement slower: a hiccup must not end the search.
 */
const UNCLEAR_FROM = 0.9;
const UNCLEAR_TO = 2;
const VOTES = 3;
/** How far beyond the two last counts others are, where the interval may end. */
const NEAR = 1.15;
/** The search ends when the machine has interrupted this number of measurements of one count. */
const MAX_DISTURBED = 3;

export interface HeadroomOptions {
  /** The period, in milliseconds. */
  readonly budgetMs: number;
  /** Earlier measurements. Default: none. */
  readonly known?: readonly Measurement[];
  /** Where the search starts if nothing is known. Default 100. */
  readonly startBodies?: number;
  /** The maximum that is tried. Default 100,000. */
  readonly maxBodies?: number;
  /** Maximum number of measurements, repeats included. Default 40. */
  readonly maxProbes?: number;
  /** Called after each measurement with all of them, those that were known included. */
  readonly onMeasured?: (measurements: readonly Measurement[]) => void;
}

export interface Headroom extends Limit {
  /** All: those that were known, and those of the search in their order. */
  readonly measurements: Measurement[];
  /** It ended before the limit was known to {@link GRID_STEP}. */
  readonly isBoundedBySearch: boolean;
}

/**
 * @param measure Measures a count. Undefined ends the search with what it knows, and what it throws
 *   without a result.
 */
export async function findHeadroom(
  measure: (bodies: number) => Promise<Omit<Measurement, 'bodies'> | undefined>,
  options: HeadroomOptions,
): Promise<Headroom> {
  const { budgetMs, known = [], startBodies = 100, maxBodies = 100_000, maxProbes = 40 } = options;
  if (!(budgetMs > 0)) throw new RangeError(`budgetMs must be over 0, but is ${budgetMs}`);
  if (!(startBodies >= 1))
    throw new RangeError(`startBodies must be from 1, but is ${startBodies}`);
  if (!(maxBodies >= startBodies)) {
    throw new RangeError(
      `maxBodies must be startBodies (${startBodies}) or more, but is ${maxBodies}`,
    );
  }
  const probes: Measurement[] = [];
  const start = Math.round(startBodies);
  while (probes.length < maxProbes) {
    const all = judge([...known, ...probes], budgetMs);
    const own = all.slice(known.length);
    const bodies = countToRepeat(own) ?? nextCount(all, budgetMs, start, Math.floor(maxBodies));
    if (bodies === undefined || isHopeless(own, bodies)) break;
    const measured = await measure(bodies);
    if (measured === undefined) break;
    probes.push({ bodies, ...measured });
    options.onMeasured?.([...known, ...probes]);
  }
  const measurements = [...known, ...probes];
  const { low, high } = fitLevels(judge(measurements, budgetMs), budgetMs);
  const isBoundedBySearch = !isNarrow(low, high);
  return { ...fitLimit(measurements, budgetMs), measurements, isBoundedBySearch };
}

/** Nothing between the two is worth a measurement. Not even one body fits: that is known, too. */
function isNarrow(low: number | undefined, high: number | undefined): boolean {
  if (high === undefined) return false;
  return low === undefined ? high === 1 : high - low <= 1 || high <= low * GRID_STEP;
}

/** The count of the last measurement, if that said nothing. */
function countToRepeat(probes: readonly Judged[]): number | undefined {
  const last = probes.at(-1);
  return last?.isUsable === false ? last.bodies : undefined;
}

/** The machine does not let a count be measured. */
const isHopeless = (probes: readonly Judged[], count: number): boolean =>
  probes.filter((one) => one.bodies === count && !one.isUsable).length >= MAX_DISTURBED;

/** Undefined: the limit is known, or cannot be found. */
function nextCount(
  measurements: readonly Judged[],
  budgetMs: number,
  startBodies: number,
  maxBodies: number,
): number | undefined {
  const { counts, p99Ms, low, high } = fitLevels(measurements, budgetMs);
  if (counts.length === 0) return startBodies;
  const usable = (count: number): readonly Measurement[] => usableOf(measurements, count);
  const shareAt = (count: number): number => (p99Ms[counts.indexOf(count)] ?? NaN) / budgetMs;
  for (const end of [high, low]) {
    if (end !== undefined && !isDecided(usable(end), budgetMs)) return end;
  }
  if (high === undefined) {
    if (low === undefined || low >= maxBodies) return undefined;
    const guess = between(low / shareAt(low), low * MIN_STRIDE, low * MAX_STRIDE);
    return Math.min(maxBodies, Math.ceil(guess));
  }
  if (low === undefined) {
    if (high <= 1) return undefined;
    const share = shareAt(high);
    const guess = between(high / share, high / MAX_STRIDE, high / MIN_STRIDE);
    return Math.max(1, Math.floor(Number.isFinite(share) ? guess : high / 2));
  }
  if (!isNarrow(low, high)) {
    return between(Math.round(Math.sqrt(low * high)), low + 1, high - 1);
  }
  // A narrow interval needs counts near both ends, and repeats.
  const { bodiesLow, bodiesHigh } = fitLimit(measurements, budgetMs);
  const has = (from: number, to: number): boolean =>
    counts.some((count) => count >= from && count <= to);
  const [below, above] = [Math.floor(low / NEAR), Math.min(maxBodies, Math.ceil(high * NEAR))];
  if (bodiesLow < low && below >= 1 && !has(low / NEAR ** 2, low / NEAR ** 0.5)) return below;
  if (bodiesHigh !== high && above > high && !has(high * NEAR ** 0.5, high * NEAR ** 2))
    return above;
  return [high, low].find((end) => usable(end).length < VOTES);
}

/** One clear measurement, two that agree, or three. */
function isDecided(values: readonly Measurement[], budgetMs: number): boolean {
  const shares = values.map(({ p99Ms }) => (p99Ms ?? Infinity) / budgetMs);
  const [first = Number.NaN] = shares;
  if (shares.length === 1) return !(first > UNCLEAR_FROM && first < UNCLEAR_TO);
  return shares.length >= VOTES || shares.every((share) => share <= 1 === first <= 1);
}

const between = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));
