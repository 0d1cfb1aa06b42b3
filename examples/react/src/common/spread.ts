/** Numbers that look random and are the same in every run. */

const GOLDEN = 0.618_033_988_75;

/** @returns From 0 to 1, evenly spread over successive indices. @param series Another one has other numbers. */
export const spread = (index: number, series = 1): number =>
  ((index + 1) * GOLDEN * (2 * series - 1) + series * 0.37) % 1;

/** The whole numbers from 0 up to `count`. */
export const range = (count: number): readonly number[] => [...Array(count).keys()];
