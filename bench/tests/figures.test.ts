/** The statistics and the table of all benchmarks that measure alternately. */
import { expect, test } from 'vitest';
import { alternately, ratioOf, spreadOf, tableOf, tableText } from '../tables/figures.js';

test('subjects are measured alternately, and a table has the figures that both have', async () => {
  const order: string[] = [];
  const measured = await alternately(['a', 'b'], 2, (subject, turn) => {
    order.push(subject + turn);
    return { ms: turn + 1, onlyA: subject === 'a' ? 7 : null };
  });
  expect(order).toEqual(['a0', 'b0', 'a1', 'b1']);
  const metrics = [
    { what: 'time', unit: 'ms', of: ({ ms }: { ms: number }) => ms },
    { what: 'other', unit: '', of: ({ onlyA }: { onlyA: number | null }) => onlyA },
  ];
  expect(tableOf({ title: 'both' }, measured, metrics).figures).toEqual([
    { what: 'time', unit: 'ms', ours: [1, 2], theirs: [1, 2] },
  ]);
  expect(tableOf({ title: 'one' }, measured.slice(0, 1), metrics).figures).toHaveLength(2);
  const [first = [], second = []] = measured;
  const failed = tableOf({ title: 'failed' }, [[undefined, first[1]], second], metrics);
  expect(failed.figures).toMatchObject([{ ours: [2], theirs: [2] }]);
});

test('the quartiles are measured values, and a ratio is one of the same turn', () => {
  expect(spreadOf([5, 1, 4, 2, 3])).toEqual({ low: 2, median: 3, high: 4 });
  const figure = { what: '', unit: '', ours: [10, 100, 30], theirs: [1, 10, 2] };
  expect(ratioOf(figure)).toEqual({ low: 10, median: 10, high: 15 });
  expect(ratioOf({ ...figure, theirs: [1, 0, 2] })).toBeUndefined();
});

test('a table shows medians, ratios with their quartiles, and whether goals are met', () => {
  const table = tableText({
    title: '1000 boxes',
    ours: 'ours',
    theirs: 'theirs',
    figures: [
      { what: 'frame', unit: 'ms', ours: [1, 2, 3], theirs: [10, 40, 30], ratioLimit: 0.1 },
      { what: 'mount', unit: 'ms', ours: [1234], theirs: [1], ratioLimit: 1 },
      { what: 'lost', unit: '', ours: [0], theirs: [0], limit: 0 },
    ],
  });
  expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['1000 boxes', 'ours', 'theirs', 'ratio', 'quartiles', 'goal'],
    [expect.stringMatching(/^─+$/)],
    ['frame', '2 ms', '30 ms', '1 : 10', '1 : 20 to 1 : 10', '1 : 10 met'],
    ['mount', '1,234 ms', '1 ms', 'over 1,000 : 1', '1 : 1 MISSED'],
    ['lost', '0', '0', '0 met'],
  ]);
});
