/** Ratios and figures of the comparison as text. */
import { countText, msText } from '../../engine/format.js';
import type { Ratio } from './ratios.js';

/** To three digits: 0.0012, 0.34, 12.5, 1,234. */
export function figureText(value: number): string {
  if (Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  if (size > 0 && size < 0.00995) return String(Number(value.toPrecision(2)));
  return msText(value);
}

/** Larger ratios are shown as "more than this". */
const MAX_RATIO = 1000;

/**
 * Ours over theirs: "1 : 23" when it is less, "2.4 : 1" when it is more, "> 1000 : 1" when it is
 * far more.
 */
export function ratioText(ratio: number): string {
  if (Number.isNaN(ratio) || ratio < 0) return '';
  if (ratio > MAX_RATIO) return `> ${MAX_RATIO} : 1`;
  if (ratio < 1 / MAX_RATIO) return `< 1 : ${MAX_RATIO}`;
  return ratio < 1 ? `1 : ${digits(1 / ratio)}` : `${digits(ratio)} : 1`;
}

const digits = (value: number): string =>
  value >= 9.95 ? countText(value) : String(Number(value.toPrecision(2)));

const WORDS = {
  less: 'ours less',
  more: 'ours more',
  'no difference': 'no difference',
  'cannot tell': 'cannot tell: more repeats',
} as const;

/** The result of the repeats: "ours less (1 : 20 to 1 : 26)", "no difference (…)". */
export function outcomeText({ outcome, change, ours, theirs }: Ratio): string {
  if (outcome === 'too few repeats') return 'too few repeats to tell';
  const words = WORDS[outcome];
  const [low, high] = [ratioText(change.ratioLow), ratioText(change.ratioHigh)];
  const hasInterval = low !== '' && high !== '' && ours > 0 && theirs > 0;
  return hasInterval ? `${words} (${low} to ${high})` : words;
}

/** The ratio of the means; empty if one of them is 0. */
export const ratioCell = ({ ours, theirs, change }: Ratio): string =>
  ours > 0 && theirs > 0 ? ratioText(change.ratio) : '';
