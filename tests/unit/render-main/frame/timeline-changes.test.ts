/** Drawing while the schedule changes: rates, scales, pauses, steps, restarts. */
import { expect, test } from 'vitest';
import { marginOf } from '../../../fixtures/margin-of.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import type { TimelineOptions } from '../../../../src/render-main/frame/timeline.js';
import { MOVER_SPEED, VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { expectForwards, starvedOf, starvedShare, type Frames } from './drawn.js';

const PERIOD_MS = 1000 / 60;
const DISPLAY_HZ = 144;
const FRAME_MS = 1000 / DISPLAY_HZ;

/**
 * Draws 1 s, makes a change at a phase of the period, and continues for 2 s.
 *
 * @returns The later frames; and the speeds of the drawn body between them, in simulated seconds per second, without
 *   starved frames and counted jumps.
 */
function changedAt(
  tickRateHz: number,
  phase: number,
  change: (worker: VirtualWorker, pageMs: number) => void,
): { resets: number; after: Frames; speeds: number[] } {
  const worker = new VirtualWorker({ tickRateHz, stepCostMs: () => 0.5 });
  const display = new VirtualDisplay(worker);
  const changeMs = 1000 + (phase * 1000) / tickRateHz;
  const stamps = frameStamps(DISPLAY_HZ, 3, 3.7);
  display.drawAll(stamps.filter((frameMs) => frameMs < changeMs));
  change(worker, changeMs);
  const after = display.drawAll(stamps.filter((frameMs) => frameMs >= changeMs));
  expectForwards(display.frames);
  const speeds = after.slice(1).flatMap((frame, index) => {
    const before = after[index];
    if (before === undefined || frame.starved || frame.reset) return [];
    const movedSeconds = (frame.moverX - before.moverX) / MOVER_SPEED;
    return [(movedSeconds * 1000) / (frame.frameMs - before.frameMs)];
  });
  return { resets: display.statistics.summary().timelineResets, after, speeds };
}

const PHASES = [0.05, 0.37, 0.5, 0.95];

test.each([
  [60, 30],
  [30, 60],
  [60, 144],
  [60, 59.94],
  [60, 10],
])('a body continues at its speed when the tick rate changes from %d to %d Hz', (from, to) => {
  for (const phase of PHASES) {
    const { after, resets, speeds } = changedAt(from, phase, (worker, pageMs) =>
      worker.setTickRate(to, pageMs),
    );
    expect(resets).toBe(0);
    // The delay follows the new period: 5 % slower or faster at most, and nothing else.
    expect(Math.min(...speeds)).toBeGreaterThan(0.949);
    expect(Math.max(...speeds)).toBeLessThan(1.051);
    expect(speeds.length).toBeGreaterThan(270);
    // A longer period is not lateness: the margin does not change.
    expect(after.at(-1)?.marginMs).toBeLessThanOrEqual(to < from ? 8 : 16);
  }
});

test('a change from 10 to 100 Hz is one counted jump at most', () => {
  for (const phase of PHASES) {
    const { after, resets, speeds } = changedAt(10, phase, (worker, pageMs) =>
      worker.setTickRate(100, pageMs),
    );
    expect(resets).toBeLessThanOrEqual(1);
    expect(Math.min(...speeds)).toBeGreaterThan(0.94);
    expect(Math.max(...speeds)).toBeLessThan(1.06);
    // The longer period's delay is gone.
    expect(after.at(-1)?.delayMs).toBeLessThan(40);
  }
});

test.each([
  [60, 0.5],
  [60, 2],
  [60, 0.1],
  [10, 3],
])('at %d Hz, a body has the new speed when the time scale changes to %d', (rate, scale) => {
  for (const phase of PHASES) {
    const { speeds } = changedAt(rate, phase, (worker, pageMs) =>
      worker.setTimeScale(scale, pageMs),
    );
    expect(Math.min(...speeds)).toBeGreaterThan(0.94 * Math.min(1, scale));
    expect(Math.max(...speeds)).toBeLessThan(1.06 * Math.max(1, scale));
    expect(speeds.at(-1)).toBeCloseTo(scale, 1);
  }
});

/** A display that was at alpha 0.37 between ticks 40 and 41 when its schedule was paused. */
function pausedAtAlpha(options: TimelineOptions = { marginMs: 8 }) {
  const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 0.5 });
  const display = new VirtualDisplay(worker, options);
  // 40 ticks, the fraction of one, and the delay of one period plus 8 ms.
  const pauseMs = 40.37 * PERIOD_MS + PERIOD_MS + 8;
  display.drawAll(frameStamps(DISPLAY_HZ, pauseMs / 1000 - 0.01));
  worker.pause(pauseMs);
  return { worker, display, pauseMs, frame: display.draw(pauseMs + 1) };
}

const pictureOf = ({ moverX, shownVirtualMs, alpha }: DrawnFrame): number[] => [
  moverX,
  shownVirtualMs,
  alpha,
];

