/** Confidence intervals for means and slopes of few values. */

/**
 * Confidence of every interval that the benchmark reports: one claim in a hundred may be chance.
 */
export const CONFIDENCE = 0.99;

/** Quantile of the normal distribution at (1 + CONFIDENCE) / 2. */
const NORMAL = 2.575829303548901;

/**
 * Half the width of the interval, in standard errors.
 *
 * Exact for one and two degrees of freedom; from three on the expansion of Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 26.7.5, which is 0.8 % low at three and 0.1 % at five.
 *
 * @param freedom Degrees of freedom, a whole number from 1.
 */
export function studentT(freedom: number): number {
  const upper = (1 + CONFIDENCE) / 2;
  if (freedom === 1) return Math.tan(Math.PI * (upper - 0.5));
  if (freedom === 2) return (2 * upper - 1) / Math.sqrt(2 * upper * (1 - upper));
  const z = NORMAL;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160;
  return z + g1 / freedom + g2 / freedom ** 2 + g3 / freedom ** 3 + g4 / freedom ** 4;
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sum of the squared distances from the mean. */
export function squaresOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}
