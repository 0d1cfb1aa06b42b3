import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rendererTime, WorkerCounters } from '../../../src/render-main/session/worker-counters.js';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { STATISTICS, type BufferViews } from '../../../src/shared/memory/layout.js';
import { WorkerStatistics } from '../../../src/sim-worker/loop/worker-statistics.js';

let views: BufferViews;
let written: WorkerStatistics;
let read: WorkerCounters;

beforeEach(() => {
  views = createBuffer(1, 2);
  written = new WorkerStatistics(views);
  read = new WorkerCounters(() => views);
});

test("the page reads the worker's counts and durations, and the age of the earliest input", () => {
  written.recordPass(1, 1, 0);
  written.recordPass(2, 0, 0);
  written.recordPass(3, 5, 2);
  written.add(STATISTICS.gaps);
  written.set(STATISTICS.invalidPoses, 4);
  written.recordInputs(5, 1, 2, 12);
  written.recordInputs(0, 1, 0, Number.NaN);
  written.add(STATISTICS.events, 3);
  written.record('step', 2);
  written.record('publish', 0.1);
  written.record('lateness', 0.5);
  const { stepMs, publishMs, latenessMs, inputLatencyMs, ...counts } = read.read();
  expect(counts).toMatchObject({
    ticks: 6,
    droppedTicks: 2,
    iterations: 3,
    catchUpPasses: 1,
    gaps: 1,
    invalidPoses: 4,
    effectiveSpeed: 6 / 8,
    isSlow: false,
    inputs: 5,
    timedCommands: 2,
    lateInputs: 2,
    events: 3,
  });
  expect(stepMs.p50).toBeCloseTo(2, 1);
  expect(publishMs.max).toBeCloseTo(0.1, 2);
  expect(latenessMs.p99).toBeCloseTo(0.5, 2);
  expect([inputLatencyMs.p50, inputLatencyMs.max].map(Math.round)).toEqual([12, 12]);
});

test("counts are those since the last reset of their reader, and the worker's words do not change; another worker counts from 0", () => {
  written.recordPass(1, 3, 1);
  written.record('step', 2);
  read.reset();
  written.recordPass(2, 1, 0);
  expect(read.read()).toMatchObject({ ticks: 1, droppedTicks: 0, iterations: 1 });
  expect(read.read().stepMs.max).toBeNaN();
  expect(new WorkerCounters(() => views).read()).toMatchObject({ ticks: 4, droppedTicks: 1 });
  views = createBuffer(1, 2);
  written = new WorkerStatistics(views);
  written.recordPass(1, 2, 0);
  expect(read.read()).toMatchObject({ ticks: 2, droppedTicks: 0, iterations: 1 });
  expect(read.read().stepMs.max).toBeNaN();
  read.reset();
  expect(read.read().ticks).toBe(0);
});

test('a counter that wraps continues to count', () => {
  views.statistics.fill(2 ** 31 - 1);
  read.reset();
  for (let pass = 0; pass < 3; pass++) written.recordPass(pass, 1, 0);
  expect(read.read()).toMatchObject({ ticks: 3, iterations: 3 });
});

/** Passes of one second, each with 10 ticks due. */
function secondOf(second: number, dropsPerPass: number): boolean {
  for (let pass = 1; pass <= 10; pass++) {
    written.recordPass(second * 1000 + pass * 100, 100 - dropsPerPass, dropsPerPass);
  }
  return read.read().isSlow;
}

test('the slow flag is set below 95 %, cleared above 99 %, and unchanged in between', () => {
  // The first pass is where the seconds are counted from.
  written.recordPass(0, 0, 0);
  expect(secondOf(0, 0)).toBe(false);
  expect(secondOf(1, 4)).toBe(false);
  expect(secondOf(2, 6)).toBe(true);
  expect(secondOf(3, 4)).toBe(true);
  expect(secondOf(4, 2)).toBe(true);
  expect(secondOf(5, 0)).toBe(false);
});

/** How many ticks a pass runs and drops. */
type Pass = readonly [wokenMs: number, ticks: number, dropped: number];
test.each<[string, readonly Pass[]]>([
  ['a hitch at the start', [[0, 5, 50]]],
  ['time in which nothing was due', [0, 100_000].map((ms) => [ms, 0, 0])],
  ['a single late pass', [1000, 1500, 3000].map((ms) => [ms, 500, ms === 1500 ? 10 : 0])],
  [
    'a tenth of a second that drops 40 ticks of 1,000',
    Array.from({ length: 50 }, (_, pass) => {
      const dropped = pass % 10 === 5 ? 40 : 0;
      return [pass * 100, 100 - dropped, dropped];
    }),
  ],
])('the slow flag is not set by %s', (_, passes) => {
  const flags = passes.map((pass) => {
    written.recordPass(...pass);
    return read.read().isSlow;
  });
  expect(flags).not.toContain(true);
});

describe('the load', () => {
  let pageMs: number;
  let wokenMs: number;
  beforeEach(() => {
    pageMs = 5000;
    // Close to where the count of microseconds wraps.
    wokenMs = 2 ** 32 / 1000 - 100;
    vi.spyOn(performance, 'now').mockImplementation(() => pageMs);
  });
  afterEach(() => void (rendererTime.ms = Number.NaN));

  /** The worker sleeps, and is awake for the rest of the time until it wakes up. */
  function elapse(ms: number, asleepMs: number): void {
    pageMs += ms;
    wokenMs += ms;
    written.add(STATISTICS.asleepUs, asleepMs * 1000);
    written.recordPass(wokenMs, 1, 0);
  }

  test('the load is that of the last second, once there are two readings', () => {
    rendererTime.ms = 40;
    elapse(100, 100);
    expect(read.load(7)).toEqual({ worker: Number.NaN, page: Number.NaN, renderer: Number.NaN });
    // Busy, then idle.
    elapse(500, 0);
    rendererTime.ms += 250;
    expect(read.load(7 + 50)).toEqual({ worker: 1, page: 0.1, renderer: 0.5 });
    elapse(500, 500);
    expect(read.load(7 + 50)).toEqual({ worker: 0.5, page: 0.05, renderer: 0.25 });
    elapse(500, 375);
    expect(read.load(7 + 50)).toEqual({ worker: 0.125, page: 0, renderer: 0 });
  });

  test('the load is of the time since the last reading, if that is longer', () => {
    elapse(100, 100);
    read.load(0);
    elapse(4000, 3000);
    expect(read.load(400)).toMatchObject({ worker: 0.25, page: 0.1 });
  });

  test('the load does not depend on how often it is read', () => {
    elapse(100, 100);
    for (let reading = 0; reading < 200; reading++) {
      elapse(10, 6);
      read.load(reading);
    }
    expect(read.load(200).worker).toBeCloseTo(0.4, 6);
    expect(read.load(200).page).toBeCloseTo(0.1, 2);
  });

  test('the load has no worker while that is parked, no renderer without one, and begins again with another worker', () => {
    elapse(100, 100);
    read.load(0);
    pageMs += 1000;
    expect(read.load(100)).toEqual({ worker: Number.NaN, page: 0.1, renderer: Number.NaN });
    views = createBuffer(1, 2);
    written = new WorkerStatistics(views);
    expect(read.load(100).page).toBeNaN();
  });
});
