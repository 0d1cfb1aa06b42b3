import { describe, expect, test } from 'vitest';
import { marginOf } from '../../../fixtures/margin-of.js';
import { MOVER_SPEED, VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';

const PERIOD_MS = 1000 / 60;
const DISPLAY_HZ = 144;
const FRAME_MS = 1000 / DISPLAY_HZ;

/**
 * Speeds of the drawn body between consecutive frames, in simulated seconds per second. Starved
 * frames and counted jumps are left out.
 */
function drawnSpeeds(frames: readonly DrawnFrame[]): number[] {
  return frames.slice(1).flatMap((frame, index) => {
    const before = frames[index];
    if (before === undefined || frame.starved || frame.reset) return [];
    const movedSeconds = (frame.moverX - before.moverX) / MOVER_SPEED;
    return [(movedSeconds * 1000) / (frame.frameMs - before.frameMs)];
  });
}

/**
 * Draws 1 s, makes a change at a phase of the period, and continues drawing. Returns the later
 * frames.
 */
function changedAt(
  tickRateHz: number,
  phase: number,
  change: (worker: VirtualWorker, pageMs: number) => void,
  seconds = 3,
): { display: VirtualDisplay; after: readonly DrawnFrame[] } {
  const worker = new VirtualWorker({ tickRateHz, stepCostMs: () => 0.5 });
  const display = new VirtualDisplay(worker);
  const changeMs = 1000 + (phase * 1000) / tickRateHz;
  const stamps = frameStamps(DISPLAY_HZ, seconds, 3.7);
  display.drawAll(stamps.filter((frameMs) => frameMs < changeMs));
  change(worker, changeMs);
  const after = display.drawAll(stamps.filter((frameMs) => frameMs >= changeMs));
  const shown = display.frames.map((frame) => frame.shownVirtualMs);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  return { display, after };
}

const phases = [0.05, 0.37, 0.5, 0.95];
const withPhases = (values: readonly (readonly [number, number])[]) =>
  values.flatMap(([from, to]) => phases.map((phase) => [from, to, phase] as const));

describe('a change of the tick rate within a tick', () => {
  test.each(
    withPhases([
      [60, 30],
      [30, 60],
      [60, 144],
      [60, 59.94],
      [60, 10],
    ]),
  )('from %d to %d Hz at phase %d: the body continues at its speed', (from, to, phase) => {
    const { after, display } = changedAt(from, phase, (worker, pageMs) =>
      worker.setTickRate(to, pageMs),
    );
    const { timelineResets } = display.statistics.summary();
    expect(timelineResets).toBe(0);
    // The delay follows the new period: 5 % slower or faster at most, and nothing else.
    const speeds = drawnSpeeds(after);
    expect(Math.min(...speeds)).toBeGreaterThan(0.949);
    expect(Math.max(...speeds)).toBeLessThan(1.051);
    expect(speeds.length).toBeGreaterThan(270);
    // A longer period is not lateness: the margin does not change.
    expect(after.at(-1)?.marginMs).toBeLessThanOrEqual(to < from ? 8 : 16);
  });

  test.each(phases)(
    'from 10 to 100 Hz at phase %d: one counted jump at most, then smooth',
    (phase) => {
      const { after, display } = changedAt(10, phase, (worker, pageMs) =>
        worker.setTickRate(100, pageMs),
      );
      expect(display.statistics.summary().timelineResets).toBeLessThanOrEqual(1);
      const speeds = drawnSpeeds(after);
      expect(Math.min(...speeds)).toBeGreaterThan(0.94);
      expect(Math.max(...speeds)).toBeLessThan(1.06);
      // The longer period's delay is gone.
      expect(after.at(-1)?.delayMs).toBeLessThan(40);
    },
  );
});

describe('a change of the time scale within a tick', () => {
  test.each(
    withPhases([
      [60, 0.5],
      [60, 2],
      [60, 0.1],
      [10, 3],
    ]),
  )('at %d Hz to %d at phase %d: the body changes to the new speed', (rate, scale, phase) => {
    const { after } = changedAt(rate, phase, (worker, pageMs) =>
      worker.setTimeScale(scale, pageMs),
    );
    const speeds = drawnSpeeds(after);
    const slower = Math.min(1, scale);
    const faster = Math.max(1, scale);
    expect(Math.min(...speeds)).toBeGreaterThan(0.94 * slower);
    expect(Math.max(...speeds)).toBeLessThan(1.06 * faster);
    expect(speeds.at(-1)).toBeCloseTo(scale, 1);
  });
});

/** A display whose schedule is paused with alpha 0.37 in its frames. */
function pausedAtAlpha(marginMs: number | 'auto' = 8): {
  display: VirtualDisplay;
  pauseMs: number;
  frame: DrawnFrame;
} {
  const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 0.5 });
  const display = new VirtualDisplay(worker, { marginMs });
  // 40 ticks, the fraction of one, and the delay of one period plus 8 ms.
  const pauseMs = 40.37 * PERIOD_MS + PERIOD_MS + 8;
  display.drawAll(frameStamps(DISPLAY_HZ, pauseMs / 1000 - 0.01));
  worker.pause(pauseMs);
  return { display, pauseMs, frame: display.draw(pauseMs + 1) };
}

