import { expect, test } from 'vitest';
import { TICK_NUMBERS, TickLog, gapsIn } from '../worker/tick-log.js';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import { STATE_HEADER } from '../../src/shared/memory/layout.js';
import type { WorkerHost } from '../../src/sim-worker/thread/host.js';

/**
 * A loop in scripted time, as the log sees it: readings of its clock and the headers that it
 * writes.
 */
function createLoop() {
  let nowMs = 0;
  const host = { now: () => nowMs } as WorkerHost;
  const { buffer, slots } = createBuffer(4, 4, (byteLength) => new ArrayBuffer(byteLength));
  const log = new TickLog(host);
  return {
    log,
    buffer,
    pass: (ms: number): void => {
      nowMs += ms;
    },
    runTick(tick: number, dueMs: number, stepMs: number, publishMs: number): void {
      log.host.now();
      log.stepBegins(tick);
      nowMs += stepMs;
      log.stepEnds();
      const steppedMs = log.host.now();
      const header = slots[tick % 3]?.stateHeaders[tick % 4];
      if (header !== undefined) {
        header[STATE_HEADER.tick] = tick;
        header[STATE_HEADER.latenessMs] = steppedMs - dueMs;
      }
      nowMs += publishMs;
      log.host.now();
      log.host.now();
    },
  };
}

test('the log of ticks has due time, start, step and publication of each', () => {
  const { log, buffer, pass, runTick } = createLoop();
  log.begin(buffer);
  pass(100.5);
  runTick(7, 100, 3, 0.25);
  pass(6.75);
  // Caught up: it was due before it began.
  runTick(8, 110, 20, 0.5);
  runTick(9, 120, 1, 0.5);
  const { ticks, seconds, gaps } = log.end(() => 3);
  expect([...ticks]).toEqual(
    [
      [100, 100.5, 3, 0.25],
      [110, 110.5, 20, 0.5],
      [120, 131, 1, 0.5],
    ].flat(),
  );
  expect(seconds).toBeCloseTo(0.1325, 9);
  expect(gaps).toBe(3);
});

test('the log of ticks has only the ticks between begin and end', () => {
  const { log, buffer, runTick } = createLoop();
  runTick(1, 0, 1, 1);
  log.begin(buffer);
  runTick(2, 1, 1, 1);
  expect(log.end(() => 3).ticks).toHaveLength(TICK_NUMBERS);
  runTick(3, 2, 1, 1);
  log.begin(buffer);
  expect(log.end(() => 3).ticks).toHaveLength(0);
});

test('a loop without work counts how often it was held up', () => {
  const stepsMs = [0.01, 1.9, 0.01, 7, 2.5, 0.01, 40, 60];
  let [nowMs, reading] = [500, 0];
  const now = (): number => {
    nowMs += stepsMs[reading++ % stepsMs.length] ?? 0;
    return nowMs;
  };
  // 100 ms are over during the last of these, which is not counted: nothing was read after it.
  expect(gapsIn(now)).toBe(3);
});
