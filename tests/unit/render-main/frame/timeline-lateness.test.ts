import { describe, expect, test } from 'vitest';
import { marginOf } from '../../../fixtures/margin-of.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import { VirtualWorker, type VirtualWorkerOptions } from '../../../fixtures/virtual-worker.js';

const PERIOD_MS = 1000 / 60;
const DISPLAY_HZ = 144;
/** The delay is slewed by at most 5 % of a frame. */
const SLEW_MS = (0.05 * 1000) / DISPLAY_HZ + 0.001;

/** A 60 Hz worker on a 144 Hz display for some seconds. */
function play(seconds: number, options: Partial<VirtualWorkerOptions>): VirtualDisplay {
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, ...options }));
  display.drawAll(frameStamps(DISPLAY_HZ, seconds, 3.7));
  return display;
}

/** Tick 60, due after one second, takes this many periods. */
const oneLateTick = (periods: number, seconds = 4): VirtualDisplay =>
  play(seconds, { stepCostMs: (tick) => (tick === 60 ? periods * PERIOD_MS : 1) });

const since = (frames: readonly DrawnFrame[], fromMs: number): readonly DrawnFrame[] =>
  frames.filter((frame) => frame.frameMs >= fromMs);

const largestErrorMs = (frames: readonly DrawnFrame[]): number =>
  Math.max(...frames.map((frame) => Math.abs(frame.animationErrorMs)));

const starvedOf = (frames: readonly DrawnFrame[]): readonly DrawnFrame[] =>
  frames.filter((frame) => frame.starved);

function expectForwards(frames: readonly DrawnFrame[]): void {
  const shown = frames.map((frame) => frame.shownVirtualMs);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
}

describe('a publication that is late', () => {
  test.each([0, 0.2, 0.4])('by %d periods, within the margin, is invisible', (periods) => {
    const display = new VirtualDisplay(
      new VirtualWorker({
        tickRateHz: 60,
        stepCostMs: (tick) => (tick === 600 ? periods * PERIOD_MS : 6.5),
      }),
    );
    const stamps = frameStamps(DISPLAY_HZ, 14, 3.7);
    display.drawAll(stamps.slice(0, 8 * DISPLAY_HZ));
    display.statistics.reset();
    display.drawAll(stamps.slice(8 * DISPLAY_HZ));
    const { animationErrorMs, starvedFrames, repeatedFrames } = display.statistics.summary();
    expect([animationErrorMs.max, starvedFrames, repeatedFrames]).toEqual([0, 0, 0]);
  });

  test.each([0.8, 1, 1.5, 2])(
    'by %d periods freezes the drawing, and the freeze becomes delay',
    (periods) => {
      const { frames, statistics } = oneLateTick(periods);
      expectForwards(frames);
      const starved = starvedOf(frames);
      for (const frame of starved) {
        expect([frame.currentTick, frame.alpha]).toEqual([59, 1]);
        expect(frame.shownVirtualMs).toBe(frame.currentVirtualMs);
      }
      const last = frames.findLastIndex((frame) => frame.starved);
      const resumed = frames[last + 1];
      const heldVirtualMs = frames[last]?.shownVirtualMs ?? Number.NaN;
      expect((resumed?.shownVirtualMs ?? 0) - heldVirtualMs).toBeGreaterThan(5);
      expect((resumed?.shownVirtualMs ?? 0) - heldVirtualMs).toBeLessThan(8);
      expect(largestErrorMs(frames.slice(last + 1))).toBeLessThan(SLEW_MS);
      expect(statistics.summary().timelineResets).toBe(0);
    },
  );

  test.each([3, 4, 5])(
    'by %i periods freezes the drawing, which then jumps once, counted, over the lost history',
    (periods) => {
      const { frames, statistics } = oneLateTick(periods);
      expectForwards(frames);
      expect(statistics.summary().timelineResets).toBe(1);
      const jumpMs = frames.find((frame) => frame.reset)?.frameMs ?? Number.NaN;
      // The last of the ticks that were caught up is a little late, too.
      const after = since(frames, jumpMs + PERIOD_MS);
      expect(largestErrorMs(after)).toBeLessThan(SLEW_MS);
      expect(starvedOf(after)).toHaveLength(0);
    },
  );

  test('by a whole second freezes the drawing, and counts as one jump, not one per frame', () => {
    const { frames, statistics } = oneLateTick(60);
    expectForwards(frames);
    const { starvedFrames, repeatedFrames, timelineResets } = statistics.summary();
    expect(starvedFrames).toBeGreaterThan(0.9 * DISPLAY_HZ);
    // All frozen frames but the first, and but the jump, show what the one before showed.
    const [first] = starvedOf(frames);
    const frozen = starvedOf(frames).filter((frame) => !frame.reset && frame !== first);
    expect(repeatedFrames).toBe(frozen.length);
    expect(timelineResets).toBe(1);
  });

  test('again and again, by up to 20 ms, starves frames only until the margin has adapted', () => {
    const random = seededRandom(1);
    const lateness = Array.from({ length: 700 }, () => 20 * random());
    const { frames } = play(10, { wakeDelayMs: (tick) => lateness[tick] ?? 0 });
    expectForwards(frames);
    expect(starvedOf(frames).length).toBeGreaterThan(0);
    // The margin shrinks until a tick is nearly as late as the latest: that one starves a frame.
    expect(starvedOf(since(frames, 2000)).length).toBeLessThan(4);
    expect(largestErrorMs(since(frames, 2000))).toBeLessThan(1.5);
  });

  test('by jitter causes no animation error once the margin has settled', () => {
    const random = seededRandom(2);
    const lateness = Array.from({ length: 2000 }, () => 7 * random());
    const { frames } = play(30, { wakeDelayMs: (tick) => lateness[tick] ?? 0 });
    expect(starvedOf(frames)).toHaveLength(0);
    expect(largestErrorMs(since(frames, 1000))).toBeLessThan(0.02);
    expect(largestErrorMs(since(frames, 8000))).toBe(0);
  });
});

