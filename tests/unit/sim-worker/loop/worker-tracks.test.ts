/** The entries that a worker draws in the performance panel. */
import { expect, test } from 'vitest';
import { STATISTICS, WORKER_ACTIVITY } from '../../../../src/shared/memory/layout.js';
import type { LoopParts } from '../../../../src/sim-worker/loop/loop-parts.js';
import { trackLoop } from '../../../../src/sim-worker/loop/worker-tracks.js';
import { DrawnEntries } from '../../../fixtures/drawn-entries.js';

function createTracked() {
  const drawn = new DrawnEntries();
  /** Calls that reached the loop's own parts. */
  const calls: string[] = [];
  const run = { tick: 0 };
  const schedule = { isPaused: false, periodMs: 16 };
  const publisher = {
    publishState: (...args: readonly unknown[]) => {
      calls.push(`publishState ${args.join()}`);
      drawn.nowMs += 1;
    },
  };
  const statistics = {
    add: (...args: readonly unknown[]) => void calls.push(`add ${args.join()}`),
    record: (...args: readonly unknown[]) => void calls.push(`record ${args.join()}`),
  };
  const words = { setActivity: (activity: number) => void calls.push(`activity ${activity}`) };
  const parts: object = { run, schedule, publisher, statistics, words };
  trackLoop(parts as LoopParts, drawn.draw, drawn.now);
  /** As the loop does it. */
  const runTick = (stepMs: number, dueMs: number): void => {
    run.tick += 1;
    const startedMs = drawn.nowMs;
    drawn.nowMs += stepMs;
    publisher.publishState(0, drawn.nowMs - dueMs, Number.NaN);
    statistics.record('step', drawn.nowMs - 1 - startedMs);
    statistics.record('publish', 1);
  };
  return { drawn, calls, run, schedule, publisher, statistics, words, runTick };
}

test('in the performance panel a tick is drawn from due to done, with its step and its publication', () => {
  const { drawn, calls, runTick } = createTracked();
  runTick(5, 999);
  expect(drawn.take()).toEqual([
    'Tick: tick 1 999–1006 primary',
    'Step: step 1000–1005 secondary',
    'Publish: publish 1005–1006 tertiary',
  ]);
  expect(calls).toEqual(['publishState 0,6,NaN,', 'record step,5', 'record publish,1']);
});

test('in the performance panel colours mark a tick that is done more than a period late, and a step that is longer than one', () => {
  const { drawn, runTick } = createTracked();
  runTick(2, 980);
  expect(drawn.take().slice(0, 2)).toEqual([
    'Tick: tick 1 980–1003 error',
    'Step: step 1000–1002 secondary',
  ]);
  runTick(17, 1003);
  expect(drawn.take().slice(0, 2)).toEqual([
    'Tick: tick 2 1003–1021 error',
    'Step: step 1003–1020 error',
  ]);
});

test('in the performance panel a tick that is stepped by hand is due when it begins', () => {
  const { drawn, schedule, runTick } = createTracked();
  schedule.isPaused = true;
  runTick(2, -5000);
  expect(drawn.take()[0]).toBe('Tick: tick 1 1000–1003 primary');
});

test('in the performance panel what is published without a tick is not drawn', () => {
  const { drawn, publisher } = createTracked();
  publisher.publishState(0, 0);
  expect(drawn.take()).toEqual([]);
});

test('in the performance panel sleep and pauses are drawn when they end', () => {
  const { drawn, calls, schedule, words } = createTracked();
  words.setActivity(WORKER_ACTIVITY.answering);
  words.setActivity(WORKER_ACTIVITY.idle);
  drawn.nowMs += 12;
  words.setActivity(WORKER_ACTIVITY.ticking);
  words.setActivity(WORKER_ACTIVITY.idle);
  schedule.isPaused = true;
  drawn.nowMs += 30;
  words.setActivity(WORKER_ACTIVITY.ticking);
  expect(drawn.take()).toEqual([
    'Sleep: sleep 1000–1012 secondary',
    'Sleep: paused 1012–1042 secondary',
  ]);
  expect(calls).toHaveLength(5);
});

test('in the performance panel gaps and inputs are drawn up to now, and other counts are not', () => {
  const { drawn, calls, statistics } = createTracked();
  statistics.add(STATISTICS.gaps);
  statistics.add(STATISTICS.gapMs, 300);
  statistics.record('inputLatency', 7);
  statistics.record('lateness', 2);
  expect(drawn.take()).toEqual([
    'Gaps: gap of 300 ms 700–1000 error',
    'Input to tick: input to tick 993–1000 secondary',
  ]);
  expect(calls).toHaveLength(4);
});
