/** Limits on others count the time during which this page was awake. */
import { beforeEach, expect, test } from 'vitest';
import { everyAwake, whenAwakeFor } from '../../../../src/render-main/worker/page-clock.js';
import { ScriptedClock } from '../../../fixtures/scripted-clock.js';

let clock: ScriptedClock;
beforeEach(() => {
  clock = new ScriptedClock();
});

test('a check counts the time since the last one, but no more than a period', () => {
  const checks: (() => void)[] = [];
  const every = (_periodMs: number, look: () => void): (() => void) => {
    checks.push(look);
    return () => {};
  };
  const counted: number[] = [];
  const irregular = { now: () => clock.now(), every };
  everyAwake(irregular, 100, (awakeMs) => counted.push(awakeMs), false);
  for (const ms of [30, 100, 101, 5000, 0, 70]) {
    clock.pass(ms);
    checks[0]?.();
  }
  expect(counted).toEqual([30, 100, 100, 100, 0, 70]);
});

test.each([1, 40, 100, 300, 30_000])(
  'a wait for a worker of %d ms ends with its limit',
  (limitMs) => {
    const ends: number[] = [];
    whenAwakeFor(clock, limitMs, () => ends.push(clock.now() - 1000));
    clock.pass(limitMs - 1);
    expect(ends).toEqual([]);
    clock.pass(60_000);
    expect(ends).toEqual([Math.ceil(limitMs / 100) * Math.min(100, limitMs)]);
    expect(clock.timers).toBe(0);
  },
);

test('a wait for a worker is extended by the time the page was suspended', () => {
  let hasEnded = false;
  whenAwakeFor(clock, 1000, () => {
    hasEnded = true;
  });
  for (let count = 0; count < 9; count++) clock.standStill(5000);
  expect(hasEnded).toBe(false);
  clock.pass(100);
  expect(hasEnded).toBe(true);
});

test('a wait for a worker that is ended no longer has a limit', () => {
  const end = whenAwakeFor(clock, 1000, () => expect.unreachable());
  clock.pass(900);
  end();
  clock.pass(60_000);
  expect(clock.timers).toBe(0);
});
