import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  Histogram,
  bucketMiddle,
  bucketOf,
  type HistogramShape,
} from '../../../../src/shared/statistics/histogram.js';
import { HISTOGRAM_SHAPE, histogramLength } from '../../../../src/shared/memory/layout.js';
import { expectAtMost, expectSame } from '../../../fixtures/quick-checks.js';

const SHAPE: HistogramShape = HISTOGRAM_SHAPE;
const shapes: readonly HistogramShape[] = [
  SHAPE,
  { unitMs: 1e-4, precisionBits: 10, octaves: 18 },
  { unitMs: 1e-3, precisionBits: 13, octaves: 10 },
  { unitMs: 1, precisionBits: 2, octaves: 3 },
];
const topMs = ({ unitMs, precisionBits, octaves }: HistogramShape): number =>
  unitMs * (2 ** (precisionBits + octaves) - 1);

/** The value that is reported for a recorded duration. */
const reported = (durationMs: number, shape: HistogramShape): number =>
  bucketMiddle(bucketOf(Math.round(durationMs / shape.unitMs), shape), shape) * shape.unitMs;

test.each(shapes)(
  'buckets of $precisionBits bits and $octaves octaves report a duration to within half a bucket and half a unit',
  (shape) => {
    const { unitMs, precisionBits } = shape;
    const durations = fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(30))
      .map(([share, halvings]) => (share * topMs(shape)) / 2 ** halvings);
    fc.assert(
      fc.property(durations, (durationMs) => {
        const boundMs = durationMs * 2 ** -(precisionBits + 1) + unitMs / 2;
        expectAtMost(Math.abs(reported(durationMs, shape) - durationMs), boundMs * 1.000001);
      }),
      { numRuns: 300 },
    );
  },
);

test.each(shapes)(
  'buckets of $precisionBits bits and $octaves octaves are in order, without gaps, and clamp values beyond them',
  (shape) => {
    const { precisionBits, octaves } = shape;
    const buckets = histogramLength(precisionBits, octaves);
    for (let bucket = 0; bucket < buckets; bucket++) {
      expectSame(bucketOf(bucketMiddle(bucket, shape), shape), bucket);
    }
    const ends = [-5, 0, Number.NaN, 2 ** (precisionBits + octaves) - 1, 2 ** 40, Infinity];
    const last = buckets - 1;
    expect(ends.map((units) => bucketOf(units, shape))).toEqual([0, 0, 0, last, last, last]);
  },
);

test("the worker's histograms reach 214 s at 0.8 %", () => {
  expect(topMs(SHAPE) / 1000).toBeCloseTo(214.7, 1);
  expect(2 ** -SHAPE.precisionBits).toBeLessThan(0.008);
});

const samples = fc.array(fc.double({ min: 0, max: 1000, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
});

test('the quantiles of a histogram are those of the sorted values, as reported', () => {
  fc.assert(
    fc.property(samples, fc.double({ min: 0, max: 1, noNaN: true }), (values, share) => {
      const histogram = new Histogram(SHAPE);
      for (const value of values) histogram.record(value);
      const sorted = values.toSorted((a, b) => a - b);
      const rank = Math.max(1, Math.ceil(share * values.length));
      expect(histogram.quantile(share)).toBe(reported(sorted[rank - 1] ?? Number.NaN, SHAPE));
      expect(histogram.total).toBe(values.length);
    }),
    { numRuns: 100 },
  );
});

test('the quantiles of an empty histogram are NaN', () => {
  const histogram = new Histogram(SHAPE);
  expect(histogram.percentiles()).toEqual({ p50: Number.NaN, p99: Number.NaN, max: Number.NaN });
});

test("the quantiles of zeros are 0: a duration too short to measure does not become a bucket's width", () => {
  const histogram = new Histogram(SHAPE);
  for (let count = 0; count < 10; count++) histogram.record(0);
  expect(histogram.percentiles()).toEqual({ p50: 0, p99: 0, max: 0 });
});

const shown = (histogram: Histogram) => [histogram.total, histogram.percentiles()];

test('a rebase of a histogram keeps what is recorded afterwards, and affects no other reader of its counts', () => {
  const values = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { maxLength: 50 });
  fc.assert(
    fc.property(values, values, (before, after) => {
      const counts = new Int32Array(histogramLength(SHAPE.precisionBits, SHAPE.octaves));
      const [writer, reader] = [new Histogram(SHAPE, counts), new Histogram(SHAPE, counts)];
      const [own, all, fresh] = [new Histogram(SHAPE), new Histogram(SHAPE), new Histogram(SHAPE)];
      for (const value of before) for (const one of [writer, own, all]) one.record(value);
      reader.rebase();
      own.rebase();
      for (const value of after) for (const one of [writer, own, all, fresh]) one.record(value);
      expect([reader, own].map(shown)).toEqual([fresh, fresh].map(shown));
      expect(shown(writer)).toEqual(shown(all));
    }),
  );
});

test('counts that do not fit the shape of a histogram are refused', () => {
  expect(() => new Histogram(SHAPE, new Int32Array(5))).toThrow(RangeError);
  expect(() => new Histogram(SHAPE, new Int32Array(5))).toThrow(/3200 words .* has 5/);
});
