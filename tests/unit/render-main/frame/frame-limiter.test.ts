import { expect, test } from 'vitest';
import { FrameLimiter } from '../../../../src/render-main/frame/frame-limiter.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { frameStamps } from '../../../fixtures/virtual-display.js';

const DISPLAYS_HZ = [50, 59.94, 60, 75, 144, 240];

const drawn = (limiter: FrameLimiter, stamps: readonly number[]): number =>
  stamps.filter((frameMs) => limiter.isDue(frameMs)).length;

test.each([30, 50, 60, 100, 144])('a limit of %i Hz draws that many frames, or all', (limitHz) => {
  const seconds = 500;
  for (const displayHz of DISPLAYS_HZ) {
    const stamps = frameStamps(displayHz, seconds, 12_345.678);
    const expected = Math.round(seconds * Math.min(limitHz, displayHz));
    const beyond = drawn(new FrameLimiter(limitHz), stamps) - expected;
    // One more if the last frame is within the tolerance of the next one.
    expect(beyond === 0 || beyond === 1, `${beyond} more at ${displayHz} Hz`).toBe(true);
  }
});

test.each(DISPLAYS_HZ)(
  'a limit equal to the rate of the display draws every frame at %d Hz, even with jittering stamps',
  (displayHz) => {
    const random = seededRandom(displayHz);
    const stamps = frameStamps(displayHz, 100, 1000).map((frameMs, frame) =>
      frame === 0 ? frameMs : frameMs + random() - 0.5,
    );
    expect(drawn(new FrameLimiter(displayHz), stamps)).toBe(stamps.length);
  },
);

test('a limit draws no more frames after a stall to make up for it', () => {
  const limiter = new FrameLimiter(30);
  expect(drawn(limiter, frameStamps(60, 1))).toBe(30);
  expect(drawn(limiter, frameStamps(60, 1, 11_000))).toBe(30);
});

test('a high limit tolerates at most a quarter of a slot', () => {
  const limiter = new FrameLimiter(1000);
  const isDrawn = (frameMs: number) => limiter.isDue(frameMs);
  expect([0, 0.7, 0.76, 1.7, 1.76].filter(isDrawn)).toEqual([0, 0.76, 1.76]);
});

test('without a limit every frame is drawn, and a changed one applies from the next frame', () => {
  const limiter = new FrameLimiter();
  expect(limiter.limitHz).toBeUndefined();
  expect([0, 0.1, 0.2].every((frameMs) => limiter.isDue(frameMs))).toBe(true);
  limiter.setLimit(1);
  expect([300, 800, 1200].map((frameMs) => limiter.isDue(frameMs))).toEqual([true, false, false]);
  limiter.setLimit(10);
  expect(limiter.limitHz).toBe(10);
  expect([1250, 1300, 1350].map((ms) => limiter.isDue(ms))).toEqual([true, false, true]);
  limiter.setLimit(undefined);
  expect(limiter.isDue(1351)).toBe(true);
});

test.each([0, -60, Number.NaN, Infinity])(
  'a limit of %d Hz is refused, without effect',
  (limitHz) => {
    const message = /limitHz must be a number from 1 to 1000, but is/;
    expect(() => new FrameLimiter(limitHz)).toThrow(message);
    const limiter = new FrameLimiter(60);
    expect(() => limiter.setLimit(limitHz)).toThrow(RangeError);
    expect(limiter.limitHz).toBe(60);
  },
);
