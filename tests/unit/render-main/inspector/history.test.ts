/** The points that a plot shows, and counts per second. */
import { expect, test } from 'vitest';
import { History } from '../../../../src/render-main/inspector/history.js';
import { PerSecond } from '../../../../src/render-main/inspector/per-second.js';

test('the newest points stay, in their order, however many there were', () => {
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
