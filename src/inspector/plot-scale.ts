/** The vertical scale of a plot. Pure. */

/** Space between two lines of the grid, in CSS pixels. */
const SPACE_PX = 18;

/** @returns Round values within a range, far enough apart to be labelled. */
export function gridValues(min: number, max: number, heightPx: number): number[] {
  const step = roundStep(((max - min) * SPACE_PX) / heightPx);
  const values: number[] = [];
  for (let index = Math.ceil(min / step); index * step <= max; index++) values.push(index * step);
  return values;
}

/** @returns The least of 1, 2 and 5 times a power of ten that is not smaller. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** @returns A short text of such a value: `0.05`, `12`. */
export const gridLabel = (value: number): string => String(Number(value.toPrecision(4)));

/** @returns The least and the largest of several series; `[0, 0]` without any values. */
export function extentOf(series: readonly Float64Array[]): [min: number, max: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of series) {
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return min > max ? [0, 0] : [min, max];
}
