/** The margin and the frames that starve with it, for lateness of many kinds, on a scripted clock. */
import { describe, expect, test } from 'vitest';
import { marginOf } from '../../../fixtures/margin-of.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import { VirtualWorker } from '../../../fixtures/virtual-worker.js';
import type { TimelineOptions } from '../../../../src/render-main/frame/timeline.js';

const SECONDS = 60;
/** The window of lateness is full, and includes nothing of the start. */
const STEADY_MS = 20_000;

interface Lateness {
  /** Of a tick, in ms, less the step of 1 ms. */
  readonly of: (random: () => number, tick: number) => number;
  /** More than this is never needed, in ms. */
  readonly enoughMs: number;
}

const KINDS: Readonly<Record<string, Lateness>> = {
  constant: { of: () => 3, enoughMs: 4.4 },
  'up to 7 ms': { of: (random) => 7 * random(), enoughMs: 8.6 },
  'a heavy tail': { of: (random) => Math.min(14, 1.2 / (1 - random()) ** 0.4), enoughMs: 16 },
  exponential: { of: (random) => 2 - Math.log(1 - random()), enoughMs: 10.5 },
  'a spike at every save': {
    of: (random, tick) => 2 + 0.3 * random() + (tick % 300 === 0 ? 12 : 0),
    enoughMs: 16,
  },
  'two kinds of ticks': { of: (random) => (random() < 0.3 ? 9 : 2), enoughMs: 10.5 },
  'rare and long': { of: (_, tick) => (tick % 3000 === 2000 ? 20 : 2), enoughMs: 16 },
};

function play(
  { of }: Pick<Lateness, 'of'>,
  tickRateHz: number,
  displayHz: number,
  options: TimelineOptions = {},
): VirtualDisplay {
  const random = seededRandom(tickRateHz + displayHz);
  const known = new Map<number, number>();
  const display = new VirtualDisplay(
    new VirtualWorker({
      tickRateHz,
      stepCostMs: () => 1,
      wakeDelayMs(tick) {
        const ms = known.get(tick) ?? of(random, tick);
        known.set(tick, ms);
        return ms;
      },
    }),
    options,
  );
  display.drawAll(frameStamps(displayHz, SECONDS, 3.7));
  return display;
}

const steady = (display: VirtualDisplay): readonly DrawnFrame[] =>
  display.frames.filter((frame) => frame.frameMs >= STEADY_MS);

const starvedShare = (frames: readonly DrawnFrame[]): number =>
  frames.filter((frame) => frame.starved).length / frames.length;

const meanErrorMs = (frames: readonly DrawnFrame[]): number =>
  frames.reduce((sum, frame) => sum + Math.abs(frame.animationErrorMs), 0) / frames.length;

const largest = (frames: readonly DrawnFrame[], of: (frame: DrawnFrame) => number): number =>
  frames.reduce((max, frame) => Math.max(max, of(frame)), 0);

const RATES = [
  [60, 144],
  [60, 60],
  [60, 59.94],
  [20, 60],
  [30, 120],
  [50, 144],
] as const;

describe.each(Object.entries(KINDS))('lateness: %s', (_name, kind) => {
  test.each(RATES)(
    '%i Hz ticks on a %d Hz display: a frame in a thousand starves',
    (hz, display) => {
      const frames = steady(play(kind, hz, display));
      // One more for the phase of the last one.
      expect(starvedShare(frames)).toBeLessThan(0.001 + 1 / frames.length);
      expect(largest(frames, (frame) => frame.marginMs)).toBeLessThan(kind.enoughMs);
      expect(meanErrorMs(frames)).toBeLessThan(0.02);
      const shown = frames.map((frame) => frame.shownVirtualMs);
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    },
  );
});

