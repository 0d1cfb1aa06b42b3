import { describe, expect, test } from 'vitest';
import { marginOf } from '../../../fixtures/margin-of.js';
import { MOVER_SPEED, VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import {
  expectAbove,
  expectAtLeast,
  expectAtMost,
  expectClose,
  expectSame,
} from '../../../fixtures/quick-checks.js';

const DISPLAYS_HZ = [50, 59.94, 60, 75, 120, 144, 165, 240];
const TICK_RATES_HZ = [60, 10];
const everyDisplay = TICK_RATES_HZ.flatMap((tickRateHz) =>
  DISPLAYS_HZ.map((displayHz) => [tickRateHz, displayHz] as const),
);

/** After this time, the delay has settled at the margin that the lateness of ticks requires. */
const SETTLE_S = 8;

/** Frames that are compared with each other: between the first moving one and the end. */
const following = (frames: readonly DrawnFrame[]): readonly DrawnFrame[] =>
  frames.filter((frame) => frame.following);

describe('with ideal timestamps', () => {
  test.each(everyDisplay)(
    '%d Hz ticks on a %d Hz display: the animation error is zero',
    (tickRateHz, displayHz) => {
      const worker = new VirtualWorker({ tickRateHz, stepCostMs: () => 3, wakeDelayMs: () => 0.1 });
      const display = new VirtualDisplay(worker);
      const start = display.drawAll(frameStamps(displayHz, SETTLE_S, 3.7));
      // Following from 8 to 3 ms, within a second or three: at first by 0.5 % of display time.
      const slewMs = Math.max(...start.map((frame) => Math.abs(frame.animationErrorMs)));
      expectAtMost(slewMs, (0.012 * 1000) / displayHz);
      const { starvedFrames: starvedAtStart, timelineResets: resetsAtStart } =
        display.statistics.summary();
      expect([starvedAtStart, resetsAtStart]).toEqual([0, 0]);
      display.statistics.reset();
      const frames = display.drawAll(frameStamps(displayHz, 10, SETTLE_S * 1000 + 3.7));

      const { animationErrorMs, repeatedFrames, starvedFrames, timelineResets } =
        display.statistics.summary();
      expect(animationErrorMs).toEqual({ mean: 0, p99: 0, max: 0 });
      expect(frames.every((frame) => frame.animationErrorMs === 0)).toBe(true);
      expect([repeatedFrames, starvedFrames, timelineResets]).toEqual([0, 0, 0]);
      expect(following(frames)).toHaveLength(Math.round(10 * displayHz));
      for (const { alpha } of frames) {
        expectAtLeast(alpha, 0);
        expectAtMost(alpha, 1);
      }
    },
  );

  test.each(everyDisplay)(
    "%d Hz ticks on a %d Hz display: the drawing advances exactly as far as the display's time",
    (tickRateHz, displayHz) => {
      const worker = new VirtualWorker({ tickRateHz, stepCostMs: () => 3 });
      const display = new VirtualDisplay(worker);
      display.drawAll(frameStamps(displayHz, SETTLE_S, 3.7));
      const frames = display.drawAll(frameStamps(displayHz, 2, SETTLE_S * 1000 + 3.7));
      let worstMs = 0;
      for (const [index, frame] of frames.entries()) {
        const before = frames[index - 1];
        if (before === undefined) continue;
        const movedMs = ((frame.moverX - before.moverX) / MOVER_SPEED) * 1000;
        worstMs = Math.max(worstMs, Math.abs(movedMs - (frame.frameMs - before.frameMs)));
      }
      // The body travels 20 units: a lane resolves 2e-6 units there, and so does a matrix.
      expect(worstMs).toBeLessThan(0.002);
      expect(frames.at(-1)?.moverX).toBeGreaterThan(19);
    },
  );

  test('the error is still zero a day after the start', () => {
    const dayMs = 86_400_000;
    const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 3 });
    // Paused in between, otherwise all of its ticks would have to run.
    worker.pause(100);
    worker.resume(dayMs);
    const display = new VirtualDisplay(worker);
    display.drawAll(frameStamps(144, SETTLE_S, dayMs + 3.7));
    const frames = display.drawAll(frameStamps(144, 5, dayMs + SETTLE_S * 1000 + 3.7));
    expect(frames.every((frame) => frame.animationErrorMs === 0)).toBe(true);
    const { starvedFrames, repeatedFrames } = display.statistics.summary();
    expect([starvedFrames, repeatedFrames]).toEqual([0, 0]);
    expect(following(frames).length).toBeGreaterThan(4.9 * 144);
  });

  test.each(DISPLAYS_HZ)(
    'the delay on a %d Hz display is one period plus the margin',
    (displayHz) => {
      const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 3.1 });
      const display = new VirtualDisplay(worker);
      const frames = display.drawAll(frameStamps(displayHz, 10, 3.7));
      for (const frame of following(frames)) {
        expect(frame.frameMs - frame.shownVirtualMs).toBeCloseTo(frame.delayMs, 6);
      }
      for (const frame of following(frames.filter(({ frameMs }) => frameMs < 1000))) {
        expect(frame.delayMs).toBeCloseTo(1000 / 60 + 8, 9);
      }
      for (const frame of frames.filter(({ frameMs }) => frameMs > 1000 * SETTLE_S)) {
        expect(frame.delayMs).toBeCloseTo(1000 / 60 + marginOf(3.1), 9);
      }
    },
  );
});

