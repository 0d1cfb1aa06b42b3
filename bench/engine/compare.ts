/**
 * Compares two results case by case. The repeats decide: a difference counts if all repeats of one side are
 * faster than all of the other, and the medians differ by 3 % or more, because a restarted process has
 * another memory layout. Chance alone separates three repeats on each side in one of ten comparisons, and five in one of
 * 126.
 */
import { keyText, type BenchResult, type CaseKey, type CaseResult } from './result.js';
import { medianOf } from './samples.js';

const MIN_CHANGE = 0.03;
const MIN_REPEATS = 3;

export interface Change {
  /** After over before, of the medians: below 1 is faster. */
  readonly ratio: number;
  /** The least and the largest ratio of two repeats; NaN with fewer than three repeats on a side. */
  readonly ratioLow: number;
  readonly ratioHigh: number;
  readonly kind: 'faster' | 'slower' | 'no difference' | 'too few repeats';
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
  };
}

function compareCases(before: CaseResult, after: CaseResult): ComparedCase {
  const change = (of: 'p50Ms' | 'p99Ms'): Change =>
    changeOf(
      before.repeats.map((one) => one[of]),
      after.repeats.map((one) => one[of]),
    );
  return { before, after, p50: change('p50Ms'), p99: change('p99Ms') };
}

export function changeOf(before: readonly number[], after: readonly number[]): Change {
  const ratio = medianOf(after) / medianOf(before);
  if (before.length < MIN_REPEATS || after.length < MIN_REPEATS) {
    return { ratio, ratioLow: Number.NaN, ratioHigh: Number.NaN, kind: 'too few repeats' };
  }
  const ratioLow = Math.min(...after) / Math.max(...before);
  const ratioHigh = Math.max(...after) / Math.min(...before);
  const isClear = (ratioLow > 1 || ratioHigh < 1) && Math.abs(ratio - 1) >= MIN_CHANGE;
  const kind = isClear ? (ratio < 1 ? 'faster' : 'slower') : 'no difference';
  return { ratio, ratioLow, ratioHigh, kind };
}
