/** The words by which a doc comment states a default, a range, a unit or what a number counts. */

/** `Default 60.` or `… when left out`. */
const DEFAULT = /\bdefaults?\b|\bleft out\b/i;

/** Endings of names that state a unit, or that the number is one of a tick. */
const UNIT_SUFFIX = /[a-z](?:Ms|S|Hz|Px|Pixels|Rad|Words|Bytes|Ticks?)$/;
/** Names that consist of only such a word. */
const UNIT_NAME = /^(?:pixels|words|bytes|ticks?)$/;

/** `1 to 1000`, `from 0`, `[0, 1)`, `at least …`, `0 or more`, `32-bit`. */
const RANGES: readonly RegExp[] = [
  /(?:^|[\s(])−?[\d.,^]+(?: (?:ms|s|Hz))? to (?:−?\d|Infinity)/,
  /\bfrom −?\d/i,
  /[[(][^\s,]+, [^\s,]+[\])]/,
  /\bat least\b/i,
  /\d or more\b/,
  /\b\d+[- ]bits?\b/,
];

const UNITS: readonly RegExp[] = [
  // Symbols only after a number or `in`: by itself, an s may be a genitive's.
  /(?:\bin|\d) (?:ms|s|Hz|N|kg|m)(?![\w’'])/,
  // In full. `Second value` does not count.
  /\b(?:milliseconds|seconds|(?:a|by|per) second|metres|radians|pixels|unit|bytes|words)\b/i,
];

const COUNTS: readonly RegExp[] = [
  /\b(?:how many|number of|number for|whole number|any number|index|ordinal|shares?|factors?)\b/i,
  // At the beginning: `Frames sampled.`, `Most bodies at any time`.
  /^(?:(?:most|critical) )?(?:ticks|frames|states|bodies|updates|passes|events|inputs|commands|poses|pairs|hashes|times)\b/i,
];

const has = (text: string, words: readonly RegExp[]): boolean =>
  words.some((word) => word.test(text));

export const statesDefault = (text: string): boolean => DEFAULT.test(text);

export const statesRange = (text: string): boolean => has(text, RANGES);

export const namesUnit = (name: string): boolean => UNIT_SUFFIX.test(name) || UNIT_NAME.test(name);

/** A unit, a range, or what is counted. */
export const statesQuantity = (text: string): boolean =>
  has(text, UNITS) || has(text, COUNTS) || statesRange(text);

/** Names that a text refers to: `As x.`, `in 32-bit words, as inputWords`. */
export const referredTo = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:as|like) `?(\w+)`?/gi)].flatMap(([, name]) => name ?? []);

/** Whether a text mentions a parameter by its name: `[low, high)`. */
export const mentions = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text);
