import { beforeEach, expect, test } from 'vitest';
import { FrameStatistics } from '../../../../src/render-main/frame/frame-statistics.js';
import { Frame } from '../../../../src/render-main/frame/frame.js';

const FRAME = Object.assign(new Frame(), { hasState: true, paused: false, following: true });

let statistics: FrameStatistics;
beforeEach(() => {
  statistics = new FrameStatistics();
});

/** Counts a frame that shows a time, with the lag that follows from it. */
function record(frameMs: number, shownVirtualMs: number, more: Partial<Frame> = {}): void {
  const lagMs = frameMs - shownVirtualMs;
  statistics.recordFrame(
    frameMs,
    Object.assign(new Frame(), FRAME, { shownVirtualMs, lagMs, ...more }),
  );
}

test("the animation error is the change of the time shown minus the change of the display's time", () => {
  const frames = [
    [100, 50, 0],
    [110, 60, 0],
    [120, 73, 3],
    [130, 78, -5],
  ] as const;
  for (const [frameMs, shownMs, errorMs] of frames) {
    record(frameMs, shownMs);
    expect(statistics.lastErrorMs).toBe(errorMs);
  }
});

test('the animation error is reported as mean, 99th percentile and maximum', () => {
  record(0, 0);
  expect(statistics.summary().animationErrorMs.mean).toBeNaN();
  for (let frame = 1; frame <= 100; frame++) {
    // Every tenth frame shows 2 ms too much, and the next one 2 ms too little.
    record(frame * 10, frame * 10 + (frame % 10 === 0 ? 2 : 0));
  }
  const { mean, p99, max } = statistics.summary().animationErrorMs;
  expect(mean).toBeCloseTo((10 * 2 + 9 * 2) / 100, 9);
  expect([p99, max]).toEqual([expect.closeTo(2, 2), expect.closeTo(2, 2)]);
});

test.each<[string, Partial<Frame>]>([
  ['paused', { paused: true }],
  ['waiting for the first states', { following: false }],
  ['without a state', { hasState: false }],
])('a frame that is %s has no animation error, and neither has the next one', (_, incomparable) => {
  record(0, 0);
  record(10, 5, incomparable);
  expect(statistics.lastErrorMs).toBe(0);
  record(20, 5);
  expect(statistics.lastErrorMs).toBe(0);
  expect(statistics.summary().animationErrorMs.max).toBeNaN();
  expect(statistics.summary().repeatedFrames).toBe(0);
  record(30, 20);
  expect(statistics.lastErrorMs).toBe(5);
});

test('a frame that cannot be compared with the one before only starts the next comparison', () => {
  record(0, 0);
  statistics.recordFrame(
    5000,
    Object.assign(new Frame(), FRAME, { shownVirtualMs: 0, lagMs: 4500 }),
    false,
  );
  expect(statistics.lastErrorMs).toBe(0);
  const { frameMs, repeatedFrames } = statistics.summary();
  expect([frameMs.max, repeatedFrames]).toEqual([Number.NaN, 0]);
  record(5010, 510);
  expect(statistics.lastErrorMs).toBe(0);
  expect(statistics.summary().frameMs.max).toBeCloseTo(10, 2);
});

const counts = () => {
  const { frames, starvedFrames, repeatedFrames, timelineResets } = statistics.summary();
  return [frames, starvedFrames, repeatedFrames, timelineResets];
};

test('frames, starved ones, repeated ones and resets are counted', () => {
  record(0, 0);
  record(10, 10);
  record(20, 10, { starved: true });
  record(30, 10, { starved: true });
  record(40, 90, { reset: true });
  expect(counts()).toEqual([5, 2, 2, 1]);
});

test('the times between frames, of samples and of inputs are reported', () => {
  expect(statistics.summary().inputToFrameMs.max).toBeNaN();
  for (let frame = 0; frame <= 144; frame++) record((frame * 1000) / 144, 0);
  for (const ms of [0.1, 0.2, 0.3]) statistics.recordSample(ms);
  for (const ms of [20, 30, 40]) statistics.recordShownInput(ms);
  const { frameMs, sampleMs, inputToFrameMs } = statistics.summary();
  for (const value of [frameMs.p50, frameMs.p99, frameMs.max]) expect(value).toBeCloseTo(6.944, 2);
  expect([sampleMs.p50, sampleMs.max]).toEqual([expect.closeTo(0.2, 3), expect.closeTo(0.3, 3)]);
  expect([inputToFrameMs.p50, inputToFrameMs.max]).toEqual([
    expect.closeTo(30, 1),
    expect.closeTo(40, 1),
  ]);
  expect(statistics.sampledMs).toBeCloseTo(0.6, 9);
});

test('counts begin again at a reset, though the next frame is still compared with the last', () => {
  record(0, 0, { starved: true });
  record(10, 0, { reset: true });
  statistics.recordSample(1);
  statistics.recordShownInput(20);
  statistics.reset();
  expect(counts()).toEqual([0, 0, 0, 0]);
  const { sampleMs, inputToFrameMs, frameMs, animationErrorMs } = statistics.summary();
  for (const { max } of [sampleMs, inputToFrameMs, frameMs, animationErrorMs]) {
    expect(max).toBeNaN();
  }
  expect([animationErrorMs.mean, statistics.sampledMs]).toEqual([Number.NaN, 1]);
  record(20, 11);
  expect(statistics.lastErrorMs).toBe(1);
  expect(statistics.summary().animationErrorMs.mean).toBe(1);
});
