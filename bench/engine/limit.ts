/**
 * How many bodies a device simulates, between which bounds, and which number to measure next.
 *
 * Each measurement runs a number of bodies for 0.7 s, up to three times. Other work of the machine only
 * makes steps longer, so the best that was measured of a number counts:
 *
 *     in time    9 of 10 steps end before the next tick is due
 *     too slow   3 of 4 steps do not; in two measurements, if they are very different
 *     unsure     anything else
 *
 *     ms per step                 ┃
 *                          ┃      ┃      ┃ from a fast step (p25)
 *     budget ──────────────┃─────────────  to a slow one (p90)
 *                   ┃      ┃
 *            ┃      ┃
 *            ┃  in time  unsure  too slow
 *               └── low     high ──┘
 *
 * The lower bound is the largest number in time, and the upper one the smallest that is too slow. Only
 * numbers between the two are measured, so the interval never becomes wider.
 */
import type { Measurement } from './result.js';

export type CountState = 'in time' | 'unsure' | 'too slow';

/** A number of bodies, by its best measurement. */
export interface MeasuredCount extends Measurement {
  readonly times: number;
  readonly state: CountState;
}

export interface Limit {
  readonly bodies: number;
  /** 0: no number was in time. */
  readonly bodiesLow: number;
  /** Null: no number was too slow. */
  readonly bodiesHigh: number | null;
  /** Ascending. */
  readonly counts: readonly MeasuredCount[];
}

/** A slow step takes this many times as long as a fast one: the measurement is repeated before it decides. */
const DISTURBED = 3;
/** Twice as many bodies take four times as long at most: if they take longer, the machine did other work. */
const MAX_EXPONENT = 2;
/** A gap between two numbers that is not divided further. */
const NARROW = 1.07;
/** The largest step to numbers that are not known yet. */
const MAX_STRIDE = 8;

/**
 * @param measurements At least one.
 * @param budgetMs The period: what a step may take.
 */
export function limitOf(measurements: readonly Measurement[], budgetMs: number): Limit {
  const counts = [...new Set(measurements.map(({ bodies }) => bodies))]
    .toSorted((a, b) => a - b)
    .map((bodies) => countOf(bodies, measurements, budgetMs));
  const bodiesLow = counts.findLast(({ state }) => state === 'in time')?.bodies ?? 0;
  const over = counts.find(({ state, bodies }) => state === 'too slow' && bodies > bodiesLow);
  const bodiesHigh = over?.bodies ?? null;
  const most = crossing(counts, budgetMs, 'p25Ms');
  const least = crossing(counts, budgetMs, 'p90Ms');
  const bodies = between(
    roundCount(Math.sqrt(most * least)),
    bodiesLow,
    bodiesHigh === null ? Infinity : Math.max(bodiesLow, bodiesHigh - 1),
  );
  return { bodies, bodiesLow, bodiesHigh, counts };
}

function countOf(
  bodies: number,
  measurements: readonly Measurement[],
  budgetMs: number,
): MeasuredCount {
  const all = measurements.filter((one) => one.bodies === bodies);
  const best = (of: Quantile): number => Math.min(...all.map((one) => one[of] ?? Infinity));
  const [fast, slow, times] = [best('p25Ms'), best('p90Ms'), all.length];
  // Steps of very different lengths may all have been disturbed.
  const isCertain = times > 1 || slow < DISTURBED * fast;
  // By what was measured before, so that no bound moves back later.
  const most = measurements
    .slice(
      0,
      measurements.findLastIndex((one) => one.bodies === bodies),
    )
    .filter((one) => one.bodies < bodies)
    .map((one) => (one.p25Ms ?? Infinity) * (bodies / one.bodies) ** MAX_EXPONENT);
  const isSlow = isCertain && Math.min(fast, ...most) > budgetMs;
  return {
    bodies,
    p25Ms: Number.isFinite(fast) ? fast : null,
    p90Ms: Number.isFinite(slow) ? slow : null,
    times,
    state: slow <= budgetMs ? 'in time' : isSlow ? 'too slow' : 'unsure',
  };
}

