/**
 * Step time over percentile: the axis gives each further nine (90, 99, 99.9 %) the same room as the
 * one before.
 */
import {
  groupBy,
  msText,
  percentText,
  pointText,
  rateText,
  subjectName,
  subjectText,
  type CaseResult,
} from '../engine/index.js';
import { BOTTOM, LEFT, RIGHT, TOP, budgetLine, plot } from './plot-frame.js';
import {
  legend,
  linearScale,
  logScale,
  logTicks,
  mark,
  polyline,
  seriesOf,
  unbroken,
} from './svg.js';

/** A plot for each subject and tick rate, with a line for each number of bodies. */
export function percentilePlots(cases: readonly CaseResult[]): string {
  const drawable = cases.filter(({ percentileCurve }) => percentileCurve.length > 1);
  const groups = groupBy(drawable, (one) => `${subjectText(one)}${one.tickRateHz}`);
  if (groups.length === 0) return '';
  return `<div class="plots">${groups.map(percentilePlot).join('')}</div>`;
}

/** Shares that are marked on the line and on the axis, which begins at 0. */
const MARKED = [0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999];

/** How many nines a share has: 1 for 90 %, 2 for 99 %. */
const nines = (share: number): number => -Math.log10(1 - share);

function percentilePlot(cases: readonly CaseResult[]): string {
  const [first] = cases;
  if (first === undefined) return '';
  const last = Math.max(...cases.flatMap(({ percentileCurve }) => largestShares(percentileCurve)));
  // The maximum has no place on such an axis; it is drawn a little beyond everything else.
  const end = nines(last) + 0.35;
  const x = linearScale(0, end, LEFT, RIGHT);
  const times = cases.flatMap(({ percentileCurve }) => percentileCurve.map(([, ms]) => ms));
  const low = Math.max(0.001, Math.min(first.budgetMs, ...times.filter((ms) => ms > 0)) / 1.3);
  const high = Math.max(first.budgetMs, ...times) * 1.3;
  const log = logScale(low, high, BOTTOM, TOP);
  const y = (ms: number): number => log(Math.max(low, ms));
  const lines = cases.map((one, index) => {
    const points = one.percentileCurve.map(
      ([share, ms]) => [x(share < 1 ? nines(share) : end), y(ms)] as const,
    );
    const marks = one.percentileCurve.filter(([share]) => share === 1 || isMarked(share));
    const dots = marks.map(([share, ms]) => {
      const name = share === 1 ? 'slowest' : `${shareText(share)} within`;
      const tip = `${pointText(one)}: ${name} ${msText(ms)} ms`;
      return mark(x(share < 1 ? nines(share) : end), y(ms), seriesOf(index), tip);
    });
    return `<path class="line s${seriesOf(index)}" d="${polyline(points)}"/>${dots.join('')}`;
  });
  const ticks = MARKED.filter((share) => nines(share) < end - 0.3).map(
    (share) => [nines(share), shareText(share)] as const,
  );
  const title = `${subjectName(first)}, ${rateText(first.tickRateHz)} Hz`;
  const body = plot(
    `Step time by percentile: ${title}`,
    { scale: x, ticks: [...ticks, [end, 'max']], title: 'share of steps' },
    {
      scale: y,
      ticks: logTicks(low, high).map((ms) => [ms, String(ms)] as const),
      title: 'ms',
    },
    budgetLine(first.budgetMs, y) + lines.join(''),
  );
  const names = cases.map(pointText);
  return `<figure><figcaption>${unbroken(title)}</figcaption>${body}${legend(names, `budget ${msText(first.budgetMs)} ms`)}</figure>`;
}

const largestShares = (curve: CaseResult['percentileCurve']): number[] =>
  curve.map(([share]) => share).filter((share) => share < 1);

/** On the curve shares are rounded. */
const isMarked = (share: number): boolean =>
  MARKED.some((marked) => Math.abs(marked - share) < 1e-5 && share > 0.6) ||
  Math.abs(share - 0.5) < 0.002;

/** With the existing number of nines. */
function shareText(share: number): string {
  return share <= 0.99 ? percentText(share) : `${Number((share * 100).toPrecision(7))} %`;
}
