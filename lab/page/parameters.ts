/** How the values of the page's settings are written, in its address and in its form. Pure. */
import type { Cost, Hitch } from '../engine/index.js';

export interface Parameter<T> {
  /** Completes "must be …". */
  readonly rule: string;
  /** Undefined for a text that breaks the rule. */
  readonly parse: (text: string) => T | undefined;
  readonly format: (value: T) => string;
}

export type Bounds = readonly [least: number, most: number];

export function decimal([least, most]: Bounds): Parameter<number> {
  return {
    rule: `a number from ${least} to ${most}`,
    parse: (text) => within(numberOf(text), least, most),
    format: String,
  };
}

export function integer([least, most]: Bounds): Parameter<number> {
  return {
    rule: `a whole number from ${least} to ${most}`,
    parse: (text) => {
      const value = within(numberOf(text), least, most);
      return Number.isInteger(value) ? value : undefined;
    },
    format: String,
  };
}

/** One of the values, or what another parameter takes. */
export function either<Word extends string, T>(
  word: Word,
  other: Parameter<T>,
): Parameter<Word | T> {
  return {
    rule: `${word}, or ${other.rule}`,
    parse: (text) => (text === word ? word : other.parse(text)),
    format: (value) => (value === word ? word : other.format(value as T)),
  };
}

export const flag: Parameter<boolean> = {
  rule: '1 or 0',
  parse: (text) => (text === '1' ? true : text === '0' ? false : undefined),
  format: (value) => (value ? '1' : '0'),
};

export function choice<T extends string | number>(values: readonly T[]): Parameter<T> {
  return {
    rule: `one of ${values.join(', ')}`,
    parse: (text) => values.find((value) => String(value) === text),
    format: String,
  };
}

/** Some of the values, in the given order and each once; `none` for none of them, `all` for all. */
export function several<T extends string>(values: readonly T[]): Parameter<readonly T[]> {
  return {
    rule: `all, none, or some of ${values.join(', ')} with commas between`,
    parse: (text) => {
      if (text === 'all') return values;
      if (text === 'none') return [];
      const names = text.split(',').map((name) => name.trim());
      const isKnown = names.every((name) => (values as readonly string[]).includes(name));
      return isKnown ? values.filter((value) => names.includes(value)) : undefined;
    },
    format: (chosen) => {
      if (chosen.length === values.length) return 'all';
      return chosen.length === 0 ? 'none' : chosen.join(',');
    },
  };
}

/** `2` always, `1:3` evenly between, `2~8` most often near the first and 1 in 100 above the second. */
export function cost(mostMs: number): Parameter<Cost> {
  return {
    rule:
      `a number of ms from 0 to ${mostMs}, or 1:3 for anything between the two, ` +
      'or 2~8 for most often 2 and now and then over 8',
    parse: (text) => {
      const [first = '', second, ...more] = text.split(/[:~]/);
      const low = within(numberOf(first), 0, mostMs);
      if (second === undefined || low === undefined) return low;
      const high = within(numberOf(second), low, mostMs);
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
export function hitches(mostMs: number): Parameter<readonly Hitch[]> {
  return {
    rule:
      'none, or 4000:500 for one at 4,000 ms of 500 ms; several with commas between, ' +
      `none inside another, all within ${mostMs} ms`,
    parse: (text) => {
      if (text === NO_HITCHES || text === '') return [];
      const list = text.split(',').map((item) => pairOf(item.trim(), [0, mostMs], [1, mostMs]));
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

/** `0.75:1.5`. */
export function pair(first: Bounds, second: Bounds): Parameter<readonly [number, number]> {
  return {
    rule:
      `two numbers with a colon between, the first from ${first[0]} to ${first[1]} and ` +
      `the second from ${second[0]} to ${second[1]}`,
    parse: (text) => pairOf(text, first, second),
    format: (value) => value.join(':'),
  };
}

/** `FROM:TO`, in ms. */
export function range(mostMs: number, leastWidthMs: number): Parameter<readonly [number, number]> {
  return {
    rule: `two times in ms with a colon between, from 0 to ${mostMs}, at least ${leastWidthMs} apart`,
    parse: (text) => {
      const value = pairOf(text, [0, mostMs], [0, mostMs]);
      return value !== undefined && value[1] - value[0] >= leastWidthMs ? value : undefined;
    },
    format: (value) => value.join(':'),
  };
}

function pairOf(
  text: string,
  first: Bounds,
  second: Bounds,
): readonly [number, number] | undefined {
  const parts = text.split(':');
  const low = within(numberOf(parts[0] ?? ''), ...first);
  const high = within(numberOf(parts[1] ?? ''), ...second);
  return parts.length !== 2 || low === undefined || high === undefined ? undefined : [low, high];
}

/** Number('') is 0, and Number('0x10') is 16: neither is a number to a reader. */
function numberOf(text: string): number | undefined {
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : undefined;
}

function within(value: number | undefined, least: number, most: number): number | undefined {
  return value === undefined || value < least || value > most ? undefined : value;
}
