/** Where the demo shows its scene when things are unfolded over the picture. */
import { describe, expect, test } from 'vitest';
import { approach, framingOf, UNCOVERED } from '../../../demo/page/view/framing.js';

describe('the framing of a picture', () => {
  test('has its subject in the middle where nothing lies over it', () => {
    expect(framingOf(1280, 720, UNCOVERED)).toEqual({ aspect: 1280 / 720, shift: 0, drop: 0 });
  });

  test('has it in the middle of what is clear, and fitted on that', () => {
    // From 300 to 1,800: the middle is at 1,050, which is 50 right of the picture's.
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

  test('has it below what lies across the top', () => {
    const below = framingOf(400, 800, { left: 0, right: 0, top: 300 });
    expect(below).toEqual({ aspect: 0.5, shift: 0, drop: 150 });
    expect(framingOf(400, 800, { left: 0, right: 0, top: 700 }).drop).toBe(0);
  });

  test('gives up where hardly anything is clear', () => {
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

describe('giving way', () => {
  test('comes nearer with each frame, arrives, and then stands', () => {
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
    // The same object: nothing is to be laid out again.
    expect(approach(covered, goal, 0.15)).toBe(covered);
  });

  test('is done at once with a share of 1', () => {
    const goal = { left: 350, right: 0, top: 0 };
    expect(approach(UNCOVERED, goal, 1)).toEqual(goal);
  });
});
