/** The grid of a plot, and the range of its values. */
import { expect, test } from 'vitest';
import {
  extentOf,
  gridLabel,
  gridValues,
} from '../../../../src/render-main/inspector/plot-scale.js';

test.each([
  [0, 19.2, 48, ['0', '10']],
  [0, 0.5, 48, ['0', '0.2', '0.4']],
  [-0.5, 0.5, 48, ['-0.5', '0', '0.5']],
  [0, 1, 48, ['0', '0.5', '1']],
  [-0.04, 1.04, 48, ['0', '0.5', '1']],
  [0, 40_000, 48, ['0', '20000', '40000']],
])('a plot from %d to %d has round values at its grid', (min, max, heightPx, labels) => {
  expect(gridValues(min, max, heightPx).map(gridLabel)).toEqual(labels);
});

test('a higher plot has more of them', () => {
  expect(gridValues(0, 1, 200).length).toBeGreaterThan(gridValues(0, 1, 48).length);
});

test('the extent is that of all series, and zero without values', () => {
  expect(extentOf([Float64Array.of(3, -2), Float64Array.of(7)])).toEqual([-2, 7]);
  expect(extentOf([new Float64Array(0)])).toEqual([0, 0]);
});
