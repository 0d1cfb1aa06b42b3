import { beforeEach, expect, test } from 'vitest';
import { LoopSleep } from '../../../../src/sim-worker/loop/loop-sleep.js';
import { expectSame } from '../../../fixtures/quick-checks.js';
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

/** Sleeps without shared memory. */
function asleep(dueInMs: number) {
  const sleep = sleepWith(undefined);
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
  ['a call that arrives', (sleep: LoopSleep): void => expectSame(sleep.endSleep(), true)],
  ['a stop', (sleep: LoopSleep): void => sleep.wake()],
])('%s ends such a sleep', async (_, end) => {
  const { sleep, isOver } = asleep(100);
  await time.advance(10);
  end(sleep);
  await time.advance(0);
  expect(isOver()).toBe(true);
});
