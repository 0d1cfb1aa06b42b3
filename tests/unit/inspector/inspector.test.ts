/** The parts of the inspector that need no page: points and scale of its plots, rates, and lines of its log. */
import { expect, test } from 'vitest';
import { WorkerFailedError, type SimulationStatus } from '../../../src/render-main/index.js';
import { History, extentOf, gridLabel, gridValues } from '../../../src/inspector/plots.js';
import { lineOf } from '../../../src/inspector/log.js';
import { PerSecond } from '../../../src/inspector/measurements.js';

test('a plot keeps its newest points in their order, however many there were', () => {
  const history = new History(3, 1);
  for (let at = 0; at < 20; at++) history.push(at, 10 * at);
  expect(history.since(0).map((column) => Array.from(column))).toEqual([
    [17, 18, 19],
    [170, 180, 190],
  ]);
  expect([...history.since(18.5)[0]]).toEqual([19]);
  history.clear();
  expect([...history.since(0)[0]]).toEqual([]);
});

test('a rate is that of the last four readings, and begins again with the counters', () => {
  const perSecond = new PerSecond<'ticks'>();
  expect(perSecond.rate('ticks')).toBe(0);
  for (let reading = 0; reading < 8; reading++) {
    perSecond.add(250 * reading, { ticks: reading < 4 ? 0 : 15 * (reading - 3) });
  }
  expect([perSecond.increase('ticks'), perSecond.rate('ticks')]).toEqual([60, 60]);
  perSecond.add(2000, { ticks: 1 });
  expect(perSecond.rate('ticks')).toBe(0);
  perSecond.add(2250, { ticks: 11 });
  expect(perSecond.rate('ticks')).toBe(40);
});

test.each([
  [0, 19.2, 48, ['0', '10']],
  [0, 0.5, 48, ['0', '0.2', '0.4']],
  [-0.5, 0.5, 48, ['-0.5', '0', '0.5']],
  [-0.04, 1.04, 48, ['0', '0.5', '1']],
  [0, 40_000, 100, ['0', '10000', '20000', '30000', '40000']],
  [0, 40_000, 48, ['0', '20000', '40000']],
])('a plot from %d to %d that is %i px high has round values', (min, max, px, labels) => {
  expect(gridValues(min, max, px).map(gridLabel)).toEqual(labels);
});

test('the extent of a plot is that of all series, and zero without values', () => {
  expect(extentOf([Float64Array.of(3, -2), Float64Array.of(7)])).toEqual([-2, 7]);
  expect(extentOf([new Float64Array(0)])).toEqual([0, 0]);
});

const error = new WorkerFailedError('no luck', 'tick');
const report = { tick: 9, hashes: 3, differsAt: undefined, equalUpTo: 9 };

test.each<[SimulationStatus, string | undefined]>([
  [{ kind: 'failed', error }, 'error: no luck'],
  [{ kind: 'stalled', stalledMs: 2000, error }, 'error: Stalled: no luck'],
  [
    { kind: 'restarted', tick: 7, replayedTicks: 2, skippedInputs: 0 },
    'note: Restarted after tick 7; ticks repeated: 2',
  ],
  [
    { kind: 'restarted', tick: 7, replayedTicks: 2, skippedInputs: 3 },
    'note: Restarted after tick 7; ticks repeated: 2; inputs left out: 3',
  ],
  [{ kind: 'events-lost', lost: 4 }, 'warning: Events lost, because their queue was full: 4'],
  [{ kind: 'slow', isSlow: true, tick: 3 }, 'warning: The simulation does not keep up'],
  [{ kind: 'slow', isSlow: false, tick: 3 }, undefined],
  [{ kind: 'gap', gapMs: 1200.4 }, 'warning: A gap of 1200 ms, which counts as a pause'],
  [{ kind: 'replayed', report }, 'note: The replay has ended. Equal hashes: 3'],
  [
    { kind: 'replayed', report: { ...report, differsAt: 6 } },
    'error: The replay differs at tick 6',
  ],
  [{ kind: 'disposed' }, undefined],
])('the line of the log for %o is "%s"', (status, text) => {
  const line = lineOf(status);
  expect(line && `${line.level}: ${line.text}`).toBe(text);
});
