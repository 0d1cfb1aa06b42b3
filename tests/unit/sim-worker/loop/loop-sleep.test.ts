import { beforeEach, expect, test } from 'vitest';
import { LoopSleep } from '../../../../src/sim-worker/loop/loop-sleep.js';
import { VirtualTime } from '../../../fixtures/virtual-time.js';

let time: VirtualTime;
let calls: { arrived: number; isBusy: boolean };
/** How long the thread itself has slept, in ms. */
let waits: number[];
const waitForRing = (_rings: number, timeoutMs: number): void => void waits.push(timeoutMs);
beforeEach(() => {
  time = new VirtualTime();
  calls = { arrived: 0, isBusy: false };
  waits = [];
});

const sleepWith = (wait: typeof waitForRing | undefined): LoopSleep =>
  new LoopSleep({
    now: () => time.nowMs,
    createTurn: () => ({ take: () => Promise.resolve(), close: () => {} }),
    calls,
    options: { turnsPerSecond: 4 },
    waitForRing: wait,
  });

test('with shared memory, the thread of the worker itself sleeps', async () => {
  const sleep = sleepWith(waitForRing);
  await sleep.takeTurns(0, 100);
  expect(sleep.sleep(0, 100)).toBeUndefined();
  expect(waits).toEqual([100]);
});

/** Sleeps in the event loop. */
function asleep(dueInMs: number, wait?: typeof waitForRing) {
  const sleep = sleepWith(wait);
  let isOver = false;
  void sleep.sleep(0, dueInMs)?.then(() => {
    isOver = true;
  });
  return { sleep, isOver: () => isOver };
}

test('without shared memory, the event loop of the worker runs until the next tick is due', async () => {
  const { isOver } = asleep(100);
  await time.advance(99);
  expect(isOver()).toBe(false);
  await time.advance(1);
  expect(isOver()).toBe(true);
});

test.each([
  ['until the next tick is due', undefined, 100],
  ['without shared memory and without a tick that is due', undefined, Infinity],
  ['with shared memory and without a tick that is due', waitForRing, Infinity],
])('a call ends a sleep in the event loop: %s', async (_, wait, dueInMs) => {
  const { sleep, isOver } = asleep(dueInMs, wait);
  await time.advance(10);
  expect(isOver()).toBe(false);
  expect(sleep.wake()).toBe(true);
  await time.advance(0);
  expect(isOver()).toBe(true);
  expect(sleep.wake()).toBe(false);
});

test('no timer wakes a loop for which no tick is due, and no thread is blocked', async () => {
  const { isOver } = asleep(Infinity, waitForRing);
  await time.advance(10_000_000);
  expect(isOver()).toBe(false);
  expect(waits).toEqual([]);
});