describe('the margin', () => {
  test('is half a period until the lateness is known, and soon as short as that allows', () => {
    const { frames } = play(12, { stepCostMs: () => 3.1 });
    const at = (ms: number): DrawnFrame | undefined => since(frames, ms)[0];
    expect(at(900)?.marginMs).toBe(8);
    const marginMs = at(1100)?.marginMs ?? Number.NaN;
    expect(marginMs).toBeCloseTo(marginOf(3.1), 9);
    expect(at(3000)?.delayMs).toBeLessThan(PERIOD_MS + marginMs + 1);
    expect(frames.at(-1)?.delayMs).toBeCloseTo(PERIOD_MS + marginMs, 9);
    expect(starvedOf(frames)).toHaveLength(0);
    expect(largestErrorMs(frames)).toBeLessThan(0.08);
    expect(largestErrorMs(since(frames, 8000))).toBe(0);
  });

  test('of an early hitch is gone when its part of the window is', () => {
    const { frames } = play(12, { stepCostMs: (tick) => (tick === 40 ? 24 : 3.1) });
    const marginAt = (ms: number): number => since(frames, ms)[0]?.marginMs ?? Number.NaN;
    expect(marginAt(700)).toBeGreaterThan(20);
    // Counted between half a second and one second.
    expect(marginAt(1900)).toBeGreaterThan(15);
    expect(marginAt(2200)).toBeCloseTo(marginOf(3.1), 9);
    expectForwards(frames);
    expect(largestErrorMs(since(frames, 700))).toBeLessThan(SLEW_MS);
    expect(largestErrorMs(since(frames, 11_000))).toBeLessThan(0.01);
  });

  test('ignores a hitch that no margin would cover', () => {
    const { frames } = play(12, {
      tickRateHz: 10,
      stepCostMs: (tick) => (tick === 60 ? 240 : 1.1),
    });
    expect(starvedOf(frames).length).toBeGreaterThan(10);
    const marginAt = (ms: number): number => since(frames, ms)[0]?.marginMs ?? Number.NaN;
    expect(marginAt(5900)).toBeCloseTo(marginOf(1.1), 0);
    expect(Math.max(...since(frames, 6000).map((frame) => frame.marginMs))).toBeLessThan(60);
  });

  test('also grows when frames starve: lateness that no worker reports', () => {
    const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 1 }));
    // The worker's clock is 20 ms behind: its ticks are on time by its own clock, and late by the
    // frames' timestamps.
    for (const frameMs of frameStamps(DISPLAY_HZ, 10, 3.7)) display.draw(frameMs + 20, frameMs);
    expectForwards(display.frames);
    expect(starvedOf(display.frames).length).toBeGreaterThan(0);
    expect(display.frames.at(-1)?.marginMs).toBeGreaterThan(19);
    // Otherwise each starved frame would be slewed back until the next one starves.
    expect(starvedOf(since(display.frames, 2000)).length).toBeLessThan(8);
  });

  test('never grows beyond the history', () => {
    const { frames } = play(5, { wakeDelayMs: () => 50 });
    expect(Math.max(...frames.map((frame) => frame.marginMs))).toBeCloseTo(2 * PERIOD_MS, 9);
  });

  test('that is fixed stays as it is', () => {
    const worker = new VirtualWorker({
      tickRateHz: 60,
      stepCostMs: (tick) => (tick === 60 ? 30 : 1),
    });
    const display = new VirtualDisplay(worker, { marginMs: 3 });
    const frames = display.drawAll(frameStamps(DISPLAY_HZ, 10, 3.7));
    expect(new Set(frames.map((frame) => frame.marginMs))).toEqual(new Set([3]));
    expect(starvedOf(frames).length).toBeGreaterThan(0);
    expect(frames.at(-1)?.delayMs).toBeCloseTo(PERIOD_MS + 3, 6);
  });
});

