/** Measures and rules of drawn frames for tests of the timeline, and random lateness. */
import { expect } from 'vitest';
import type { DrawnFrame } from '../../../fixtures/virtual-display.js';

export type Frames = readonly DrawnFrame[];

export const since = (frames: Frames, fromMs: number): Frames =>
  frames.filter((frame) => frame.frameMs >= fromMs);

/** Frames that are compared with each other: between the first moving one and the end. */
export const following = (frames: Frames): Frames => frames.filter((frame) => frame.following);

export const starvedOf = (frames: Frames): Frames => frames.filter((frame) => frame.starved);

export const starvedShare = (frames: Frames): number => starvedOf(frames).length / frames.length;

export const largest = (frames: Frames, of: (frame: DrawnFrame) => number): number =>
  frames.reduce((max, frame) => Math.max(max, of(frame)), Number.NEGATIVE_INFINITY);

export const errorOf = (frame: DrawnFrame): number => Math.abs(frame.animationErrorMs);

export const largestErrorMs = (frames: Frames): number => largest(frames, errorOf);

export const meanErrorMs = (frames: Frames): number =>
  frames.reduce((sum, frame) => sum + errorOf(frame), 0) / frames.length;

/** T1: the drawing never runs backwards. */
export function expectForwards(frames: Frames): void {
  const back = frames.findIndex(
    (frame, index) => frame.shownVirtualMs < (frames[index - 1]?.shownVirtualMs ?? 0),
  );
  expect(back).toBe(-1);
}

/** A value for each tick that stays, however often and in whatever order it is asked for. */
export function onceForEach(of: (tick: number) => number): (tick: number) => number {
  const known = new Map<number, number>();
  return (tick) => {
    const ms = known.get(tick) ?? of(tick);
    known.set(tick, ms);
    return ms;
  };
}
