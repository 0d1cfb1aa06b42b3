/** Text formats of costs and lags, in the page's address and in its form. Pure. */
import { numberOf, pairOf, within, type Parameter } from '../../site/parameters.js';
import type { Cost, Hitch } from '../engine/index.js';

/** `2` constant, `1:3` uniform, `2~8` mostly near the first and 1 in 100 above the second. */
export function cost(maxMs: number): Parameter<Cost> {
  return {
    rule:
      `a number of ms from 0 to ${maxMs}, 1:3 for a uniform distribution, ` +
      'or 2~8 for a median of 2 and a 99th percentile of 8',
    parse: (text) => {
      const [first = '', second, ...more] = text.split(/[:~]/);
      const low = within(numberOf(first), 0, maxMs);
      if (second === undefined || low === undefined) return low;
      const high = within(numberOf(second), low, maxMs);
      if (high === undefined || more.length > 0) return undefined;
      if (text.includes(':')) return { minMs: low, maxMs: high };
      return low > 0 ? { medianMs: low, p99Ms: high } : undefined;
    },
    format: (value) => {
      if (typeof value === 'number') return String(value);
      if ('minMs' in value) return `${value.minMs}:${value.maxMs}`;
      return `${value.medianMs}~${value.p99Ms}`;
    },
  };
}

const NO_HITCHES = 'none';

/** `4000:500` for a hitch at 4,000 ms that lasts 500 ms; several with commas between. */
export function hitches(maxMs: number): Parameter<readonly Hitch[]> {
  return {
    rule:
      'none, or 4000:500 for a stall of 500 ms at 4,000 ms; several separated by commas, ' +
      `without overlap, all within ${maxMs} ms`,
    parse: (text) => {
      if (text === NO_HITCHES || text === '') return [];
      const list = text.split(',').map((item) => pairOf(item.trim(), [0, maxMs], [1, maxMs]));
      const known = list.filter((item) => item !== undefined);
      if (known.length < list.length) return undefined;
      const sorted = known
        .map(([atMs, durationMs]) => ({ atMs, durationMs }))
        .toSorted((a, b) => a.atMs - b.atMs);
      const overlaps = sorted.some(({ atMs }, index) => {
        const before = sorted[index - 1];
        return before !== undefined && atMs < before.atMs + before.durationMs;
      });
      return overlaps ? undefined : sorted;
    },
    format: (list) =>
      list.length === 0
        ? NO_HITCHES
        : list.map(({ atMs, durationMs }) => `${atMs}:${durationMs}`).join(','),
  };
}
