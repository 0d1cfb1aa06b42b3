import { describe, expect, test } from 'vitest';
import { FrameLimiter } from '../../../../src/render-main/frame/frame-limiter.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';

const DISPLAYS_HZ = [50, 59.94, 60, 75, 120, 144, 165, 240];
const LIMITS_HZ = [30, 50, 60, 100, 144];

/** Frames drawn of a display that runs for an hour. */
function drawnInAnHour(limitHz: number, displayHz: number, startMs: number): number {
  const limiter = new FrameLimiter(limitHz);
  const frames = Math.round(3600 * displayHz);
  let drawn = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (limiter.isDue(startMs + (frame * 1000) / displayHz)) drawn += 1;
  }
  return drawn;
}

describe('in an hour', () => {
  test.each(
    LIMITS_HZ.flatMap((limitHz) => DISPLAYS_HZ.map((displayHz) => [limitHz, displayHz] as const)),
  )(
    'a limit of %d frames a second at %d Hz draws exactly that many, or all frames',
    (limitHz, displayHz) => {
      const drawn = drawnInAnHour(limitHz, displayHz, 12_345.678);
      const expected = Math.round(3600 * Math.min(limitHz, displayHz));
      // One more if the last frame is within the tolerance of the next hour's first.
      expect(drawn - expected).toBeGreaterThanOrEqual(0);
      expect(drawn - expected).toBeLessThanOrEqual(1);
    },
  );
});

describe("a limit equal to the display's rate", () => {
  test.each(DISPLAYS_HZ)(
    'draws every frame at %d Hz, even with jittering timestamps',
    (displayHz) => {
      const random = seededRandom(displayHz);
      const limiter = new FrameLimiter(displayHz);
      const skipped: number[] = [];
      for (let frame = 0; frame < 10_000; frame++) {
        const jitterMs = frame === 0 ? 0 : random() - 0.5;
        if (!limiter.isDue(1000 + (frame * 1000) / displayHz + jitterMs)) skipped.push(frame);
      }
      expect(skipped).toEqual([]);
    },
  );
});

describe('the pattern', () => {
  test('of 60 of 144 is every second and every third frame', () => {
    const limiter = new FrameLimiter(60);
    const due = Array.from({ length: 145 }, (_, frame) => limiter.isDue((frame * 1000) / 144));
    const drawn = due.flatMap((isDue, frame) => (isDue ? [frame] : []));
    const gaps = drawn.slice(1).map((frame, index) => frame - (drawn[index] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([2, 3]));
    expect(drawn).toHaveLength(61);
  });

  test("of half the display's rate is every second frame, also after a stall", () => {
    const limiter = new FrameLimiter(30);
    const drawn = (frames: readonly number[]): number =>
      frames.filter((frame) => limiter.isDue((frame * 1000) / 60)).length;
    expect(drawn(Array.from({ length: 60 }, (_, index) => index))).toBe(30);
    // A stall is not compensated: ten seconds later there is again one frame in two.
    expect(drawn(Array.from({ length: 60 }, (_, index) => 660 + index))).toBe(30);
  });
});

describe('the limit', () => {
  test('can be absent: every frame is drawn', () => {
    const limiter = new FrameLimiter();
    expect(limiter.limitHz).toBeUndefined();
    expect([0, 0.1, 0.2].every((frameMs) => limiter.isDue(frameMs))).toBe(true);
  });

  test('can be changed, and applies from the next frame', () => {
    const limiter = new FrameLimiter(1);
    expect([0, 500, 900].map((frameMs) => limiter.isDue(frameMs))).toEqual([true, false, false]);
    limiter.setLimit(10);
    expect(limiter.limitHz).toBe(10);
    expect([950, 1000, 1050].map((frameMs) => limiter.isDue(frameMs))).toEqual([true, false, true]);
    limiter.setLimit(undefined);
    expect(limiter.isDue(1051)).toBe(true);
  });

  test.each([0, -60, Number.NaN, Number.POSITIVE_INFINITY])('of %d is refused', (limitHz) => {
    expect(() => new FrameLimiter(limitHz)).toThrow(RangeError);
    expect(() => new FrameLimiter(limitHz)).toThrow(
      /limitHz must be a number from 1 to 1000, but is/,
    );
    const limiter = new FrameLimiter(60);
    expect(() => limiter.setLimit(limitHz)).toThrow(RangeError);
    expect(limiter.limitHz).toBe(60);
  });
});
