/**
 * What frames cost on the main thread: curves of all of them, and bars against the budget of a
 * frame.
 */
import { countText, groupBy, msText, percentText, rateText } from '../../engine/index.js';
import { meanOf } from '../../engine/student-t.js';
import { BOTTOM, LEFT, RIGHT, TOP, budgetLine, plot } from '../../report/plot-frame.js';
import {
  colourKey,
  escaped,
  legend,
  linearScale,
  logScale,
  logTicks,
  mark,
  polyline,
  seriesOf,
  unbroken,
} from '../../report/svg.js';
import { CONTESTANTS, inTurn, labelOf } from '../engine/contestants.js';
import { FRAME_BUDGET_MS } from '../engine/frame-log.js';
import type { PeerCase, PeerRepeat } from '../engine/result.js';

/** Cases of one scene, rate and engine: engines are not compared with each other. */
function groupsOf(cases: readonly PeerCase[]): PeerCase[][] {
  return groupBy(
    inTurn(cases),
    ({ contestant, bodies, displayHz }) =>
      `${bodies} ${displayHz} ${CONTESTANTS[contestant].engine}`,
  );
}

const ENGINE_NAMES = { rapier: 'Rapier', cannon: 'cannon-es' } as const;

const groupText = (one: PeerCase): string =>
  `${sceneText(one)}, ${ENGINE_NAMES[CONTESTANTS[one.contestant].engine]}`;

export const sceneText = ({ bodies, displayHz }: PeerCase): string =>
  `${countText(bodies)} bodies, ${rateText(displayHz)} Hz`;

/** A plot for each scene, rate and engine, with a line for each contestant. */
export function costPlots(cases: readonly PeerCase[]): string {
  const plots = groupsOf(cases).map(costPlot);
  return plots.length === 0 ? '' : `<div class="plots">${plots.join('')}</div>`;
}

/** Of several repeats the median one by p95, so that the curve is of an actual run. */
function middleOf({ repeats }: PeerCase): PeerRepeat | undefined {
  const sorted = repeats.toSorted((a, b) => a.costMs.p95 - b.costMs.p95);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

/** Where the axis of shares begins to count nines: 50 %, 90 %, 99 %, 99.9 %. */
const MARKED = [0.5, 0.9, 0.99, 0.999];
const nines = (share: number): number => -Math.log10(1 - share);

function costPlot(cases: readonly PeerCase[]): string {
  const [first] = cases;
  if (first === undefined) return '';
  const curves = cases.map((one) => middleOf(one)?.costCurve ?? []);
  const shares = curves.flat().map(([share]) => share);
  const last = Math.max(0.5, ...shares.filter((share) => share < 1));
  const end = nines(last) + 0.35;
  const x = linearScale(0, end, LEFT, RIGHT);
  const xOf = (share: number): number => x(share < 1 ? nines(share) : end);
  const times = curves.flat().map(([, ms]) => ms);
  const low = Math.max(0.005, Math.min(FRAME_BUDGET_MS, ...times.filter((ms) => ms > 0)) / 1.3);
  const high = Math.max(FRAME_BUDGET_MS, ...times) * 1.3;
  const log = logScale(low, high, BOTTOM, TOP);
  const y = (ms: number): number => log(Math.max(low, ms));
  const lines = curves.map((curve, index) => {
    const line = polyline(curve.map(([share, ms]) => [xOf(share), y(ms)] as const));
    const name = labelOf(cases[index]?.contestant ?? first.contestant);
    const slowest = curve.at(-1);
    const dot =
      slowest === undefined
        ? ''
        : mark(xOf(1), y(slowest[1]), seriesOf(index), `${name}: slowest ${msText(slowest[1])} ms`);
    return `<path class="line s${seriesOf(index)}" d="${line}"/>${dot}`;
  });
  const ticks = MARKED.filter((share) => nines(share) < end - 0.3).map(
    (share) => [nines(share), percentShare(share)] as const,
  );
  const title = groupText(first);
  const body = plot(
    `Cost of frames by percentile: ${title}`,
    { scale: x, ticks: [...ticks, [end, 'max']], title: 'share of frames' },
    { scale: y, ticks: logTicks(low, high).map((ms) => [ms, String(ms)] as const), title: 'ms' },
    budgetLine(FRAME_BUDGET_MS, y) + lines.join(''),
  );
  const names = cases.map(({ contestant }) => labelOf(contestant));
  return `<figure><figcaption>${unbroken(title)}</figcaption>${body}${legend(names, `a frame at 144 Hz, ${msText(FRAME_BUDGET_MS)} ms`)}</figure>`;
}

/** With the existing number of nines. */
const percentShare = (share: number): string => `${Number((share * 100).toPrecision(4))} %`;

/** Where bars end, as a share of the budget. */
const MAX_SHARE = 1.25;

export function costBars(cases: readonly PeerCase[]): string {
  const groups = groupsOf(cases).map((group) => {
    const title = group[0] === undefined ? '' : groupText(group[0]);
    return `<div class="bars"><h3>${unbroken(title)}</h3>${group.map(costBar).join('')}</div>`;
  });
  if (groups.length === 0) return '';
  return (
    colourKey([
      ['p50', 'p50'],
      ['p95', 'p95'],
      ['p99', 'p99 of the frame'],
      ['limit', `${msText(FRAME_BUDGET_MS)} ms, a frame at 144 Hz`],
    ]) + `<div class="bar-groups">${groups.join('')}</div>`
  );
}

function costBar({ contestant, repeats }: PeerCase): string {
  const mean = (of: (repeat: PeerRepeat) => number): number => meanOf(repeats.map(of));
  const cost = {
    p50: mean(({ costMs }) => costMs.p50),
    p95: mean(({ costMs }) => costMs.p95),
    p99: mean(({ costMs }) => costMs.p99),
  };
  const part = (name: keyof typeof cost): string => {
    const width = Math.min(MAX_SHARE, cost[name] / FRAME_BUDGET_MS) / MAX_SHARE;
    return `<i class="${name}" style="width:${(width * 100).toFixed(1)}%"></i>`;
  };
  const over = meanOf(repeats.map(({ overBudget, frames }) => overBudget / frames));
  const tip = `p50 ${msText(cost.p50)}, p95 ${msText(cost.p95)}, p99 ${msText(cost.p99)} ms`;
  return (
    `<div class="bar-row ${cost.p99 > FRAME_BUDGET_MS ? 'over' : 'fits'}">` +
    `<span class="what">${escaped(labelOf(contestant))}</span>` +
    `<span class="bar" data-tip="${escaped(tip)}">${part('p99')}${part('p95')}${part('p50')}<u></u></span>` +
    `<span class="share">${msText(cost.p95)} ms</span>` +
    `<span class="misses">${over === 0 ? 'none over' : `${percentText(over)} over`}</span></div>`
  );
}
