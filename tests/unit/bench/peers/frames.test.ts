import { describe, expect, test } from 'vitest';
import { figuresOf, motionOf, smearedFrames } from '../../../../bench/peers/engine/frame-log.js';
import { held, scriptedLog, smooth } from './scripted.js';

describe('motion, from the drawn x', () => {
  test('drawn between two states: nothing repeats, nothing is wrong', () => {
    const { single, instanced } = figuresOf(scriptedLog({ x: smooth }));
    expect(single).toMatchObject({ repeated: 0, jumps: 0, backward: 0 });
    expect(single?.timeScale).toBeCloseTo(1, 9);
    expect(single?.animationErrorMs.max).toBeLessThan(1e-9);
    expect(instanced).toEqual(single);
  });

  test('the newest of 60 states a second on a display of 144 Hz: 84 of 144 frames repeat', () => {
    const motion = motionOf(...held144());
    expect(motion?.repeated).toBe(84 * 5);
    expect(motion?.jumps).toBe(0);
    expect(motion?.timeScale).toBeCloseTo(1, 4);
    // A late frame shows a whole tick after a frame's time.
    expect(motion?.animationErrorMs.max).toBeCloseTo(1000 / 60 - 1000 / 144, 6);
    expect(motion?.animationErrorMs.p99).toBeCloseTo(1000 / 60 - 1000 / 144, 6);
  });

  test('time that runs at 0.7 is reported, whether frames coincide with ticks or not', () => {
    const log = scriptedLog({ x: (s) => held(s * 0.7) });
    expect(motionOf(log, log.singleX)?.timeScale).toBeCloseTo(0.7, 3);
  });

  test('a jump and a step back are counted once each', () => {
    const log = scriptedLog({ x: (s) => s + (s > 2 && s <= 3 ? 0.1 : 0) });
    expect(figuresOf(log).single).toMatchObject({
      jumps: 1,
      backward: 1,
      repeated: 0,
    });
  });

  test('a move of two frames over a missed frame is right', () => {
    const figures = figuresOf(scriptedLog({ misses: (frame) => frame % 3 === 1 }));
    expect(figures.missedFrames).toBe(240);
    expect(figures.frames).toBe(480);
    expect(figures.single).toMatchObject({ repeated: 0, jumps: 0 });
    expect(figures.single?.animationErrorMs.max).toBeLessThan(1e-9);
  });

  test('a contestant without the probe has no motion data', () => {
    const log = { ...scriptedLog(), singleX: scriptedLog().frame.map(() => Number.NaN) };
    expect(figuresOf(log).single).toBeNull();
    expect(figuresOf(log).instanced).not.toBeNull();
  });
});

test('frames over 6.94 ms are counted, and late ones separately', () => {
  const log = scriptedLog({ costMs: (frame) => (frame % 100 === 0 ? 7 : 1) });
  const lateMs = log.lateMs.map((_, index) => (index < 3 ? 8 : 0));
  expect(figuresOf({ ...log, lateMs })).toMatchObject({ overBudget: 8, lateFrames: 3 });
});

test('ages that were not requested do not count', () => {
  const log = scriptedLog();
  const ageMs = log.ageMs.map((_, index) => (index % 24 === 0 ? index / 24 : Number.NaN));
  expect(figuresOf({ ...log, ageMs }).ageMs).toEqual({ p50: 14, p99: 29, max: 29 });
  expect(figuresOf({ ...log, ageMs: ageMs.map(() => Number.NaN) }).ageMs).toBeNull();
});

test('a single frame has no figures', () => {
  const one = scriptedLog({ misses: (frame) => frame > 0 });
  expect(() => figuresOf(one)).toThrow('at least two frames must be drawn, and 1 were');
});

test('a smeared frame is one between the two places', () => {
  expect(smearedFrames([2, 2.01, 1000, 1000.01])).toBe(0);
  expect(smearedFrames([2, 417.8, 833.7, 1000])).toBe(2);
  expect(smearedFrames([1000, 998, 2])).toBe(0);
});

function held144() {
  const log = scriptedLog({ x: held, seconds: 5 });
  // The first frame has no predecessor: one more of the pattern replaces it.
  const frame = [...log.frame, 720];
  return [{ ...log, frame }, frame.map((number) => held(number / 144))] as const;
}
