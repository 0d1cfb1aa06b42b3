/** Displays of all rates show a worker that is on time, in each mode. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InterpolationMode } from '../../../../src/render-main/index.js';
import { marginOf } from '../../../fixtures/margin-of.js';
import { expectAtLeast, expectAtMost, expectClose } from '../../../fixtures/quick-checks.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import { MOVER_SPEED, VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { expectForwards, following, largestErrorMs, starvedOf } from './drawn.js';

const PERIOD_MS = 1000 / 60;
const START_MARGIN_MS = 8;
/** After this time, the delay has settled at the margin that the lateness of ticks requires. */
const SETTLE_S = 8;

const everyDisplay = [60, 10].flatMap((tickRateHz) =>
  [50, 59.94, 60, 75, 144, 240].map((displayHz) => [tickRateHz, displayHz, 0] as const),
);

test.each([...everyDisplay, [60, 144, 86_400_000] as const])(
  '%d Hz ticks move evenly on a %d Hz display, if the clock of the page is at %d ms when they start',
  (tickRateHz, displayHz, startMs) => {
    const late = { stepCostMs: () => 3, wakeDelayMs: () => 0.1 };
    const worker = new VirtualWorker({ tickRateHz, startMs, ...late });
    const display = new VirtualDisplay(worker);
    const start = display.drawAll(frameStamps(displayHz, SETTLE_S, startMs + 3.7));
    // Following from 8 to 3 ms, within a second or three: at first by 0.5 % of display time.
    expect(largestErrorMs(start)).toBeLessThanOrEqual((0.012 * 1000) / displayHz);
    for (const { frameMs, delayMs } of following(start)) {
      if (frameMs < startMs + 1000) expectClose(delayMs, 1000 / tickRateHz + START_MARGIN_MS, 9);
    }
    // The first state is shown by itself: between it and itself, a frame is at its end.
    for (const { alpha } of start) expectAtMost(alpha, 1);
    const atStart = display.statistics.summary();
    expect([atStart.starvedFrames, atStart.timelineResets]).toEqual([0, 0]);
    display.statistics.reset();

    const frames = display.drawAll(frameStamps(displayHz, 5, startMs + SETTLE_S * 1000 + 3.7));
    const summary = display.statistics.summary();
    expect(summary.animationErrorMs).toEqual({ mean: 0, p99: 0, max: 0 });
    expect([summary.repeatedFrames, summary.starvedFrames, summary.timelineResets]).toEqual([
      0, 0, 0,
    ]);
    expect(following(frames)).toHaveLength(frames.length);
    for (const [index, frame] of frames.entries()) {
      expectAtLeast(frame.alpha, 0);
      expectAtMost(frame.alpha, 1);
      expectClose(frame.delayMs, 1000 / tickRateHz + marginOf(3.1), 9);
      expectClose(frame.frameMs - startMs - frame.shownVirtualMs, frame.delayMs, 6);
      const before = frames[index - 1] ?? frame;
      const movedMs = ((frame.moverX - before.moverX) / MOVER_SPEED) * 1000;
      // The body travels 26 units: a lane resolves 2e-6 units there, and so does a matrix.
      expectAtMost(Math.abs(movedMs - (frame.frameMs - before.frameMs)), 0.002);
    }
  },
);

test('the first state is shown until its due time has come', () => {
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 10, startMs: 1000 }));
  const frames = display.drawAll(frameStamps(100, 0.2, 1000));
  const still = frames.filter((frame) => frame.moverX === 0);
  expect(frames.every((frame) => frame.hasState)).toBe(true);
  // One period of 100 ms and a margin of 8 ms.
  expect(still).toHaveLength(11);
  expect(still.slice(0, -1).every((frame) => !frame.following)).toBe(true);
});

test.each([2, 3, 4])('a history of %i states is enough, and limits a long margin', (history) => {
  const worker = new VirtualWorker({ tickRateHz: 60, history });
  const display = new VirtualDisplay(worker);
  const start = following(display.drawAll(frameStamps(144, SETTLE_S, 3.7)));
  expect(start.length).toBeGreaterThan((SETTLE_S - 0.2) * 144);
  expect(display.statistics.summary().starvedFrames).toBe(0);
  display.statistics.reset();
  display.drawAll(frameStamps(144, 5, SETTLE_S * 1000 + 3.7));
  const { animationErrorMs, repeatedFrames, starvedFrames } = display.statistics.summary();
  expect([starvedFrames, repeatedFrames, animationErrorMs.max]).toEqual([0, 0, 0]);

  const wide = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, history }), {
    marginMs: 1000,
  });
  const drawn = following(wide.drawAll(frameStamps(144, 5, 3.7)));
  expect(drawn.length).toBeGreaterThan(4.8 * 144);
  expect(wide.statistics.summary().animationErrorMs.max).toBe(0);
});

