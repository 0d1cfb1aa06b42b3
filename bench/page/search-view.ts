/**
 * A search while it runs: its newest estimate as a heading, and below it all of them, one column for
 * each measurement, with a bar over the interval and a dot for the estimate.
 */
import { countText, rateText, type Estimate, type PlannedWork } from '../engine/index.js';
import { make } from '../../site/elements.js';

/** "About 2,300 boxes at 60 Hz"; "Perhaps" if the machine interrupted too much. */
export function headlineOf(
  { scene, tickRateHz }: PlannedWork,
  { bodies, canTell }: Estimate,
): string {
  const count = countText(Number(bodies.toPrecision(2)));
  const what = `${count} ${scene === 'heap' ? 'boxes' : 'bodies'} at ${rateText(tickRateHz)} Hz`;
  return `${canTell ? 'About' : 'Perhaps'} ${what}`;
}

/** @param estimates In the order in which they were made, the newest last. */
export function searchView(work: PlannedWork, estimates: readonly Estimate[]): HTMLElement[] {
  const newest = estimates.at(-1);
  if (newest === undefined) return [];
  const times = estimates.length === 1 ? 'one measurement' : `${estimates.length} measurements`;
  const facts = `${intervalText(newest)} after ${times}: ${work.scene}, ${work.engine}`;
  const plot = make('div', 'plot');
  plot.role = 'img';
  plot.ariaLabel = `Estimates of the number of bodies: ${facts}`;
  // The newest one keeps its height, and what was far above it is cut off.
  const top = 1.6 * newest.bodies;
  const heightOf = (count: number): number => Math.min(100, (100 * count) / top);
  plot.append(
    ...ticksBelow(0.9 * top).map((count) => {
      const tick = make('span', 'tick', countText(count));
      tick.style.bottom = `${heightOf(count)}%`;
      return tick;
    }),
    ...estimates.map(({ bodies, bodiesLow, bodiesHigh }) => {
      const [column, interval, dot] = [make('div'), make('i', 'interval'), make('i', 'dot')];
      interval.style.bottom = `${heightOf(bodiesLow)}%`;
      interval.style.top = `${100 - heightOf(bodiesHigh ?? Infinity)}%`;
      dot.style.bottom = `${heightOf(bodies)}%`;
      column.append(interval, dot);
      return column;
    }),
  );
  return [make('h2', '', headlineOf(work, newest)), make('p', 'caption', facts), plot];
}

function intervalText({ bodiesLow, bodiesHigh }: Estimate): string {
  if (bodiesHigh === null) return bodiesLow === 0 ? 'Open' : `At least ${countText(bodiesLow)}`;
  return bodiesLow === 0
    ? `Fewer than ${countText(bodiesHigh)}`
    : `Between ${countText(bodiesLow)} and ${countText(bodiesHigh)}`;
}

/** Up to six round numbers. */
function ticksBelow(top: number): number[] {
  const power = 10 ** Math.floor(Math.log10(top));
  const factor = [0.2, 0.5, 1].find((one) => top / (power * one) <= 6) ?? 2;
  const step = Math.max(1, power * factor);
  return Array.from({ length: Math.floor(top / step) }, (_, index) => (index + 1) * step);
}
