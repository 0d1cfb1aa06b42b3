/** Text formats of a page's settings, in its address and in its forms. Pure. */

export interface Parameter<T> {
  /** Completes "must be …". */
  readonly rule: string;
  /** Undefined for an invalid text. */
  readonly parse: (text: string) => T | undefined;
  readonly format: (value: T) => string;
  /** The closest valid value for an invalid text; undefined if there is none. */
  readonly nearest?: (text: string) => T | undefined;
}

/** One for each setting, in the order in which an address names them. */
export type Parameters<Settings> = {
  readonly [Name in keyof Settings]: Parameter<Settings[Name]>;
};

export type Bounds = readonly [min: number, max: number];

export function decimal([min, max]: Bounds): Parameter<number> {
  return {
    rule: `a number from ${min} to ${max}`,
    parse: (text) => within(numberOf(text), min, max),
    format: String,
  };
}

export function integer([min, max]: Bounds): Parameter<number> {
  return {
    rule: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = within(numberOf(text), min, max);
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

/** An optional value. A missing one is never written, so it needs no text. */
export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined> {
  return {
    ...parameter,
    format: (value) => (value === undefined ? '' : parameter.format(value)),
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
    rule: `all, none, or a comma-separated list of ${values.join(', ')}`,
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

/** `0.75:1.5`. */
export function pair(first: Bounds, second: Bounds): Parameter<readonly [number, number]> {
  return {
    rule:
      `two numbers separated by a colon, the first from ${first[0]} to ${first[1]} and ` +
      `the second from ${second[0]} to ${second[1]}`,
    parse: (text) => pairOf(text, first, second),
    format: (value) => value.join(':'),
  };
}

/** `FROM:TO`, in ms. */
export function range(maxMs: number, minWidthMs: number): Parameter<readonly [number, number]> {
  return {
    rule: `two times in ms separated by a colon, from 0 to ${maxMs}, at least ${minWidthMs} apart`,
    parse: (text) => {
      const value = pairOf(text, [0, maxMs], [0, maxMs]);
      return value !== undefined && value[1] - value[0] >= minWidthMs ? value : undefined;
    },
    format: (value) => value.join(':'),
  };
}

export function pairOf(
  text: string,
  first: Bounds,
  second: Bounds,
): readonly [number, number] | undefined {
  const parts = text.split(':');
  const low = within(numberOf(parts[0] ?? ''), ...first);
  const high = within(numberOf(parts[1] ?? ''), ...second);
  return parts.length !== 2 || low === undefined || high === undefined ? undefined : [low, high];
}

/** Number('') is 0, and Number('0x10') is 16: a reader would accept neither as a number. */
export function numberOf(text: string): number | undefined {
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : undefined;
}

export function within(value: number | undefined, min: number, max: number): number | undefined {
  return value === undefined || value < min || value > max ? undefined : value;
}