describe('overload', () => {
  test('a step of 1.3 periods: forwards, alpha in [0, 1], dropped and starved are counted', () => {
    const display = play(10, { stepCostMs: () => 1.3 * PERIOD_MS });
    const { frames, worker } = display;
    expectForwards(frames);
    expect(frames.every(({ alpha }) => alpha >= 0 && alpha <= 1)).toBe(true);
    const speed = worker.ticksRun / (worker.ticksRun + worker.droppedTicks);
    expect(speed).toBeCloseTo(1 / 1.3, 1);
    expect(display.statistics.summary().starvedFrames).toBeGreaterThan(0);
  });

  test('from the first tick on is starvation, too, and not a start that never ends', () => {
    const display = play(5, {
      maxCatchUpTicks: 1,
      stepCostMs: () => 4 * PERIOD_MS,
    });
    const { frames } = display;
    expect(since(frames, 500).every((frame) => frame.following)).toBe(true);
    expect(starvedOf(frames).length).toBeGreaterThan(100);
  });

  test('leaves no trace some time after it has ended', () => {
    const { frames } = play(30, {
      stepCostMs: (tick) => (tick > 60 && tick < 180 ? 1.5 * PERIOD_MS : 1),
    });
    expectForwards(frames);
    expect(starvedOf(since(frames, 6000))).toHaveLength(0);
    expect(largestErrorMs(since(frames, 25_000))).toBeLessThan(0.01);
  });
});

describe('a gap of the worker', () => {
  test('freezes the drawing, and is never fast-forwarded', () => {
    const display = play(6, { wakeDelayMs: (tick) => (tick === 60 ? 1500 : 0) });
    const { frames, worker } = display;
    expectForwards(frames);
    expect(worker.gapMs).toBeCloseTo(1500, 6);
    expect(worker.droppedTicks).toBe(0);
    const { maxStepMs, shownMs } = progressOf(frames);
    expect(maxStepMs).toBeLessThan(8);
    // 6 s minus the gap, and minus the delay of the start.
    expect(shownMs).toBeGreaterThan(4400);
    expect(shownMs).toBeLessThan(4500);
  });
});

