/**
 * Common parts of plots: the frame, its grid and its axes. Small enough for a phone without
 * scaling.
 */
import { at, escaped, textAt, type Scale } from './svg.js';

export const PLOT_WIDTH = 340;
export const PLOT_HEIGHT = 220;
/** Edges of the area in which lines are drawn. */
export const LEFT = 46;
export const RIGHT = PLOT_WIDTH - 12;
export const TOP = 18;
export const BOTTOM = PLOT_HEIGHT - 34;

export interface Axis {
  readonly scale: Scale;
  readonly ticks: readonly (readonly [value: number, text: string])[];
  readonly title: string;
}

/**
 * A plot.
 *
 * @param label Its description, for screen readers.
 */
export function plot(label: string, x: Axis, y: Axis, content: string): string {
  const columns = x.ticks.map(([value, text]) => {
    const position = x.scale(value);
    return `<path class="grid" d="M${at(position)} ${TOP}V${BOTTOM}"/>${textAt(position, BOTTOM + 14, 'middle', text)}`;
  });
  const rows = y.ticks.map(([value, text]) => {
    const position = y.scale(value);
    return `<path class="grid" d="M${LEFT} ${at(position)}H${RIGHT}"/>${textAt(LEFT - 6, position + 4, 'end', text)}`;
  });
  return (
    `<svg class="plot" viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" role="img" aria-label="${escaped(label)}">` +
    `${columns.join('')}${rows.join('')}` +
    textAt(LEFT - 6, TOP - 7, 'end', y.title) +
    textAt((LEFT + RIGHT) / 2, PLOT_HEIGHT - 4, 'middle', x.title) +
    `${content}</svg>`
  );
}

/**
 * A line across at the tick budget; nothing if it would lie outside.
 *
 * @param name Written at the line, if there are several. What is drawn later covers it.
 */
export function budgetLine(budgetMs: number, y: Scale, name?: string): string {
  const position = y(budgetMs);
  if (position < TOP - 0.5 || position > BOTTOM + 0.5) return '';
  const label =
    name === undefined
      ? ''
      : `<g class="budget-name">${textAt(LEFT + 3, position - 4, 'start', name)}</g>`;
  return `<path class="budget" d="M${LEFT} ${at(position)}H${RIGHT}"/>${label}`;
}
