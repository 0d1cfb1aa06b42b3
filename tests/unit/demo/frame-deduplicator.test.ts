/** Which frames of the demo are drawn, and which leave the drawing unchanged. */
import { describe, expect, test } from 'vitest';
import { FrameDeduplicator } from '../../../demo/page/view/frame-deduplicator.js';

/** Draws what is missing, as the view does. Returns whether it drew. */
function show(deduplicator: FrameDeduplicator, numbers: readonly number[], passes = 1): boolean {
  deduplicator.begin();
  deduplicator.addAll(numbers);
  if (deduplicator.isSame(passes)) return false;
  deduplicator.drawn();
  return true;
}

const shown = (frames: readonly (readonly number[])[], passes = 1): boolean[] => {
  const deduplicator = new FrameDeduplicator();
  return frames.map((numbers) => show(deduplicator, numbers, passes));
};

describe('an unchanged drawing', () => {
  test('is not drawn again, and any change of it is', () => {
    expect(
      shown([
        [1, 2],
        [1, 2],
        [1, 2],
        [1, 3],
        [1, 3],
        [1, 2],
      ]),
    ).toEqual([true, false, false, true, false, true]);
  });

  test('is drawn the first time, even with nothing to describe', () => {
    expect(shown([[], []])).toEqual([true, false]);
  });

  test('differs from one with more or fewer values', () => {
    expect(shown([[1], [1, 0], [1], [1]])).toEqual([true, true, true, false]);
  });

  test('is drawn until it is complete, and again after each change', () => {
    const frames = [[1], [1], [1], [2], [3], [3], [3]];
    expect(shown(frames, 2)).toEqual([true, true, false, true, true, true, false]);
  });

  test('is completed when it needs more passes than before', () => {
    const deduplicator = new FrameDeduplicator();
    expect([show(deduplicator, [1]), show(deduplicator, [1])]).toEqual([true, false]);
    expect([show(deduplicator, [1], 2), show(deduplicator, [1], 2)]).toEqual([true, false]);
  });

  test('tolerates rounding, but not a slow drift', () => {
    const frames = Array.from({ length: 100 }, (_, index) => [1 + index * 1e-10]);
    const drawn = shown(frames).filter(Boolean).length;
    // One in eleven: each differs by more than 1e-9 from the one that was drawn last.
    expect(drawn).toBeGreaterThan(5);
    expect(drawn).toBeLessThan(15);
    expect(shown([[1], [1 + 1e-15], [1 - 1e-15]])).toEqual([true, false, false]);
  });

  test('is never the same with a value that is NaN, and is again without it', () => {
    expect(shown([[Number.NaN], [Number.NaN], [1], [1]])).toEqual([true, true, true, false]);
  });

  test('that was skipped, although it could have been drawn, must still be drawn', () => {
    const deduplicator = new FrameDeduplicator();
    show(deduplicator, [1]);
    deduplicator.begin();
    deduplicator.add(2);
    expect(deduplicator.isSame()).toBe(false);
    expect([show(deduplicator, [2]), show(deduplicator, [2])]).toEqual([true, false]);
  });
});
