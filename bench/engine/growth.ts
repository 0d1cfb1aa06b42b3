/**
 * How the cost of a step grows with the number of bodies: the exponent k of cost = a · bodies^k.
 *
 * On logarithmic axes that is a straight line, and k its slope, fitted by least squares. Each tick
 * rate has a separate factor a (a shorter step has other contacts to solve) and all share the
 * exponent, so the points are centred per rate before the fit. The spread is the slope's confidence
 * interval by Student's t; see Draper and Smith, Applied Regression Analysis, chapters 1 (slope)
 * and 14 (a factor per group).
 */
import { groupBy, subjectText, type CaseResult, type GrowthResult } from './result.js';
import { meanOf, studentT } from './student-t.js';

export type GrowthPoint = readonly [bodies: number, p50Ms: number];

export interface Growth {
  readonly exponent: number;
  /** Null if the points only just determine the line. */
  readonly exponentLow: number | null;
  readonly exponentHigh: number | null;
  readonly points: GrowthPoint[];
}

/**
 * Fits the exponent.
 *
 * @param groups Points that share a factor. Those at 0 bodies or 0 ms are left out: they have no logarithm.
 * @returns Undefined when no group has two different counts.
 */
export function fitGrowth(groups: readonly (readonly GrowthPoint[])[]): Growth | undefined {
  const usable = groups
    .map((group) => group.filter(([bodies, ms]) => bodies > 0 && ms > 0))
    .filter((group) => group.length > 0);
  const centred = usable.flatMap((group) => {
    const meanX = meanOf(group.map(([bodies]) => Math.log(bodies)));
    const meanY = meanOf(group.map(([, ms]) => Math.log(ms)));
    return group.map(([bodies, ms]) => [Math.log(bodies) - meanX, Math.log(ms) - meanY] as const);
  });
  const spreadX = centred.reduce((sum, [x]) => sum + x * x, 0);
  // Below this the counts are equal except for rounding.
  if (!(spreadX > 1e-9)) return undefined;
  const exponent = centred.reduce((sum, [x, y]) => sum + x * y, 0) / spreadX;
  const residual = centred.reduce((sum, [x, y]) => sum + (y - exponent * x) ** 2, 0);
  const freedom = centred.length - usable.length - 1;
  const reach = freedom < 1 ? null : studentT(freedom) * Math.sqrt(residual / freedom / spreadX);
  return {
    exponent,
    exponentLow: reach === null ? null : exponent - reach,
    exponentHigh: reach === null ? null : exponent + reach,
    points: usable.flat(),
  };
}

/** The growth of each scene on each engine and runtime that was measured with at least two counts. */
export function growthOf(cases: readonly CaseResult[]): GrowthResult[] {
  return groupBy(cases, subjectText).flatMap((group) => {
    const [first] = group;
    const rates = groupBy(group, ({ tickRateHz }) => String(tickRateHz));
    const fit = fitGrowth(rates.map((rate) => rate.flatMap(pointsOf)));
    if (first === undefined || fit === undefined) return [];
    const { scene, engine, runtime } = first;
    return [{ scene, engine, runtime, ...fit }];
  });
}

/** A point for each repeat, so that their differences count as noise. */
function pointsOf({ bodies, stepMs, repeats }: CaseResult): GrowthPoint[] {
  return repeats.length === 0
    ? [[bodies, stepMs.p50]]
    : repeats.map(({ p50Ms }): GrowthPoint => [bodies, p50Ms]);
}