const pictureOf = ({ moverX, shownVirtualMs, alpha }: DrawnFrame): number[] => [
  moverX,
  shownVirtualMs,
  alpha,
];

describe('pause and resume', () => {
  test('at alpha 0.37: the pose is identical throughout, and afterwards', () => {
    const { display, pauseMs, frame } = pausedAtAlpha();
    expect(frame.paused).toBe(true);
    expect(frame.alpha).toBeCloseTo(0.37, 9);
    expect([frame.previousTick, frame.currentTick]).toEqual([40, 41]);
    for (const later of frameStamps(DISPLAY_HZ, 5, pauseMs + 5)) {
      expect(pictureOf(display.draw(later))).toEqual(pictureOf(frame));
    }
    const resumeMs = pauseMs + 7000;
    display.worker.resume(resumeMs);
    const resumed = display.draw(resumeMs);
    expect(resumed.paused).toBe(false);
    expect(resumed.alpha).toBeCloseTo(frame.alpha, 9);
    expect(resumed.moverX).toBe(frame.moverX);
    const next = display.draw(resumeMs + FRAME_MS);
    expect(next.shownVirtualMs - frame.shownVirtualMs).toBeCloseTo(FRAME_MS, 9);
  });

  test('a drawing that is catching up with the schedule is frozen, too', () => {
    const worker = new VirtualWorker({
      tickRateHz: 60,
      stepCostMs: (tick) => (tick === 30 ? 40 : 0.5),
    });
    const display = new VirtualDisplay(worker);
    display.drawAll(frameStamps(DISPLAY_HZ, 1));
    worker.pause(1001);
    const frame = display.draw(1003);
    // The delay that the late tick caused is slewed away for another second.
    expect(frame.delayMs).toBeGreaterThan(PERIOD_MS + frame.marginMs + 1);
    for (const later of display.drawAll(frameStamps(DISPLAY_HZ, 1, 1010))) {
      expect(later.shownVirtualMs).toBe(frame.shownVirtualMs);
    }
  });

  test('a frozen drawing is neither starved nor repeated, and has no animation error', () => {
    const { display, pauseMs } = pausedAtAlpha();
    display.drawAll(frameStamps(DISPLAY_HZ, 2, pauseMs + 5));
    display.worker.resume(pauseMs + 3000);
    display.drawAll(frameStamps(DISPLAY_HZ, 2, pauseMs + 3000.5));
    const { animationErrorMs, starvedFrames, repeatedFrames } = display.statistics.summary();
    expect([animationErrorMs.max, starvedFrames, repeatedFrames]).toEqual([0, 0, 0]);
  });

  test("a resume after its frame's timestamp costs that frame and nothing more", () => {
    for (const lateMs of [2, 6, 12]) {
      const { display, pauseMs, frame } = pausedAtAlpha('auto');
      const resumeMs = pauseMs + 3000;
      display.worker.resume(resumeMs);
      const first = display.draw(resumeMs - lateMs, resumeMs);
      expect(first.moverX).toBe(frame.moverX);
      const stamps = frameStamps(DISPLAY_HZ, 3, resumeMs - lateMs + 2 * FRAME_MS);
      const after = display.drawAll(stamps);
      expect(after.filter((later) => later.starved)).toHaveLength(0);
      expect(after.at(-1)?.marginMs).toBeCloseTo(marginOf(0.5), 9);
    }
  });

  test('each step of a paused simulation shows one more tick', () => {
    const { display, pauseMs, frame } = pausedAtAlpha();
    for (let step = 1; step <= 20; step++) {
      display.worker.step(1, pauseMs + step * 100);
      const stepped = display.draw(pauseMs + step * 100 + 1);
      expect(stepped.shownVirtualMs).toBeCloseTo(frame.shownVirtualMs + step * PERIOD_MS, 6);
      expect(stepped.alpha).toBeCloseTo(0.37, 6);
      expect(stepped.currentTick).toBe(41 + step);
    }
    expect(display.statistics.summary().starvedFrames).toBe(0);
  });
});

describe('a restart of the scene', () => {
  test.each([50, 60, 144])(
    'on a %d Hz display: nothing is drawn between old and new',
    (displayHz) => {
      for (const tickRateHz of [10, 60, 240]) {
        const worker = new VirtualWorker({ tickRateHz });
        const display = new VirtualDisplay(worker);
        display.drawAll(frameStamps(displayHz, 3, 3.7));
        const before = display.frames.at(-1);
        worker.restart(3001);
        const after = display.drawAll(frameStamps(displayHz, 1, 3004));
        const shown = display.frames.map((frame) => frame.shownVirtualMs);
        expect(shown).toEqual(shown.toSorted((a, b) => a - b));
        expect(before?.moverX).toBeGreaterThan(5);
        // One second of the new scene at 2 units a second; the old one was at nearly 6.
        expect(Math.max(...after.map((frame) => frame.moverX))).toBeLessThan(2.1);
        expect(after[0]?.moverX).toBeLessThan(0.1);
        const { starvedFrames, timelineResets } = display.statistics.summary();
        expect([starvedFrames, timelineResets]).toEqual([0, 0]);
      }
    },
  );
});