/** Share of frames that show the state of the frame before, over whole seconds. */
function repeatedShare(displayHz: number): number {
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60 }), { mode: 'none' });
  const stamps = frameStamps(displayHz, 11, 3.7);
  display.drawAll(stamps.slice(0, displayHz));
  display.statistics.reset();
  display.drawAll(stamps.slice(displayHz));
  const { repeatedFrames, frames } = display.statistics.summary();
  return repeatedFrames / frames;
}

describe('without interpolation', () => {
  test('a 144 Hz display repeats 58.3 % of its frames: 84 of 144', () => {
    expectClose(repeatedShare(144), 84 / 144, 10);
  });

  test('displays repeat the frames that the ticks do not fill', () => {
    expect(repeatedShare(240)).toBeCloseTo(180 / 240, 10);
    expect(repeatedShare(120)).toBeCloseTo(60 / 120, 10);
    expect(repeatedShare(60)).toBe(0);
    expect(repeatedShare(50)).toBe(0);
  });

  test('each frame draws its later state as it is', () => {
    const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60 }), { mode: 'none' });
    const frames = following(display.drawAll(frameStamps(144, 2, 3.7)));
    for (const frame of frames) {
      expect(frame.blend).toBe(1);
      expect(frame.shownVirtualMs).toBe(frame.currentVirtualMs);
      expect(frame.moverX).toBeCloseTo((MOVER_SPEED * frame.currentTick) / 60, 5);
    }
    // The drawing moves in jumps of a tick, and the statistics say so.
    const { animationErrorMs } = display.statistics.summary();
    expect(animationErrorMs.max).toBeGreaterThan(9);
  });
});

describe('a display slower than the ticks', () => {
  test.each([
    [240, 60],
    [240, 50],
    [100, 30],
    [1000, 144],
  ])(
    'draws %d Hz ticks on %d Hz between consecutive ticks, not frames',
    (tickRateHz, displayHz) => {
      const display = new VirtualDisplay(new VirtualWorker({ tickRateHz }));
      const start = following(display.drawAll(frameStamps(displayHz, SETTLE_S, 3.7)));
      expectAbove(start.length, (SETTLE_S - 0.5) * displayHz);
      display.statistics.reset();
      const settled = display.drawAll(frameStamps(displayHz, 2, SETTLE_S * 1000 + 3.7));
      for (const frame of [...start, ...settled]) {
        expectSame(frame.currentTick - frame.previousTick, 1);
        expectSame(frame.currentState - frame.previousState, 1);
      }
      expect(display.statistics.summary().animationErrorMs.max).toBe(0);
    },
  );
});

describe('each frame', () => {
  test('is between its two states, at alpha', () => {
    const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 5 });
    for (const frame of following(new VirtualDisplay(worker).drawAll(frameStamps(165, 5)))) {
      expect(frame.previousVirtualMs).toBeLessThanOrEqual(frame.shownVirtualMs);
      expect(frame.shownVirtualMs).toBeLessThanOrEqual(frame.currentVirtualMs);
      const spanMs = frame.currentVirtualMs - frame.previousVirtualMs;
      expect(frame.previousVirtualMs + frame.alpha * spanMs).toBeCloseTo(frame.shownVirtualMs, 9);
      expect(frame.blend).toBe(frame.alpha);
      expect(frame.starved || frame.reset || frame.paused).toBe(false);
    }
  });

  test('shows nothing before there is a state, and the first state until its due time', () => {
    const worker = new VirtualWorker({ tickRateHz: 10, startMs: 1000 });
    const display = new VirtualDisplay(worker);
    const frames = display.drawAll(frameStamps(100, 0.2, 1000));
    const still = frames.filter((frame) => frame.moverX === 0);
    expectSame(
      frames.every((frame) => frame.hasState),
      true,
    );
    // One period of 100 ms and a margin of 8 ms.
    expect(still).toHaveLength(11);
    expect(still.slice(0, -1).every((frame) => !frame.following)).toBe(true);
  });
});

describe.each([2, 3, 4])('a history of %i states', (history) => {
  test('is enough for a worker that is on time', () => {
    const worker = new VirtualWorker({ tickRateHz: 60, history });
    const display = new VirtualDisplay(worker);
    const start = following(display.drawAll(frameStamps(144, SETTLE_S, 3.7)));
    expectAbove(start.length, (SETTLE_S - 0.2) * 144);
    expectSame(display.statistics.summary().starvedFrames, 0);
    display.statistics.reset();
    display.drawAll(frameStamps(144, 5, SETTLE_S * 1000 + 3.7));
    const { animationErrorMs, repeatedFrames, starvedFrames } = display.statistics.summary();
    expect([starvedFrames, repeatedFrames]).toEqual([0, 0]);
    expectSame(animationErrorMs.max, 0);
  });

  test('draws no more than a margin of a second allows', () => {
    const worker = new VirtualWorker({ tickRateHz: 60, history });
    const display = new VirtualDisplay(worker, { marginMs: 1000 });
    const frames = following(display.drawAll(frameStamps(144, 5, 3.7)));
    expect(frames.length).toBeGreaterThan(4.8 * 144);
    expect(display.statistics.summary().animationErrorMs.max).toBe(0);
  });
});
