/** The margin, and the frames that starve with it, for lateness of many kinds. */
import { expect, test } from 'vitest';
import type { TimelineOptions } from '../../../../src/render-main/frame/timeline.js';
import { marginOf } from '../../../fixtures/margin-of.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { VirtualDisplay, frameStamps } from '../../../fixtures/virtual-display.js';
import { VirtualWorker, type VirtualWorkerOptions } from '../../../fixtures/virtual-worker.js';
import {
  expectForwards,
  largest,
  largestErrorMs,
  meanErrorMs,
  onceForEach,
  since,
  starvedOf,
  starvedShare,
  type Frames,
} from './drawn.js';

const PERIOD_MS = 1000 / 60;
const DISPLAY_HZ = 144;
/** The delay is slewed by at most 5 % of a frame. */
const SLEW_MS = (0.05 * 1000) / DISPLAY_HZ + 0.001;
/** The window of lateness is full, and includes nothing of the start. */
const STEADY_MS = 20_000;

/** A worker on a display for some seconds: 60 Hz on 144 Hz unless something else is given. */
function play(
  seconds: number,
  worker: Partial<VirtualWorkerOptions>,
  displayHz = DISPLAY_HZ,
  options: TimelineOptions = {},
): VirtualDisplay {
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, ...worker }), options);
  display.drawAll(frameStamps(displayHz, seconds, 3.7));
  expectForwards(display.frames);
  return display;
}

const marginAt = (frames: Frames, ms: number): number =>
  since(frames, ms)[0]?.marginMs ?? Number.NaN;

const largestMarginMs = (frames: Frames): number => largest(frames, (frame) => frame.marginMs);

/** Lateness of a tick in ms, less the step of 1 ms; and a margin that is always enough for all of it. */
const kinds: Readonly<
  Record<string, readonly [of: (random: () => number, tick: number) => number, enoughMs: number]>
> = {
  'is constant': [() => 3, 4.4],
  'is up to 7 ms': [(random) => 7 * random(), 8.6],
  'has a heavy tail': [(random) => Math.min(14, 1.2 / (1 - random()) ** 0.4), 16],
  'is exponential': [(random) => 2 - Math.log(1 - random()), 10.5],
  'has a spike at every save': [
    (random, tick) => 2 + 0.3 * random() + (tick % 300 === 0 ? 12 : 0),
    16,
  ],
  'is of two kinds': [(random) => (random() < 0.3 ? 9 : 2), 10.5],
  'is long and rare': [(_, tick) => (tick % 3000 === 2000 ? 20 : 2), 16],
};

const rates = [
  [60, 144],
  [60, 60],
  [60, 59.94],
  [60, 60.05],
  [20, 60],
  [50, 144],
  [120, 60],
] as const;

/** More of a heavy tail starves if ticks wait. */
const begins = (kind: string) =>
  kind === 'has a heavy tail' ? ['when they are due'] : ['when they are due', 'for frames'];

test.each(
  Object.entries(kinds).flatMap(([name, kind]) =>
    rates.flatMap(([hz, displayHz]) =>
      begins(name).map((begin) => [name, hz, begin, displayHz, kind] as const),
    ),
  ),
)(
  'a frame in a thousand or two starves if lateness %s, with %i Hz ticks that begin %s, on a %d Hz display',
  (_name, tickRateHz, begin, displayHz, [of, enoughMs]) => {
    const followsFrames = begin === 'for frames';
    const random = seededRandom(tickRateHz + displayHz);
    const lateMs = onceForEach((tick) => of(random, tick));
    const late = followsFrames
      ? { followsFrames, stepCostMs: lateMs }
      : { stepCostMs: () => 1, wakeDelayMs: lateMs };
    const { frames: all, worker } = play(60, { tickRateHz, ...late }, displayHz);
    const frames = since(all, STEADY_MS);
    // One more for the phase of the last one.
    expect(starvedShare(frames)).toBeLessThan((followsFrames ? 0.002 : 0.001) + 1 / frames.length);
    expect(largestMarginMs(frames)).toBeLessThan(followsFrames ? Infinity : enoughMs);
    expect(meanErrorMs(frames)).toBeLessThan(followsFrames ? 0.07 : 0.02);
    expect(worker.droppedTicks).toBe(0);
  },
);

// Messages take a while, and so do queues of the page; and a clock may be behind.
test.each([0.5, 2, 6, 20])('lateness of %d ms that no worker reports is covered, too', (ms) => {
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 2 }));
  for (const fetchedMs of frameStamps(DISPLAY_HZ, 40, 3.7)) {
    display.draw(fetchedMs + ms, fetchedMs, fetchedMs + ms);
  }
  expectForwards(display.frames);
  // The margin of the start covers the others.
  expect(starvedOf(display.frames).length > 0).toBe(ms > 8);
  expect(starvedOf(since(display.frames, 2000)).length).toBeLessThan(12);
  const steady = since(display.frames, STEADY_MS);
  expect(starvedShare(steady)).toBeLessThan(0.0015);
  expect(largestMarginMs(steady)).toBeLessThan(2 + ms + 2.5);
  expect(largestMarginMs(steady)).toBeGreaterThan(ms - 1);
});

/** Tick 60, due after one second, takes this many periods. */
const oneLateTick = (periods: number): VirtualDisplay =>
  play(4, { stepCostMs: (tick) => (tick === 60 ? periods * PERIOD_MS : 1) });

