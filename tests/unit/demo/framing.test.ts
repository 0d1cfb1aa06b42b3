/** Where the demo places its scene when panels are open over the drawing. */
import { describe, expect, test } from 'vitest';
import { approach, framingOf, UNCOVERED } from '../../../demo/page/view/framing.js';

describe('the framing of the drawing', () => {
  test('has its subject in the middle if nothing covers it', () => {
    expect(framingOf(1280, 720, UNCOVERED)).toEqual({ aspect: 1280 / 720, shift: 0, drop: 0 });
  });

  test('has it in the middle of the uncovered part, and fitted to that', () => {
    // From 300 to 1,800: the middle is at 1,050, which is 50 right of the canvas's.
    expect(framingOf(2000, 1000, { left: 300, right: 200, top: 0 })).toEqual({
      aspect: 1.5,
      shift: 50,
      drop: 0,
    });
    expect(framingOf(2000, 1000, { left: 0, right: 400, top: 0 })).toEqual({
      aspect: 1.6,
      shift: -200,
      drop: 0,
    });
  });

  test('does not make it tiny between wide panels', () => {
    expect(framingOf(1000, 500, { left: 300, right: 300, top: 0 }).aspect).toBe(1);
    expect(framingOf(1000, 500, { left: 600, right: 0, top: 0 })).toEqual({
      aspect: 1,
      shift: 300,
      drop: 0,
    });
  });

  test('has it below panels across the top', () => {
    const below = framingOf(400, 800, { left: 0, right: 0, top: 300 });
    expect(below).toEqual({ aspect: 0.5, shift: 0, drop: 150 });
    expect(framingOf(400, 800, { left: 0, right: 0, top: 700 }).drop).toBe(0);
  });

  test('gives up if hardly anything is uncovered', () => {
    expect(framingOf(390, 800, { left: 380, right: 0, top: 0 })).toEqual({
      aspect: 390 / 800,
      shift: 0,
      drop: 0,
    });
    expect(framingOf(390, 800, { left: 380, right: 308, top: 0 })).toEqual({
      aspect: 390 / 800,
      shift: 0,
      drop: 0,
    });
  });
});

describe('moving aside', () => {
  test('approaches with each frame, arrives, and then stops', () => {
    const goal = { left: 350, right: 300, top: 0 };
    let covered = UNCOVERED;
    let frames = 0;
    while (covered.left !== goal.left || covered.right !== goal.right) {
      const next = approach(covered, goal, 0.15);
      expect(next.left).toBeGreaterThanOrEqual(covered.left);
      expect(next.left).toBeLessThanOrEqual(goal.left);
      covered = next;
      frames += 1;
      expect(frames).toBeLessThan(100);
    }
    // The same object: nothing has to be laid out again.
    expect(approach(covered, goal, 0.15)).toBe(covered);
  });

  test('is immediate with a share of 1', () => {
    const goal = { left: 350, right: 0, top: 0 };
    expect(approach(UNCOVERED, goal, 1)).toEqual(goal);
  });
});
