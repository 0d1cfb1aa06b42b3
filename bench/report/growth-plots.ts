/**
 * Step time over the number of bodies, both on logarithmic axes, where growth by a power is a
 * straight line.
 */
import {
  countText,
  exponentText,
  groupBy,
  msText,
  rateText,
  type BenchOptions,
  type GrowthResult,
} from '../engine/index.js';
import { BOTTOM, LEFT, RIGHT, TOP, budgetLine, plot } from './plot-frame.js';
import { at, escaped, legend, logScale, logTicks, mark, seriesOf } from './svg.js';

/** A plot for each scene and runtime, with a line for each engine. */
export function growthPlots(growth: readonly GrowthResult[], options: BenchOptions): string {
  const groups = groupBy(growth, ({ scene, runtime }) => JSON.stringify([scene, runtime]));
  if (groups.length === 0) return '';
  const plots = groups.map((group) => growthPlot(group, options));
  return `<div class="plots">${plots.join('')}</div>`;
}

function growthPlot(group: readonly GrowthResult[], { tickRatesHz }: BenchOptions): string {
  const [first] = group;
  if (first === undefined) return '';
  const all = group.flatMap(({ points }) => points);
  const counts = all.map(([bodies]) => bodies);
  const times = all.map(([, ms]) => ms);
  const [left, right] = [Math.min(...counts) / 1.15, Math.max(...counts) * 1.15];
  const [low, high] = [Math.min(...times) / 1.4, Math.max(...times) * 1.4];
  const x = logScale(left, right, LEFT, RIGHT);
  const y = logScale(low, high, BOTTOM, TOP);
  const lines = group.map((one, index) => {
    const dots = meanPoints(one.points).map(([bodies, ms]) => {
      const tip = `${one.engine}: ${countText(bodies)} bodies, p50 ${msText(ms)} ms`;
      return mark(x(bodies), y(ms), seriesOf(index), tip);
    });
    return fittedLine(one, index, x, y) + dots.join('');
  });
  const budgets = tickRatesHz.map((hz) => budgetLine(1000 / hz, y, `budget at ${rateText(hz)} Hz`));
  const title = `${first.scene}, ${first.runtime}`;
  const wanted = groupBy(counts, String).map(([bodies = 1]) => bodies);
  const xTicks = wanted.length <= 6 ? wanted : logTicks(left, right);
  const body = plot(
    `Step time by number of bodies: ${title}`,
    {
      scale: x,
      ticks: xTicks.map((bodies) => [bodies, countText(bodies)] as const),
      title: 'bodies',
    },
    {
      scale: y,
      ticks: logTicks(low, high).map((ms) => [ms, String(ms)] as const),
      title: 'ms',
    },
    budgets.join('') + lines.join(''),
  );
  const names = group.map((one) => `${one.engine}: ${exponentText(one)}`);
  return `<figure><figcaption>${escaped(title)}: p50 of a step</figcaption>${body}${legend(names)}</figure>`;
}

type Point = readonly [bodies: number, ms: number];

/** Repeats and tick rates of one count together: their geometric mean, as the fit sees them. */
function meanPoints(points: readonly Point[]): Point[] {
  return groupBy(points, ([bodies]) => String(bodies)).map((same) => {
    const [bodies = 1] = same[0] ?? [];
    return [bodies, geometricMean(same.map(([, ms]) => ms))];
  });
}

/** The line of the fit through the middle of its points. */
function fittedLine(
  { exponent, points }: GrowthResult,
  index: number,
  x: (bodies: number) => number,
  y: (ms: number) => number,
): string {
  const counts = points.map(([bodies]) => bodies);
  const [from, to] = [Math.min(...counts), Math.max(...counts)];
  const middle = geometricMean(counts);
  const middleMs = geometricMean(points.map(([, ms]) => ms));
  const ms = (bodies: number): number => middleMs * (bodies / middle) ** exponent;
  return (
    `<path class="line fit s${seriesOf(index)}" ` +
    `d="M${at(x(from))} ${at(y(ms(from)))}L${at(x(to))} ${at(y(ms(to)))}"/>`
  );
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