// Two periods are all that the history covers: 8.3 ms and 2 ms.
test.each([
  [240, 6],
  [1000, 1.2],
])('%i Hz ticks: what the history has room for', (hz, latestMs) => {
  const of = (random: () => number): number => (latestMs - 1 / hz) * random();
  const worker = new VirtualWorker({ tickRateHz: hz });
  const random = seededRandom(4);
  const known = new Map<number, number>();
  worker.wakeDelayMs = (tick) => {
    const ms = known.get(tick) ?? of(random);
    known.set(tick, ms);
    return ms;
  };
  const display = new VirtualDisplay(worker);
  const frames = display.drawAll(frameStamps(144, 15, 3.7)).filter((frame) => frame.frameMs > 5000);
  expect(starvedShare(frames)).toBeLessThan(0.001);
  expect(largest(frames, (frame) => frame.marginMs)).toBeLessThan(latestMs + 0.5);
});

describe('negative controls', () => {
  test.each([3, 4, 5])(
    'a margin of %i ms is too short for a lateness of up to 7 ms',
    (marginMs) => {
      const kind = KINDS['up to 7 ms'] as Lateness;
      expect(starvedShare(steady(play(kind, 60, 144, { marginMs })))).toBeGreaterThan(0.01);
    },
  );

  test('a lateness that the margin has not seen yet starves frames', () => {
    const display = play({ of: (_random, tick) => (tick < 1500 ? 1 : 10) }, 60, 144);
    const [before, after] = [24_000, 25_000].map((fromMs) =>
      display.frames.filter(({ frameMs }) => frameMs >= fromMs && frameMs < fromMs + 1000),
    );
    expect(starvedShare(before ?? [])).toBe(0);
    expect(starvedShare(after ?? [])).toBeGreaterThan(0.001);
    expect(starvedShare(display.frames.filter(({ frameMs }) => frameMs > 27_000))).toBe(0);
  });
});

describe('the phase of frames and ticks', () => {
  // With frames just before ticks are needed, each tick that is later than the margin starves one.
  test.each([0, 2, 5, 9, 13])('that stays at %d ms on a 60 Hz display', (phaseMs) => {
    const random = seededRandom(phaseMs);
    const lateness = Array.from({ length: 4000 }, () => 7 * random());
    const worker = new VirtualWorker({
      tickRateHz: 60,
      wakeDelayMs: (tick) => lateness[tick] ?? 0,
    });
    const display = new VirtualDisplay(worker);
    const frames = display.drawAll(frameStamps(60, SECONDS, phaseMs));
    expect(starvedShare(frames.slice(20 * 60))).toBeLessThan(0.0015);
  });
});

describe('lateness that no worker reports', () => {
  // Messages take a while, and so do queues of the page.
  test.each([0.5, 2, 6])('of %d ms is covered, too', (messageMs) => {
    const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 2 }));
    for (const frameMs of frameStamps(144, SECONDS, 3.7)) {
      display.draw(frameMs, frameMs - messageMs);
    }
    const frames = steady(display);
    expect(starvedShare(frames)).toBeLessThan(0.0015);
    expect(largest(frames, (frame) => frame.marginMs)).toBeLessThan(2 + messageMs + 2.5);
  });
});

const marginsAround = (change: (display: VirtualDisplay) => number): readonly number[] => {
  const display = new VirtualDisplay(new VirtualWorker({ tickRateHz: 60, stepCostMs: () => 4.1 }));
  display.drawAll(frameStamps(144, 30, 3.7));
  const before = display.frames.at(-1)?.marginMs ?? Number.NaN;
  const fromMs = change(display);
  const after = display.drawAll(frameStamps(144, 3, fromMs));
  // A longer period needs a longer delay, into which the drawing is slewed.
  expect(starvedShare(after.slice(-144))).toBe(0);
  return [before, after.at(-1)?.marginMs ?? Number.NaN];
};

describe('an interruption leaves the margin as it is:', () => {
  const cases: Readonly<Record<string, (display: VirtualDisplay) => number>> = {
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
  test.each(Object.entries(cases))('%s', (_name, change) => {
    const [before = Number.NaN, after] = marginsAround(change);
    expect(before).toBeCloseTo(marginOf(4.1), 9);
    expect(after).toBe(before);
  });
});