test.each([0.8, 1, 1.5, 2])('a freeze by a tick %d periods late becomes delay', (periods) => {
  const { frames, statistics } = oneLateTick(periods);
  for (const frame of starvedOf(frames)) {
    expect([frame.currentTick, frame.alpha]).toEqual([59, 1]);
    expect(frame.shownVirtualMs).toBe(frame.currentVirtualMs);
  }
  const last = frames.findLastIndex((frame) => frame.starved);
  const [held, resumed] = frames.slice(last, last + 2).map((frame) => frame.shownVirtualMs);
  expect((resumed ?? 0) - (held ?? 0)).toBeGreaterThan(5);
  expect((resumed ?? 0) - (held ?? 0)).toBeLessThan(8);
  expect(largestErrorMs(frames.slice(last + 1))).toBeLessThan(SLEW_MS);
  expect(statistics.summary().timelineResets).toBe(0);
});

test.each([3, 4, 5, 60])(
  'a tick that is %i periods late freezes the drawing, which then jumps once over the lost history',
  (periods) => {
    const { frames, statistics } = oneLateTick(periods);
    const { starvedFrames, repeatedFrames, timelineResets } = statistics.summary();
    expect(timelineResets).toBe(1);
    // All frozen frames but the first, and but the jump, show what the one before showed.
    const starved = starvedOf(frames);
    expect(starvedFrames).toBeGreaterThan((periods - 2) * 2);
    expect(repeatedFrames).toBe(starved.slice(1).filter((frame) => !frame.reset).length);
    const jumpMs = frames.find((frame) => frame.reset)?.frameMs ?? Number.NaN;
    // The last of the ticks that were caught up is a little late, too.
    const after = since(frames, jumpMs + PERIOD_MS);
    expect(after.length).toBeGreaterThan(DISPLAY_HZ);
    if (periods > 5) return;
    expect(largestErrorMs(after)).toBeLessThan(SLEW_MS);
    expect(starvedOf(after)).toHaveLength(0);
  },
);

test('the margin of an early hitch is gone when its part of the window is', () => {
  const { frames } = play(12, { stepCostMs: (tick) => (tick === 40 ? 24 : 3.1) });
  expect(marginAt(frames, 700)).toBeGreaterThan(20);
  // Counted between half a second and one second.
  expect(marginAt(frames, 1900)).toBeGreaterThan(15);
  expect(marginAt(frames, 2200)).toBeCloseTo(marginOf(3.1), 9);
  expect(largestErrorMs(since(frames, 700))).toBeLessThan(SLEW_MS);
  expect(largestErrorMs(since(frames, 11_000))).toBeLessThan(0.01);
});

test('a fixed margin stays as it is, whatever the lateness', () => {
  const worker = { stepCostMs: (tick: number) => (tick === 60 ? 30 : 1) };
  const { frames } = play(10, worker, DISPLAY_HZ, { marginMs: 3 });
  expect(new Set(frames.map((frame) => frame.marginMs))).toEqual(new Set([3]));
  expect(starvedOf(frames).length).toBeGreaterThan(0);
  expect(frames.at(-1)?.delayMs).toBeCloseTo(PERIOD_MS + 3, 6);
});

test('overload from the first tick on is starvation, and not a start that never ends', () => {
  const { frames } = play(5, { maxCatchUpTicks: 1, stepCostMs: () => 4 * PERIOD_MS });
  expect(since(frames, 500).every((frame) => frame.following)).toBe(true);
  expect(starvedOf(frames).length).toBeGreaterThan(100);
});

test.each([50, 300, 2000])('a page that stalls for %i ms continues on schedule', (stallMs) => {
  const display = play(8, { stepCostMs: () => 2.1 });
  const after = display.drawAll(frameStamps(DISPLAY_HZ, 2, 8000 + stallMs));
  expectForwards(display.frames);
  expect(display.statistics.summary().timelineResets).toBe(0);
  expect(starvedOf(after)).toHaveLength(0);
  for (const frame of after) {
    expect(frame.frameMs - frame.shownVirtualMs).toBeCloseTo(PERIOD_MS + marginOf(2.1), 6);
  }
});

/**
 * Frames for 20 s with callbacks this long after their timestamps, and one tick so late that the margin grows to almost
 * all that the history has room for.
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

test.each([0, 5, 15])('the history reaches back far enough for callbacks %d ms late', (lateMs) => {
  const { timelineResets, animationErrorMs } = drawLate(() => lateMs).statistics.summary();
  expect(timelineResets).toBe(0);
  // Errors of the late tick, and of the shrinking margin.
  expect(animationErrorMs.mean).toBeLessThan(0.025);
});

test('a callback that is late by a second costs margin only for a short time', () => {
  const display = drawLate((frame) => (frame === 1000 ? 1000 : 1));
  expect(display.statistics.summary().timelineResets).toBeLessThan(2);
  expect(display.frames.at(-1)?.starved).toBe(false);
  expect(display.frames[1000]?.marginMs).toBeGreaterThan(PERIOD_MS - 2);
});

test('noisy timestamps never move the drawing backwards, and are not mistaken for lateness', () => {
  const random = seededRandom(3);
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 2.1 }));
  for (const frameMs of frameStamps(DISPLAY_HZ, 10, 10)) {
    // The callback runs on time; only its timestamp is wrong.
    display.draw(frameMs + 4 * (random() - 0.5), frameMs + 2.1);
  }
  expectForwards(display.frames);
  const { starvedFrames, timelineResets } = display.statistics.summary();
  expect([starvedFrames, timelineResets]).toEqual([0, 0]);
  expect(display.frames.at(-1)?.marginMs).toBeCloseTo(marginOf(2.1), 9);
});