describe('a page that stalls', () => {
  test.each([50, 300, 2000])('for %i ms continues on schedule, without a reset', (stallMs) => {
    const worker = new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 2.1 });
    const display = new VirtualDisplay(worker);
    display.drawAll(frameStamps(DISPLAY_HZ, 8, 3.7));
    const after = display.drawAll(frameStamps(DISPLAY_HZ, 2, 8000 + stallMs));
    expectForwards(display.frames);
    expect(display.statistics.summary().timelineResets).toBe(0);
    expect(starvedOf(after)).toHaveLength(0);
    for (const frame of after) {
      expect(frame.frameMs - frame.shownVirtualMs).toBeCloseTo(PERIOD_MS + marginOf(2.1), 6);
    }
  });
});

/**
 * Frames for 20 s with callbacks this long after their timestamps, and one tick so late that the
 * margin grows to almost all that the history has room for.
 */
function drawLate(lateMs: (frame: number) => number): VirtualDisplay {
  const worker = new VirtualWorker({
    tickRateHz: 60,
    stepCostMs: (tick) => (tick === 300 ? 1.96 * PERIOD_MS : 1),
  });
  const display = new VirtualDisplay(worker);
  for (const [frame, frameMs] of frameStamps(DISPLAY_HZ, 20, 3.7).entries()) {
    display.draw(frameMs, frameMs + lateMs(frame));
  }
  expectForwards(display.frames);
  return display;
}

describe('callbacks that run some time after their timestamps, and one late tick', () => {
  test.each([0, 1, 5, 10, 15])('by %d ms: the history reaches back far enough', (lateMs) => {
    const { timelineResets, animationErrorMs } = drawLate(() => lateMs).statistics.summary();
    expect(timelineResets).toBe(0);
    // Of the late tick, and of the shrinking margin.
    expect(animationErrorMs.mean).toBeLessThan(0.025);
  });

  test.each([1, 5, 10, 15])('by up to %d ms: the history is almost always long enough', (maxMs) => {
    const random = seededRandom(5);
    const { timelineResets, animationErrorMs } = drawLate(
      () => maxMs * random(),
    ).statistics.summary();
    expect(timelineResets).toBeLessThan(15);
    expect(animationErrorMs.mean).toBeLessThan(0.03);
  });

  test('once by a second: the margin soon returns to its earlier size', () => {
    const display = drawLate((frame) => (frame === 1000 ? 1000 : 1));
    expect(display.statistics.summary().timelineResets).toBeLessThan(2);
    expect(display.frames.at(-1)?.starved).toBe(false);
    expect(display.frames[1000]?.marginMs).toBeGreaterThan(PERIOD_MS - 2);
  });
});

describe('noisy timestamps', () => {
  test('never move the drawing backwards, and are not mistaken for lateness', () => {
    const random = seededRandom(3);
    const display = new VirtualDisplay(
      new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 2.1 }),
    );
    for (const frameMs of frameStamps(DISPLAY_HZ, 10, 10)) {
      // The callback runs on time; only its timestamp is wrong.
      display.draw(frameMs + 4 * (random() - 0.5), frameMs + 2.1);
    }
    expectForwards(display.frames);
    const { starvedFrames, timelineResets } = display.statistics.summary();
    expect([starvedFrames, timelineResets]).toEqual([0, 0]);
    expect(display.frames.at(-1)?.marginMs).toBeCloseTo(marginOf(2.1), 9);
  });

  test('that go backwards only freeze the drawing', () => {
    const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60 }));
    display.drawAll(frameStamps(DISPLAY_HZ, 1));
    const before = display.draw(1000);
    const back = display.draw(995, 1001);
    expect(back.shownVirtualMs).toBe(before.shownVirtualMs);
    expect(display.draw(1007).shownVirtualMs).toBeGreaterThan(before.shownVirtualMs);
  });
});

/** How far the shown time advanced in total, and in one frame at most. */
function progressOf(frames: readonly DrawnFrame[]): { shownMs: number; maxStepMs: number } {
  const shown = frames.map((frame) => frame.shownVirtualMs);
  const steps = shown.slice(1).map((ms, index) => ms - (shown[index] ?? 0));
  return {
    shownMs: (shown.at(-1) ?? 0) - (shown[0] ?? 0),
    maxStepMs: Math.max(...steps),
  };
}
