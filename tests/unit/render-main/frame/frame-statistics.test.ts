import { beforeEach, describe, expect, test } from 'vitest';
import { FrameStatistics } from '../../../../src/render-main/frame/frame-statistics.js';
import type { TimelineFrame } from '../../../../src/render-main/frame/timeline-frame.js';

const FRAME: TimelineFrame = {
  hasState: true,
  previous: 0,
  current: 1,
  alpha: 0.5,
  blend: 0.5,
  shownVirtualMs: 0,
  lagMs: 0,
  delayMs: 20,
  marginMs: 8,
  starved: false,
  reset: false,
  paused: false,
  following: true,
};

let statistics: FrameStatistics;
beforeEach(() => {
  statistics = new FrameStatistics();
});

/** Counts a frame that shows a time, with the lag that follows from it. */
function record(frameMs: number, shownVirtualMs: number, more: Partial<TimelineFrame> = {}): void {
  statistics.recordFrame(frameMs, {
    ...FRAME,
    shownVirtualMs,
    lagMs: frameMs - shownVirtualMs,
    ...more,
  });
}

describe('the animation error', () => {
  test("is the change of the time shown minus the change of the display's time", () => {
    record(100, 50);
    expect(statistics.lastErrorMs).toBe(0);
    record(110, 60);
    expect(statistics.lastErrorMs).toBe(0);
    record(120, 73);
    expect(statistics.lastErrorMs).toBe(3);
    record(130, 78);
    expect(statistics.lastErrorMs).toBe(-5);
  });

  test('is reported as mean, 99th percentile and maximum', () => {
    record(0, 0);
    for (let frame = 1; frame <= 100; frame++) {
      // Every tenth frame shows 2 ms too much, and the next one 2 ms too little.
      record(frame * 10, frame * 10 + (frame % 10 === 0 ? 2 : 0));
    }
    const { mean, p99, max } = statistics.summary().animationErrorMs;
    expect(mean).toBeCloseTo((10 * 2 + 9 * 2) / 100, 9);
    expect(p99).toBeCloseTo(2, 2);
    expect(max).toBeCloseTo(2, 2);
  });

  test('is NaN while no two frames can be compared', () => {
    record(0, 0);
    expect(statistics.summary().animationErrorMs.mean).toBeNaN();
    expect(statistics.summary().animationErrorMs.max).toBeNaN();
  });

  test.each<[string, Partial<TimelineFrame>]>([
    ['a paused frame', { paused: true }],
    ['a frame that waits for the first states', { following: false }],
    ['a frame without a state', { hasState: false }],
  ])('is not computed for %s, nor for the frame after it', (_, incomparable) => {
    record(0, 0);
    record(10, 5, incomparable);
    expect(statistics.lastErrorMs).toBe(0);
    record(20, 5);
    expect(statistics.lastErrorMs).toBe(0);
    expect(statistics.summary().animationErrorMs.max).toBeNaN();
    record(30, 20);
    expect(statistics.lastErrorMs).toBe(5);
  });

  test('is not computed for a frame that cannot be compared with the one before', () => {
    record(0, 0);
    const afterAWhile = { ...FRAME, shownVirtualMs: 500, lagMs: 4500 };
    statistics.recordFrame(5000, afterAWhile, false);
    expect(statistics.lastErrorMs).toBe(0);
    expect(statistics.summary().frameMs.max).toBeNaN();
    record(5010, 510);
    expect(statistics.lastErrorMs).toBe(0);
    expect(statistics.summary().frameMs.max).toBeCloseTo(10, 2);
  });
});

describe('counts', () => {
  test('frames, starved ones, resets and repeats', () => {
    record(0, 0);
    record(10, 10);
    record(20, 10, { starved: true });
    record(30, 10, { starved: true });
    record(40, 90, { reset: true });
    const { frames, starvedFrames, repeatedFrames, timelineResets } = statistics.summary();
    expect([frames, starvedFrames, repeatedFrames, timelineResets]).toEqual([5, 2, 2, 1]);
  });

  test('time between timestamps', () => {
    for (let frame = 0; frame <= 144; frame++) record((frame * 1000) / 144, 0);
    const { p50, p99, max } = statistics.summary().frameMs;
    for (const value of [p50, p99, max]) expect(value).toBeCloseTo(6.944, 2);
  });

  test('time spent sampling', () => {
    for (const ms of [0.1, 0.2, 0.3]) statistics.recordSample(ms);
    expect(statistics.summary().sampleMs.p50).toBeCloseTo(0.2, 3);
    expect(statistics.summary().sampleMs.max).toBeCloseTo(0.3, 3);
  });

  test('time from an input to the frame that shows it', () => {
    expect(statistics.summary().inputToFrameMs.max).toBeNaN();
    for (const ms of [20, 30, 40]) statistics.recordShownInput(ms);
    expect(statistics.summary().inputToFrameMs.p50).toBeCloseTo(30, 1);
    expect(statistics.summary().inputToFrameMs.max).toBeCloseTo(40, 1);
    statistics.reset();
    expect(statistics.summary().inputToFrameMs.max).toBeNaN();
  });

  test('restart at a reset, though the next frame is still compared with the last', () => {
    record(0, 0, { starved: true });
    record(10, 0, { reset: true });
    statistics.recordSample(1);
    statistics.reset();
    const { frames, starvedFrames, repeatedFrames, timelineResets, sampleMs, animationErrorMs } =
      statistics.summary();
    expect([frames, starvedFrames, repeatedFrames, timelineResets]).toEqual([0, 0, 0, 0]);
    expect([sampleMs.max, animationErrorMs.mean]).toEqual([Number.NaN, Number.NaN]);
    record(20, 11);
    expect(statistics.lastErrorMs).toBe(1);
    expect(statistics.summary().animationErrorMs.mean).toBe(1);
  });
});
