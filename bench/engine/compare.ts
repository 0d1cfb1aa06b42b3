/**
 * Compares two results case by case, and reports a difference only when the repeats cannot explain
 * it.
 *
 * For the logarithms of the repeats' figures, the difference of means has a confidence interval by
 * Welch's t (B. L. Welch, Biometrika 34, 1947): the two sides may have different variances.
 *
 * - *faster, slower*: the interval excludes a ratio of 1, and the ratio is 3 % or more from it. A
 *   restarted process has another memory layout, which the repeats of one run do not show.
 * - *no difference*: the interval includes 1 and lies within a factor of 2 either way; or both
 *   sides overlap, and all their repeats lie within a quarter of each other. With two repeats a
 *   side the interval is practically infinite however close they are.
 * - *cannot tell*: anything else. The interval has room for a relevant change, and more repeats
 *   make it narrower.
 */
import { keyText, type BenchResult, type CaseKey, type CaseResult, type Repeat } from './result.js';
import { meanOf, squaresOf, studentT } from './student-t.js';

const MIN_CHANGE = 0.03;
/** An interval that reaches further than this, or its inverse, is inconclusive. */
const NOTABLE_RATIO = 2;
/**
 * Overlapping repeats are alike when the largest of all is at most this multiple of the smallest.
 */
const ALIKE_RATIO = 1.25;

export type ChangeKind = 'faster' | 'slower' | 'no difference' | 'cannot tell' | 'too few repeats';

export interface Change {
  /** After over before: below 1 is faster. */
  readonly ratio: number;
  /** Ends of the 99 % interval; NaN with fewer than two repeats on a side. */
  readonly ratioLow: number;
  readonly ratioHigh: number;
  readonly kind: ChangeKind;
}

export interface ComparedCase {
  readonly before: CaseResult;
  readonly after: CaseResult;
  readonly p50: Change;
  readonly p99: Change;
}

export interface Comparison {
  readonly pairs: readonly ComparedCase[];
  /** Cases without a counterpart. */
  readonly onlyBefore: readonly CaseKey[];
  readonly onlyAfter: readonly CaseKey[];
  /** Other differences that may be the reason: a sentence each. */
  readonly cautions: readonly string[];
}

export function compareResults(before: BenchResult, after: BenchResult): Comparison {
  const afterByKey = new Map(after.cases.map((one) => [keyText(one), one]));
  const beforeKeys = new Set(before.cases.map(keyText));
  const pairs = before.cases.flatMap((one) => {
    const other = afterByKey.get(keyText(one));
    return other === undefined ? [] : [compareCases(one, other)];
  });
  return {
    pairs,
    onlyBefore: before.cases.filter((one) => !afterByKey.has(keyText(one))),
    onlyAfter: after.cases.filter((one) => !beforeKeys.has(keyText(one))),
    cautions: cautionsOf(before, after),
  };
}

function compareCases(before: CaseResult, after: CaseResult): ComparedCase {
  const change = (of: (repeat: Repeat) => number, whole: (one: CaseResult) => number): Change =>
    changeOf(before.repeats.map(of), after.repeats.map(of), whole(after) / whole(before));
  return {
    before,
    after,
    p50: change(
      ({ p50Ms }) => p50Ms,
      ({ stepMs }) => stepMs.p50,
    ),
    p99: change(
      ({ p99Ms }) => p99Ms,
      ({ stepMs }) => stepMs.p99,
    ),
  };
}

/** @param fallback The ratio if repeats give none. */
export function changeOf(
  before: readonly number[],
  after: readonly number[],
  fallback: number,
): Change {
  // A clock that is too coarse for an empty step gives 0, which has no logarithm.
  const [a, b] = [before, after].map((values) => values.filter((ms) => ms > 0).map(Math.log));
  if (a === undefined || b === undefined || a.length < 2 || b.length < 2) {
    return { ratio: fallback, ratioLow: NaN, ratioHigh: NaN, kind: 'too few repeats' };
  }
  const difference = meanOf(b) - meanOf(a);
  const reach = welchReach(a, b);
  const ratio = Math.exp(difference);
  const isClear = Math.abs(difference) > reach && Math.abs(ratio - 1) >= MIN_CHANGE;
  const [ratioLow, ratioHigh] = [Math.exp(difference - reach), Math.exp(difference + reach)];
  const unclear =
    isNarrow({ ratioLow, ratioHigh }) || areAlike(a, b) ? 'no difference' : 'cannot tell';
  return {
    ratio,
    ratioLow,
    ratioHigh,
    kind: isClear ? (ratio < 1 ? 'faster' : 'slower') : unclear,
  };
}

/** The interval is conclusive by itself: it lies within a factor of 2 either way. */
export const isNarrow = ({
  ratioLow,
  ratioHigh,
}: Pick<Change, 'ratioLow' | 'ratioHigh'>): boolean =>
  ratioLow >= 1 / NOTABLE_RATIO && ratioHigh <= NOTABLE_RATIO;

/** Of logarithms. */
function areAlike(a: readonly number[], b: readonly number[]): boolean {
  const [lowA, highA, lowB, highB] = [
    Math.min(...a),
    Math.max(...a),
    Math.min(...b),
    Math.max(...b),
  ];
  const overlap = lowA <= highB && lowB <= highA;
  return overlap && Math.max(highA, highB) - Math.min(lowA, lowB) <= Math.log(ALIKE_RATIO);
}

function welchReach(a: readonly number[], b: readonly number[]): number {
  const [partA = 0, partB = 0] = [a, b].map(
    (values) => squaresOf(values) / (values.length - 1) / values.length,
  );
  const variance = partA + partB;
  if (variance === 0) return 0;
  const freedom = variance ** 2 / (partA ** 2 / (a.length - 1) + partB ** 2 / (b.length - 1));
  // Rounded down: fewer degrees of freedom are more conservative.
  return studentT(Math.max(1, Math.floor(freedom + 1e-9))) * Math.sqrt(variance);
}

function cautionsOf(before: BenchResult, after: BenchResult): string[] {
  const cautions: string[] = [];
  const differ = (what: string, a: string, b: string): void => {
    if (a !== b) cautions.push(`${what}: ${a} before, ${b} after.`);
  };
  const [a, b] = [before.machine, after.machine];
  differ('The processors differ', a.cpu ?? 'unknown', b.cpu ?? 'unknown');
  differ('The numbers of cores differ', String(a.cores), String(b.cores));
  differ('The systems differ', a.os, b.os);
  for (const part of ['runtimes', 'engines'] as const) {
    for (const name of new Set([...Object.keys(a[part]), ...Object.keys(b[part])])) {
      differ(`The versions of ${name} differ`, a[part][name] ?? 'none', b[part][name] ?? 'none');
    }
  }
  const [one, other] = [before.options, after.options];
  differ('The workers differ', one.worker ?? 'built in', other.worker ?? 'built in');
  differ('The measured times differ', `${one.seconds} s`, `${other.seconds} s`);
  if (one.isQuick || other.isQuick) {
    cautions.push('One of the runs was quick: its figures are rough.');
  }
  if (before.wasCancelled || after.wasCancelled) {
    cautions.push('One of the runs was cancelled: cases are missing.');
  }
  return cautions;
}
