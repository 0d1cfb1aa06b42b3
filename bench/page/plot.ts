/**
 * The measured numbers of bodies as a plot: a bar for each, from a fast step to a slow one, a line for the time that a
 * step has, and a band over the answer's interval.
 */
import { make } from '../../site/common/elements.js';
import { countText, type Limit } from '../engine/index.js';

/** Above this multiple of a step's time the plot ends. */
const TOP_BUDGETS = 2;

/** @param what What the numbers count: boxes. */
export function plotOf(limit: Limit, tickRateHz: number, what: string, label: string): HTMLElement {
  const { bodies, bodiesLow, bodiesHigh, counts } = limit;
  const budgetMs = 1000 / tickRateHz;
  const [right, top] = [1.25 * (bodiesHigh ?? bodies), TOP_BUDGETS * budgetMs];
  const x = (count: number): string => `${Math.min(100, (100 * count) / right)}%`;
  const y = (ms: number): string => `${Math.min(100, (100 * ms) / top)}%`;

  const area = make('div', 'area');
  const band = make('i', 'band');
  band.style.left = x(bodiesLow);
  band.style.width = `calc(${x(bodiesHigh ?? right)} - ${x(bodiesLow)})`;
  const answer = make('i', 'answer');
  answer.style.left = x(bodies);
  const line = make('i', 'line');
  line.style.bottom = y(budgetMs);
  area.append(
    band,
    answer,
    ...ticksUpTo(top, 5).map((ms) => {
      const tick = make('span', 'y-tick', String(ms));
      tick.style.bottom = y(ms);
      return tick;
    }),
    ...ticksUpTo(right, 5).map((count) => {
      const tick = make('span', 'x-tick', countText(count));
      tick.style.left = x(count);
      return tick;
    }),
    line,
    ...counts
      .filter((one) => one.bodies <= right)
      .map((one) => {
        const bar = make('i', `bar ${one.state.replace(' ', '-')}`);
        bar.style.left = x(one.bodies);
        // Bars above the plot end at its top.
        bar.style.bottom = `min(${y(one.p25Ms ?? top)}, 100% - 5px)`;
        bar.style.top = `max(0px, min(100% - ${y(one.p90Ms ?? top)}, 100% - ${y(one.p25Ms ?? top)} - 5px))`;
        return bar;
      }),
  );
  const plot = make('div', 'plot');
  plot.role = 'img';
  plot.ariaLabel = label;
  plot.append(make('span', 'y-title', 'ms per step'), area, make('span', 'x-title', what));
  return plot;
}

/** Round numbers, from 0. */
function ticksUpTo(top: number, most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(top));
  const factor = [0.1, 0.2, 0.5, 1].find((one) => top / (power * one) <= most) ?? 2;
  const step = Math.max(power * factor, top < 10 ? 0 : 1);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) =>
    Number((index * step).toFixed(digits)),
  );
}
