import { beforeEach, expect, test } from 'vitest';
import { LoopSleep } from '../../../../src/sim-worker/loop/loop-sleep.js';
import { expectSame } from '../../../fixtures/quick-checks.js';
import { VirtualTime } from '../../../fixtures/virtual-time.js';

let time: VirtualTime;
let calls: { begun: number; isBusy: boolean; isLoading: boolean };
/** How long the thread itself has slept, in ms. */
let waits: number[];
let sleep: LoopSleep;
beforeEach(() => {
  time = new VirtualTime();
  calls = { begun: 0, isBusy: false, isLoading: false };
  waits = [];
  sleep = new LoopSleep({
    now: () => time.nowMs,
    createTurn: () => ({ take: () => Promise.resolve(), close: () => {} }),
    calls,
    options: { turnsPerSecond: 4 },
    waitForRing: (_rings, timeoutMs) => void waits.push(timeoutMs),
  });
});

/** Sleeps, and returns whether the sleep is over. */
function slept(dueInMs: number): () => boolean {
  let isOver = false;
  void sleep.sleep(0, dueInMs)?.then(() => {
    isOver = true;
  });
  return () => isOver;
}

test('the thread of the worker itself sleeps if no part is loading', async () => {
  await sleep.takeTurns(0, 100);
  expect(sleep.sleep(0, 100)).toBeUndefined();
  expect(waits).toEqual([100]);
});

test('while a part loads, the event loop of the worker runs until the next tick is due', async () => {
  calls.isLoading = true;
  // The call that waits for it has been announced, and has not begun.
  const isOver = slept(100);
  await time.advance(99);
  expect(isOver()).toBe(false);
  await time.advance(1);
  expect(isOver()).toBe(true);
  expect(waits).toEqual([]);
});

test.each([
  ['a call that arrives or begins', (): void => expectSame(sleep.endSleep(), true)],
  ['a stop', (): void => sleep.wake()],
])('%s ends the sleep in which a part loads', async (_, end) => {
  calls.isLoading = true;
  const isOver = slept(100);
  await time.advance(10);
  end();
  await time.advance(0);
  expect(isOver()).toBe(true);
});