export interface NextOptions {
  /** The first number. */
  readonly start: number;
  readonly max: number;
  /** How often an unsure number is measured at most. */
  readonly times: number;
}

/** @returns Undefined when nothing would make the interval narrower. */
export function nextCount(
  measurements: readonly Measurement[],
  budgetMs: number,
  { start, max, times }: NextOptions,
): number | undefined {
  if (measurements.length === 0) return start;
  const { counts, bodiesLow, bodiesHigh } = limitOf(measurements, budgetMs);
  const unsure = counts.filter(
    ({ bodies, state }) =>
      state === 'unsure' && bodies > bodiesLow && bodies < (bodiesHigh ?? Infinity),
  );
  const unconfirmed = unsure.find((one) => one.times === 1 && (one.p25Ms ?? 0) > budgetMs);
  if (unconfirmed !== undefined) return unconfirmed.bodies;
  const again = unsure.find((one) => one.times < times)?.bodies;
  const last = counts.at(-1)?.bodies ?? start;
  if (bodiesHigh === null) {
    if (last >= max) return again;
    const guess = 1.1 * crossing(counts, budgetMs, 'p25Ms');
    return Math.min(max, roundCount(between(guess, 1.5 * last, MAX_STRIDE * last)));
  }
  const gaps = [
    { from: bodiesLow, to: unsure[0]?.bodies ?? bodiesHigh, of: 'p90Ms' },
    { from: unsure.at(-1)?.bodies ?? bodiesLow, to: bodiesHigh, of: 'p25Ms' },
  ] as const;
  const inside = gaps
    .toSorted((a, b) => ratioOf(b) - ratioOf(a))
    .map((gap) => inGap(gap, crossing(counts, budgetMs, gap.of)))
    .find((bodies) => bodies !== undefined);
  return inside ?? again;
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Where nothing is known below, as far down as one step goes. */
const fromOf = ({ from, to }: Gap): number => Math.max(from, to / MAX_STRIDE);
const ratioOf = (gap: Gap): number => gap.to / fromOf(gap);

/** A number in the middle of a gap, near the guess; undefined if the gap is narrow. */
function inGap(gap: Gap, guess: number): number | undefined {
  const ratio = ratioOf(gap);
  if (ratio <= NARROW) return undefined;
  const low = fromOf(gap);
  const bodies = roundCount(between(guess, low * ratio ** 0.25, low * ratio ** 0.75));
  return bodies > gap.from && bodies < gap.to ? bodies : undefined;
}

type Quantile = 'p25Ms' | 'p90Ms';

/** About where a step takes as long as it may: on a line through two numbers, on logarithmic axes. */
function crossing(counts: readonly MeasuredCount[], budgetMs: number, of: Quantile): number {
  // A clock that is too coarse for an empty step gives 0.
  const share = (one: MeasuredCount): number => Math.max((one[of] ?? Infinity) / budgetMs, 1e-3);
  const overIndex = counts.findIndex((one) => share(one) > 1);
  const index = overIndex < 0 ? counts.length : overIndex;
  const [below, over] = [counts[index - 1], counts[index]];
  const canInterpolate = over !== undefined && Number.isFinite(share(over));
  if (below === undefined) {
    if (over === undefined) return 0;
    return canInterpolate ? over.bodies / share(over) : over.bodies / 2;
  }
  const other = canInterpolate ? over : counts[index - 2];
  if (other === undefined) return below.bodies / share(below);
  const slope = Math.log(share(other) / share(below)) / Math.log(other.bodies / below.bodies);
  const exponent = canInterpolate ? slope : between(slope, 1, MAX_EXPONENT);
  return below.bodies * share(below) ** (-1 / exponent);
}

/** To steps of 5 % at most, so that the numbers are easy to read: 125, 1,950, 3,600. */
export function roundCount(count: number): number {
  if (count < 20) return Math.max(1, Math.round(count));
  const power = 10 ** Math.floor(Math.log10(count));
  const unit = count < 3 * power ? power / 20 : power / 10;
  return Math.max(1, Math.round(Math.round(count / unit) * unit));
}

const between = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));
