/** A bar for each case: how much of the tick budget p50, p95 and p99 of the step take. */
import {
  countText,
  groupBy,
  missShare,
  msText,
  overloadText,
  percentText,
  pointText,
  speedText,
  subjectName,
  subjectText,
  type CaseResult,
} from '../engine/index.js';
import { escaped } from './html.js';

/** Where bars end, as a share of the budget. Longer ones are cut and labelled. */
const MAX_SHARE = 1.25;

export function budgetBars(cases: readonly CaseResult[]): string {
  const groups = groupBy(cases, subjectText).map(
    (group) =>
      `<div class="bars"><h3>${escaped(group[0] === undefined ? '' : subjectName(group[0]))}</h3>` +
      `${group.map(budgetBar).join('')}</div>`,
  );
  return (
    colourKey([
      ['p50', 'p50'],
      ['p95', 'p95'],
      ['p99', 'p99 of the step'],
      ['limit', 'budget'],
    ]) + `<div class="bar-groups">${groups.join('')}</div>`
  );
}

function budgetBar(one: CaseResult): string {
  const { stepMs, budgetMs, budgetShare } = one;
  const part = (name: 'p50' | 'p95' | 'p99'): string => {
    const width = Math.min(MAX_SHARE, stepMs[name] / budgetMs) / MAX_SHARE;
    return `<i class="${name}" style="width:${(width * 100).toFixed(1)}%"></i>`;
  };
  const mark = overloadText(one);
  const state = mark === 'overload' ? 'overloaded' : budgetShare > 1 ? 'over' : 'fits';
  const misses =
    one.deadlineMisses === 0
      ? 'no late ticks'
      : `${countText(one.deadlineMisses)} late (${percentText(missShare(one))})`;
  const tip =
    `p50 ${msText(stepMs.p50)}, p95 ${msText(stepMs.p95)}, p99 ${msText(stepMs.p99)}, ` +
    `max ${msText(stepMs.max)} ms of ${msText(budgetMs)} ms`;
  const speed =
    one.effectiveSpeed < 0.995 ? `, speed\u00a0${nonBreaking(speedText(one.effectiveSpeed))}` : '';
  const sign = mark === '' ? '' : `<b>${mark === 'overload' ? 'overloaded' : mark}:</b> `;
  return (
    `<div class="bar-row ${state}"><span class="what">${pointText(one)}</span>` +
    `<span class="bar" title="${escaped(tip)}">${part('p99')}${part('p95')}${part('p50')}<u></u></span>` +
    `<span class="share">${percentText(budgetShare)}${budgetShare > MAX_SHARE ? ' ▸' : ''}</span>` +
    `<span class="misses">${sign}${misses}${speed}</span></div>`
  );
}

const nonBreaking = (text: string): string => text.replaceAll(' ', '\u00a0');

/** Legend of the bars' colours: a class of the style sheet and a text each. */
function colourKey(items: readonly (readonly [className: string, text: string])[]): string {
  const keys = items.map(
    ([name, text]) => `<li><span class="swatch ${name}"></span>${escaped(text)}</li>`,
  );
  return `<ul class="legend">${keys.join('')}</ul>`;
}
