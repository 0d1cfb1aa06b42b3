/**
 * The worst second of a case, tick by tick: how long after its due time each tick woke up, stepped
 * and was published, against the budget. One column a tick, so that it shows whether lateness
 * spreads to the next.
 */
import {
  doneAfterDueMs,
  groupBy,
  isWithinBudget,
  msText,
  pointText,
  subjectName,
  subjectText,
  type CaseResult,
  type TickTime,
} from '../engine/index.js';
import { at, colourKey, escaped, linearScale, linearTicks, textAt, unbroken } from './svg.js';

const HEIGHT = 156;
const LEFT = 40;
const TOP = 22;
const BOTTOM = HEIGHT - 26;
/** Maximum length of a tick in the report, in characters. */
const TICK_LENGTH = 65;
const MIN_WIDTH = 4.5;
/** In pixels of a phone, where the plot shrinks with its card. Narrower plots scroll: over 120 ticks. */
const MIN_WIDTH_SHOWN = 2.5;
const DEFAULT_WIDTH = 560;
/** Maximum scale relative to its own width: its texts grow with it. */
const MAX_WIDTH_SHOWN = 1.25;

/**
 * A timeline for the most relevant case of each subject and tick rate: the largest that fits, or
 * the smallest.
 *
 * @param maxLength Characters that all of them may take; those without room are left out.
 */
export function tickTimelines(cases: readonly CaseResult[], maxLength: number): string {
  const groups = groupBy(cases, (one) => `${subjectText(one)}${one.tickRateHz}`);
  const wanted = groups.flatMap((group) => {
    const rising = group
      .filter(({ worstSecond }) => worstSecond.length > 0)
      .toSorted((a, b) => a.bodies - b.bodies);
    const chosen = rising.findLast(isWithinBudget) ?? rising[0];
    return chosen === undefined ? [] : [chosen];
  });
  let ticksLeft = maxLength / TICK_LENGTH;
  const shown = wanted.filter(({ worstSecond }) => {
    if (worstSecond.length > ticksLeft) return false;
    ticksLeft -= worstSecond.length;
    return true;
  });
  if (shown.length === 0) return '';
  const left = wanted.length - shown.length;
  const more = left === 0 ? '' : `<p class="quiet">${left} more are in the JSON file.</p>`;
  return (
    colourKey([
      ['wake', 'until wake-up'],
      ['step', 'step'],
      ['publish', 'publication'],
      ['late', 'done after the next due time'],
    ]) + `<div class="timelines">${shown.map(timeline).join('')}</div>${more}`
  );
}

function timeline({ worstSecond: ticks, budgetMs, ...one }: CaseResult): string {
  const firstMs = ticks[0]?.dueMs ?? 0;
  const columns = Math.max(
    ticks.length,
    Math.round(((ticks.at(-1)?.dueMs ?? 0) - firstMs) / budgetMs) + 1,
  );
  const columnWidth = Math.max(MIN_WIDTH, (DEFAULT_WIDTH - LEFT - 8) / columns);
  const width = LEFT + columns * columnWidth + 8;
  const high = Math.max(budgetMs * 1.15, ...ticks.map(doneAfterDueMs)) * 1.02;
  const y = linearScale(0, high, BOTTOM, TOP);
  const x = (tick: TickTime): number => {
    return LEFT + (Math.round((tick.dueMs - firstMs) / budgetMs) + 0.5) * columnWidth;
  };
  const heights = ticks.map((tick) => BOTTOM - y(Math.max(0, doneAfterDueMs(tick))));
  const stepped = ticks.map(({ publishMs, ...tick }, index) => {
    // Publications take microseconds: at least a pixel makes them visible.
    const height = BOTTOM - y(Math.max(0, doneAfterDueMs({ ...tick, publishMs: 0 })));
    return publishMs > 0 ? Math.min(height, (heights[index] ?? 0) - 1) : height;
  });
  const woke = ticks.map(({ dueMs, startMs }) => BOTTOM - y(Math.max(0, startMs - dueMs)));
  const positions = ticks.map(x);
  const late = ticks.filter((tick) => doneAfterDueMs(tick) > budgetMs).map(x);
  // Each is drawn over the one before, all from the bottom: that takes the least text.
  const parts = {
    publish: comb(positions, heights),
    step: comb(positions, stepped),
    wake: comb(positions, woke),
    late: late.map((position) => `M${at(position)} ${BOTTOM + 1}v5`).join(''),
  };
  const paths = Object.entries(parts).map(([name, path]) => `<path class="${name}" d="${path}"/>`);
  const grid = linearTicks(high).map(
    (ms) =>
      `<path class="grid" d="M${LEFT} ${at(y(ms))}H${at(width - 8)}"/>${textAt(LEFT - 5, y(ms) + 4, 'end', String(ms))}`,
  );
  const title = `${subjectName(one)}: ${pointText(one)}, budget ${msText(budgetMs)} ms`;
  const budget = at(y(budgetMs));
  return (
    `<figure><figcaption>${unbroken(title)}</figcaption><div class="scroll" tabindex="0" role="group" aria-label="${escaped(title)}">` +
    `<svg viewBox="0 0 ${at(width)} ${HEIGHT}" style="min-width:${at(columns * MIN_WIDTH_SHOWN)}px;max-width:${at(width * MAX_WIDTH_SHOWN)}px" role="img" ` +
    `aria-label="Worst second, tick by tick: ${escaped(title)}" data-left="${LEFT}" data-column="${at(columnWidth * 10)}" ` +
    `data-ticks="${tickData(ticks, firstMs, budgetMs)}">` +
    `${grid.join('')}<g stroke-width="${at(columnWidth * 0.75)}">${paths.join('')}</g>` +
    `<path class="budget" d="M${LEFT} ${budget}H${at(width - 8)}"/>` +
    textAt(LEFT - 5, TOP - 6, 'end', 'ms') +
    textAt(
      LEFT,
      HEIGHT - 6,
      'start',
      `${ticks.length} ticks of one second, each from its due time`,
    ) +
    '</svg></div></figure>'
  );
}

/** Lines up from the bottom. Invisibly low ones are left out. */
function comb(positions: readonly number[], heights: readonly number[]): string {
  return positions
    .map((position, index) => {
      const height = heights[index] ?? 0;
      return height < 0.6 ? '' : `M${at(position)} ${BOTTOM}v-${at(height)}`;
    })
    .join('');
}

/**
 * For the script that shows a tick's values: wake-up, step and publication in hundredths of a
 * millisecond, column by column. Empty for a dropped tick.
 */
function tickData(ticks: readonly TickTime[], firstMs: number, budgetMs: number): string {
  const columns: string[] = [];
  for (const { dueMs, startMs, stepMs, publishMs } of ticks) {
    const column = Math.round((dueMs - firstMs) / budgetMs);
    while (columns.length < column) columns.push('');
    columns[column] = [startMs - dueMs, stepMs, publishMs].map((ms) => Math.round(ms * 100)).join();
  }
  return columns.join(';');
}
