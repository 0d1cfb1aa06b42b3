import { expect, test } from 'vitest';
import { figuresOf, rowsOf, type RunFigures } from '../../../bench/react/figures.js';

const run = (ms: number, changes: Partial<RunFigures> = {}): RunFigures => ({
  frames: 100,
  frameMs: { p50: ms / 2, p95: ms },
  overPeriod: 0,
  busyShare: 0.1,
  mountMs: 100,
  mountAgainMs: 50,
  unmountMs: 20,
  heapGrowth: 1.01,
  ...changes,
});

const goalsOf = (...args: Parameters<typeof rowsOf>): Record<string, string> =>
  Object.fromEntries(
    rowsOf(...args)
      .filter(({ goal }) => goal !== '')
      .map(({ what, goal }) => [what, goal]),
  );

test('percentiles are measured values, and frames longer than 1/60 s are counted', () => {
  const costs = Array.from({ length: 100 }, (_, index) => index + 1);
  expect(figuresOf(costs)).toEqual({ frames: 100, frameMs: { p50: 50, p95: 95 }, overPeriod: 84 });
  expect(() => figuresOf([])).toThrow('no frame was drawn');
});

test('a row has the medians of the repeats, and their ratio', () => {
  const runs = { betwixt: [run(0.1), run(9), run(0.2)], rapier: [run(4), run(2), run(3)] };
  const [, p95] = rowsOf({ kind: 'meshes', bodies: 6, runs });
  expect(p95).toEqual({
    what: 'frame p95, ms',
    betwixt: '0.2',
    rapier: '3',
    ratio: '1 : 15',
    goal: '1 : 10: met',
  });
});

test('goals are met or missed: fewer ms for instances, no long frame, no slower mount, no larger heap', () => {
  const rapier = [run(3)];
  const runs = { betwixt: [run(0.2)], rapier };
  expect(goalsOf({ kind: 'meshes', bodies: 6, runs })).toEqual({
    'frame p95, ms': '1 : 10: met',
    'frames over the period': '0: met',
    'first mount, ms': 'no slower: met',
    'later mounts, ms': 'no slower: met',
    'heap after ten mounts': 'within 2 %: met',
  });
  const worse = run(0.2, { overPeriod: 1, mountMs: 101, mountAgainMs: 51, heapGrowth: 1.03 });
  expect(goalsOf({ kind: 'instances', bodies: 6, runs: { betwixt: [worse], rapier } })).toEqual({
    'frame p95, ms': '1 : 50: missed',
    'frames over the period': '0: missed',
    'first mount, ms': 'no slower: missed',
    'later mounts, ms': 'no slower: missed',
    'heap after ten mounts': 'within 2 %: missed',
  });
});