function extrapolating(stepCostMs: (tick: number) => number, seconds = 4): VirtualDisplay {
  const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs });
  const display = new VirtualDisplay(worker, { mode: 'extrapolate' });
  display.drawAll(frameStamps(144, seconds, 3.7));
  return display;
}

test('extrapolation draws the present, without delay or error', () => {
  const { frames, statistics } = extrapolating(() => 0);
  const moving = following(frames);
  for (const frame of moving) {
    expectClose(frame.shownVirtualMs, frame.frameMs, 9);
    expectAtMost(frame.alpha, 1);
    expectAtLeast(frame.blend, 1);
    expectAtMost(frame.blend, 2);
    expectClose(frame.moverX, (MOVER_SPEED * frame.frameMs) / 1000, 5);
  }
  expect(moving.length).toBeGreaterThan(3.9 * 144);
  expect(statistics.summary().starvedFrames).toBe(0);
});

test('extrapolation stops a period and the margin beyond the newest state when nothing comes', () => {
  const { frames } = extrapolating((tick) => (tick === 60 ? 200 : 0));
  const stalled = frames.filter(({ frameMs }) => frameMs > 1030 && frameMs < 1199);
  expect(stalled.length).toBeGreaterThan(20);
  for (const frame of stalled) {
    expect([frame.starved, frame.currentTick, frame.alpha]).toEqual([true, 59, 1]);
    expectClose(frame.blend, 2 + START_MARGIN_MS / PERIOD_MS, 9);
    expectClose(frame.shownVirtualMs, 60 * PERIOD_MS + START_MARGIN_MS, 9);
    expectClose(frame.moverX, MOVER_SPEED * (1 + START_MARGIN_MS / 1000), 5);
  }
  expectForwards(frames);
});

test('extrapolation is not starved by the lateness that every tick has', () => {
  expect(starvedOf(extrapolating(() => 3).frames)).toHaveLength(0);
});

test('extrapolation continues at the speed between the last two states, whatever their distance', () => {
  const display = extrapolating(() => 0, 2);
  // During one tick of the new period the last two states are 1/60 s apart, and 1/20 s from then on.
  display.worker.setTickRate(20, 2001);
  const frames = display.drawAll(frameStamps(144, 2, 2004));
  const moving = frames.filter((frame) => !frame.starved);
  for (const { moverX, shownVirtualMs } of moving) {
    expectClose(moverX, (MOVER_SPEED * shownVirtualMs) / 1000, 4);
  }
  expect(moving.length).toBeGreaterThan(144);
});

const modes = fc.constantFrom<InterpolationMode>('none', 'interpolate', 'extrapolate');
const scripts = fc.array(fc.record({ mode: modes, frames: fc.integer({ min: 1, max: 200 }) }), {
  minLength: 2,
  maxLength: 12,
});

test('a change of the mode never moves the drawing backwards or makes it jump, but for the tick by which "none" is early', () => {
  fc.assert(
    fc.property(scripts, (script) => {
      const worker = new VirtualWorker({
        tickRateHz: 60,
        stepCostMs: () => 2,
        wakeDelayMs: () => 0.2,
      });
      const display = new VirtualDisplay(worker);
      let before: DrawnFrame = display.draw(500);
      let modeBefore: InterpolationMode = 'interpolate';
      for (const { mode, frames } of script) {
        display.timeline.mode = mode;
        for (let index = 0; index < frames; index++) {
          const frame = display.draw(before.frameMs + 1000 / 144);
          const movedMs = frame.shownVirtualMs - before.shownVirtualMs;
          const isEarly = (mode === 'none') !== (modeBefore === 'none');
          // Without interpolation, a frame draws its later state as it is.
          if (mode === 'none') expectClose(frame.shownVirtualMs, frame.currentVirtualMs, 9);
          expectAtLeast(movedMs, isEarly ? -PERIOD_MS - 1e-6 : 0);
          if (mode !== 'none' && modeBefore !== 'none') {
            expectAtMost(movedMs, (1.1 * 1000) / 144 + 0.01);
          }
          [before, modeBefore] = [frame, mode];
        }
      }
    }),
    { numRuns: 40 },
  );
});
