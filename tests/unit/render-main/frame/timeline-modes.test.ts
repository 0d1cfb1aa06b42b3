import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { InterpolationMode } from '../../../../src/render-main/index.js';
import { MOVER_SPEED, VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import {
  expectAbove,
  expectAtLeast,
  expectAtMost,
  expectBelow,
  expectClose,
  expectSame,
} from '../../../fixtures/quick-checks.js';

const PERIOD_MS = 1000 / 60;
const DISPLAY_HZ = 144;

function extrapolating(stepCostMs: (tick: number) => number, seconds = 4): VirtualDisplay {
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, stepCostMs }), {
    mode: 'extrapolate',
  });
  display.drawAll(frameStamps(DISPLAY_HZ, seconds, 3.7));
  return display;
}

describe('extrapolation', () => {
  test('draws the present: no delay, no error, at most one period beyond the newest state', () => {
    const { frames, statistics } = extrapolating(() => 0);
    const following = frames.filter((frame) => frame.following);
    for (const frame of following) {
      expectClose(frame.shownVirtualMs, frame.frameMs, 9);
      expectAtMost(frame.alpha, 1);
      expectAtLeast(frame.blend, 1);
      expectAtMost(frame.blend, 2);
      expectClose(frame.moverX, (MOVER_SPEED * frame.frameMs) / 1000, 5);
    }
    expectAbove(following.length, 3.9 * DISPLAY_HZ);
    expectSame(statistics.summary().starvedFrames, 0);
  });

  test('stops one period and the margin beyond the newest state when nothing comes', () => {
    // The smallest margin at 60 Hz.
    const marginMs = 8;
    const { frames } = extrapolating((tick) => (tick === 60 ? 200 : 0));
    const stalled = frames.filter(({ frameMs }) => frameMs > 1030 && frameMs < 1199);
    for (const frame of stalled) {
      expectSame(frame.starved, true);
      expect([frame.currentTick, frame.alpha]).toEqual([59, 1]);
      expectClose(frame.blend, 2 + marginMs / PERIOD_MS, 9);
      expectClose(frame.shownVirtualMs, 60 * PERIOD_MS + marginMs, 9);
      expectClose(frame.moverX, MOVER_SPEED * (1 + marginMs / 1000), 5);
    }
    const shown = frames.map((frame) => frame.shownVirtualMs);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  });

  test('is not starved by the lateness that every tick has', () => {
    const { frames } = extrapolating(() => 3);
    expect(frames.filter(({ starved }) => starved)).toHaveLength(0);
  });

  test('continues at the speed between the last two states, whatever their distance', () => {
    const display = extrapolating(() => 0, 2);
    // One tick of a new period, during which the last two states are first 1/60 s apart and then
    // 1/20 s.
    display.worker.setTickRate(20, 2001);
    const frames = display.drawAll(frameStamps(DISPLAY_HZ, 2, 2004));
    const moving = frames.filter((frame) => !frame.starved);
    for (const { moverX, shownVirtualMs } of moving) {
      expectClose(moverX, (MOVER_SPEED * shownVirtualMs) / 1000, 4);
    }
    expectAbove(moving.length, DISPLAY_HZ);
  });
});

function play(script: readonly { mode: InterpolationMode; frames: number }[]): {
  frame: DrawnFrame;
  before: DrawnFrame;
  mode: InterpolationMode;
  modeBefore: InterpolationMode;
}[] {
  const display = new VirtualDisplay(
    new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 2, wakeDelayMs: () => 0.2 }),
  );
  const steps = [];
  let frameMs = 500;
  let before = display.draw(frameMs);
  let modeBefore: InterpolationMode = 'interpolate';
  for (const { mode, frames } of script) {
    display.timeline.mode = mode;
    for (let frame = 0; frame < frames; frame++) {
      frameMs += 1000 / DISPLAY_HZ;
      const drawn = display.draw(frameMs);
      steps.push({ frame: drawn, before, mode, modeBefore });
      before = drawn;
      modeBefore = mode;
    }
  }
  return steps;
}

describe('switching', () => {
  const modes = fc.constantFrom<InterpolationMode>('none', 'interpolate', 'extrapolate');
  const switches = fc.array(fc.record({ mode: modes, frames: fc.integer({ min: 1, max: 200 }) }), {
    minLength: 2,
    maxLength: 12,
  });

  test('between interpolating and extrapolating never moves the drawing backwards, nor makes it jump', () => {
    fc.assert(
      fc.property(switches, (script) => {
        const smooth = script.map(({ mode, frames }) => ({
          mode: mode === 'none' ? ('interpolate' as const) : mode,
          frames,
        }));
        for (const { frame, before } of play(smooth)) {
          expectAtLeast(frame.shownVirtualMs, before.shownVirtualMs);
          const elapsedMs = frame.frameMs - before.frameMs;
          expectBelow(frame.shownVirtualMs - before.shownVirtualMs, 1.1 * elapsedMs + 0.01);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('to and from "none" moves the drawing by less than a tick, which is how early "none" shows it', () => {
    fc.assert(
      fc.property(switches, (script) => {
        for (const { frame, before, mode, modeBefore } of play(script)) {
          const allowedMs = mode === modeBefore ? 0 : PERIOD_MS + 1e-6;
          expectAtLeast(frame.shownVirtualMs, before.shownVirtualMs - allowedMs);
        }
      }),
      { numRuns: 30 },
    );
  });
});
