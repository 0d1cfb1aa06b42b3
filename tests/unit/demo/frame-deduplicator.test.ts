/** Which frames of the demo are drawn, and which keep the picture that stands. */
import { describe, expect, test } from 'vitest';
import { FrameDeduplicator } from '../../../demo/page/view/frame-deduplicator.js';

/** Draws what is not there yet, as the view does. Returns whether it drew. */
function show(picture: FrameDeduplicator, numbers: readonly number[], passes = 1): boolean {
  picture.begin();
  picture.addAll(numbers);
  if (picture.isSame(passes)) return false;
  picture.drawn();
  return true;
}

const shown = (frames: readonly (readonly number[])[], passes = 1): boolean[] => {
  const picture = new FrameDeduplicator();
  return frames.map((numbers) => show(picture, numbers, passes));
};

describe('a standing picture', () => {
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

  test('is drawn first of all, even with nothing to describe', () => {
    expect(shown([[], []])).toEqual([true, false]);
  });

  test('is another one with more or less in it', () => {
    expect(shown([[1], [1, 0], [1], [1]])).toEqual([true, true, true, false]);
  });

  test('is drawn as often as it takes to be whole, and each change anew', () => {
    const frames = [[1], [1], [1], [2], [3], [3], [3]];
    expect(shown(frames, 2)).toEqual([true, true, false, true, true, true, false]);
  });

  test('is completed when it comes to take more passes', () => {
    const picture = new FrameDeduplicator();
    expect([show(picture, [1]), show(picture, [1])]).toEqual([true, false]);
    expect([show(picture, [1], 2), show(picture, [1], 2)]).toEqual([true, false]);
  });

  test('forgives rounding, but not what creeps', () => {
    const frames = Array.from({ length: 100 }, (_, index) => [1 + index * 1e-10]);
    const drawn = shown(frames).filter(Boolean).length;
    // One in eleven: each goes beyond 1e-9 of the one that was drawn last.
    expect(drawn).toBeGreaterThan(5);
    expect(drawn).toBeLessThan(15);
    expect(shown([[1], [1 + 1e-15], [1 - 1e-15]])).toEqual([true, false, false]);
  });

  test('is never the same when something in it is not a number, and is when that has gone', () => {
    expect(shown([[Number.NaN], [Number.NaN], [1], [1]])).toEqual([true, true, true, false]);
  });

  test('that a frame was not drawn for, although it could have been, is still to be drawn', () => {
    const picture = new FrameDeduplicator();
    show(picture, [1]);
    picture.begin();
    picture.add(2);
    expect(picture.isSame()).toBe(false);
    expect([show(picture, [2]), show(picture, [2])]).toEqual([true, false]);
  });
});