test.each(['interpolate', 'extrapolate', 'none'] as const)(
  'in mode "%s", a pause and each step of it show the newest state whole',
  (mode) => {
    const { worker, display, pauseMs } = pausedAtAlpha({ mode });
    for (let step = 0; step <= 20; step++) {
      if (step > 0) worker.step(1, pauseMs + step * 100);
      // A slower rate makes no state wait, either.
      if (step === 10) worker.setTickRate(10, pauseMs + step * 100);
      for (const laterMs of [1, 50]) {
        const { currentTick, blend, paused } = display.draw(pauseMs + step * 100 + laterMs);
        expect([currentTick, blend, paused]).toEqual([41 + step, 1, true]);
      }
    }
    expect(display.statistics.summary().starvedFrames).toBe(0);
  },
);

test('after a pause the drawing stays where it is until its time comes, and has its speed at once', () => {
  const { worker, display, pauseMs, frame } = pausedAtAlpha();
  for (const later of display.drawAll(frameStamps(DISPLAY_HZ, 2, pauseMs + 5))) {
    expect(pictureOf(later)).toEqual(pictureOf(frame));
  }
  const resumeMs = pauseMs + 7000;
  worker.resume(resumeMs);
  for (const resumed of display.drawAll(frameStamps(DISPLAY_HZ, 2, resumeMs))) {
    const passedMs = Math.max(0, resumed.frameMs - resumeMs - 0.63 * PERIOD_MS);
    expect(resumed.shownVirtualMs - frame.shownVirtualMs).toBeCloseTo(passedMs, 6);
  }
  const { animationErrorMs, starvedFrames, repeatedFrames } = display.statistics.summary();
  expect([animationErrorMs.max, starvedFrames, repeatedFrames]).toEqual([0, 0, 0]);
});

test.each([2, 6, 12])('a resume %i ms after its frame began costs only that frame', (lateMs) => {
  const { worker, display, pauseMs, frame } = pausedAtAlpha({});
  const resumeMs = pauseMs + 3000;
  worker.resume(resumeMs);
  expect(display.draw(resumeMs - lateMs, resumeMs).moverX).toBe(frame.moverX);
  const stamps = frameStamps(DISPLAY_HZ, 3, resumeMs - lateMs + 2 * FRAME_MS);
  const after = display.drawAll(stamps);
  expect(starvedOf(after)).toHaveLength(0);
  expect(after.at(-1)?.marginMs).toBeCloseTo(marginOf(0.5), 9);
});

test.each([
  [10, 50],
  [60, 60],
  [240, 144],
  [60, 144],
])('a restart at %i Hz on a %d Hz display draws nothing between old and new', (hz, displayHz) => {
  const worker = new VirtualWorker({ tickRateHz: hz });
  const display = new VirtualDisplay(worker);
  display.drawAll(frameStamps(displayHz, 3, 3.7));
  expect(display.frames.at(-1)?.moverX).toBeGreaterThan(5);
  worker.restart(3001);
  const after = display.drawAll(frameStamps(displayHz, 1, 3004));
  expectForwards(display.frames);
  // One second of the new scene at 2 units a second; the old one was at nearly 6.
  expect(Math.max(...after.map((frame) => frame.moverX))).toBeLessThan(2.1);
  expect(after[0]?.moverX).toBeLessThan(0.1);
  const { starvedFrames, timelineResets } = display.statistics.summary();
  expect([starvedFrames, timelineResets]).toEqual([0, 0]);
});

/** Interruptions after 30 s, with the time of the next frame. */
const interruptions: Readonly<Record<string, (display: VirtualDisplay) => number>> = {
  'a pause': ({ worker }) => {
    worker.pause(30_010);
    worker.resume(35_000);
    return 35_001;
  },
  'ticks stepped by hand': (display) => {
    display.worker.pause(30_010);
    for (let step = 0; step < 100; step++) {
      display.worker.step(1, 30_020 + step * 20);
      display.draw(30_025 + step * 20);
    }
    display.worker.resume(33_000);
    return 33_001;
  },
  'a hidden page': () => 60_003,
  'slow motion': ({ worker }) => {
    worker.setTimeScale(0.25, 30_010);
    return 30_011;
  },
  'a lower rate': ({ worker }) => {
    worker.setTickRate(30, 30_010);
    return 30_011;
  },
  'a restart of the scene': ({ worker }) => {
    worker.restart(30_010);
    return 30_012;
  },
};

test.each(Object.entries(interruptions))('%s leaves the margin as it is', (_name, interrupt) => {
  const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 4.1 });
  const display = new VirtualDisplay(worker);
  display.drawAll(frameStamps(DISPLAY_HZ, 30, 3.7));
  const before = display.frames.at(-1)?.marginMs;
  expect(before).toBeCloseTo(marginOf(4.1), 9);
  const after = display.drawAll(frameStamps(DISPLAY_HZ, 3, interrupt(display)));
  // A longer period needs a longer delay, into which the drawing is slewed.
  expect(starvedShare(after.slice(-DISPLAY_HZ))).toBe(0);
  expect(after.at(-1)?.marginMs).toBe(before);
});
