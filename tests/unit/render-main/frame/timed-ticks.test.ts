/** Ticks that wait for the frame that shows them first, on a scripted clock. */
import { describe, expect, test } from 'vitest';
import { CONTROL } from '../../../../src/shared/memory/layout.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { VirtualDisplay, frameStamps, type DrawnFrame } from '../../../fixtures/virtual-display.js';
import { VirtualWorker } from '../../../fixtures/virtual-worker.js';

const SECONDS = 60;
/** The window of lateness is full, and includes nothing of the start. */
const STEADY_MS = 20_000;

interface Lateness {
  /** Of a tick after its beginning, in ms. */
  readonly of: (random: () => number, tick: number) => number;
}

const KINDS: Readonly<Record<string, Lateness>> = {
  constant: { of: () => 3 },
  'up to 7 ms': { of: (random) => 7 * random() },
  exponential: { of: (random) => 2 - Math.log(1 - random()) },
  'a spike at every save': {
    of: (random, tick) => 2 + 0.3 * random() + (tick % 300 === 0 ? 9 : 0),
  },
  'rare and long': { of: (_, tick) => (tick % 3000 === 2000 ? 20 : 2) },
};

interface Played {
  readonly frames: readonly DrawnFrame[];
  /** When each tick began. */
  readonly beganMs: ReadonlyMap<number, number>;
  readonly worker: VirtualWorker;
  readonly display: VirtualDisplay;
}

function play(
  { of }: Lateness,
  tickRateHz: number,
  stamps: readonly number[],
  followsFrames = true,
): Played {
  const random = seededRandom(tickRateHz);
  const known = new Map<number, number>();
  const beganMs = new Map<number, number>();
  const worker: VirtualWorker = new VirtualWorker({
    tickRateHz,
    followsFrames,
    stepCostMs(tick) {
      const ms = known.get(tick) ?? of(random, tick);
      known.set(tick, ms);
      beganMs.set(tick, worker.nowMs);
      return ms;
    },
  });
  const display = new VirtualDisplay(worker);
  display.drawAll(stamps);
  const frames = display.frames.filter((frame) => frame.frameMs >= STEADY_MS);
  return { frames, beganMs, worker, display };
}

const starvedShare = (frames: readonly DrawnFrame[]): number =>
  frames.filter((frame) => frame.starved).length / frames.length;

const meanErrorMs = (frames: readonly DrawnFrame[]): number =>
  frames.reduce((sum, frame) => sum + Math.abs(frame.animationErrorMs), 0) / frames.length;

/** Mean time from the beginning of a tick, which takes the newest inputs, to the first frame that shows it. */
function beginToFrameMs({ frames, beganMs }: Played): number {
  const times: number[] = [];
  let shown = frames[0]?.currentTick ?? 0;
  for (const { currentTick, frameMs } of frames) {
    for (shown += 1; shown <= currentTick; shown++) {
      times.push(frameMs - (beganMs.get(shown) ?? Number.NaN));
    }
    shown = currentTick;
  }
  return times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

const RATES = [
  [60, 144],
  [60, 60],
  [60, 59.94],
  [60, 60.05],
  [20, 60],
  [30, 120],
  [50, 144],
  [120, 60],
] as const;

describe.each(Object.entries(KINDS))('lateness: %s', (_name, kind) => {
  test.each(RATES)(
    '%i Hz ticks on a %d Hz display: about a frame in a thousand starves',
    (hz, displayHz) => {
      const { frames, worker } = play(kind, hz, frameStamps(displayHz, SECONDS, 3.7));
      // One more for the phase of the last one.
      expect(starvedShare(frames)).toBeLessThan(0.002 + 1 / frames.length);
      expect(meanErrorMs(frames)).toBeLessThan(0.07);
      expect(worker.droppedTicks).toBe(0);
      const shown = frames.map((frame) => frame.shownVirtualMs);
      expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    },
  );
});

describe('the time from the beginning of a tick to the first frame that shows it', () => {
  const display = { constant: 3, 'up to 7 ms': 7 } as const;
  test.each(
    Object.entries(display).flatMap(([name, ms]) =>
      [60, 59.94, 60.05, 120, 144].map((displayHz) => [name, displayHz, ms] as const),
    ),
  )('is the lateness %s, and not up to a frame more, on a %d Hz display', (name, displayHz, ms) => {
    const kind = KINDS[name] as Lateness;
    const [timed, plain] = [true, false].map((isTimed) =>
      // A bad phase for ticks that do not wait: frames are a little too early for them.
      play(kind, 60, frameStamps(displayHz, SECONDS, ms - 0.6), isTimed),
    );
    // A frame counts ticks as needed that almost are, and those do not wait.
    const frameMs = 1000 / displayHz;
    expect(beginToFrameMs(timed as Played)).toBeLessThan(ms + 2.2);
    expect(beginToFrameMs(plain as Played)).toBeGreaterThan(ms + 0.4 * frameMs);
  });
});

const beginsWhenDue = ({ beganMs, worker }: Played): boolean =>
  [...beganMs].every(([tick, ms]) => Math.abs(ms - worker.schedule.dueMs(tick)) < 0.01);

describe('ticks do not wait', () => {
  test('negative control: on a display with a rhythm they do', () => {
    expect(beginsWhenDue(play({ of: () => 3 }, 60, frameStamps(60, SECONDS, 9)))).toBe(false);
  });

  test('on a display without a rhythm', () => {
    const random = seededRandom(1);
    let ms = 0;
    const stamps = Array.from({ length: 3000 }, () => (ms += 8 + 12 * random()));
    expect(beginsWhenDue(play({ of: () => 3 }, 60, stamps))).toBe(true);
  });

  test('while paused, nor when stepped by hand', () => {
    const { worker, display, beganMs } = play({ of: () => 3 }, 60, frameStamps(60, 5, 9));
    worker.pause(5020);
    // The tick that was waiting.
    worker.advanceTo(5025);
    const { lastTick } = worker.pacer;
    worker.step(1, 5026);
    worker.advanceTo(5030);
    expect(worker.pacer.lastTick).toBe(lastTick + 1);
    expect(beganMs.get(lastTick + 1)).toBe(5026);
    display.draw(5040);
    worker.resume(6000);
    display.drawAll(frameStamps(60, 1, 6001));
    expect(worker.droppedTicks).toBe(0);
  });

  test('in the other modes', () => {
    const worker: VirtualWorker = new VirtualWorker({ tickRateHz: 60, followsFrames: true });
    const display = new VirtualDisplay(worker, { mode: 'extrapolate' });
    display.drawAll(frameStamps(60, 5, 9));
    expect(Atomics.load(worker.views.control, CONTROL.framePeriodUs)).toBe(0);
  });
});

describe('frames that the page misses', () => {
  test('leave the ticks timed', () => {
    const random = seededRandom(3);
    const stamps = frameStamps(60, SECONDS, 9).filter(() => random() > 0.2);
    const { frames, worker } = play({ of: () => 3 }, 60, stamps);
    expect(starvedShare(frames)).toBe(0);
    expect(Atomics.load(worker.views.control, CONTROL.framePeriodUs)).toBeCloseTo(16_667, -1);
  });

  test('may be many: the first one after them has a new place', () => {
    const stamps = [...frameStamps(60, 5, 9), ...frameStamps(60, 60, 40_000.7)];
    const { frames, worker } = play({ of: () => 3 }, 60, stamps);
    expect(starvedShare(frames.slice(60))).toBe(0);
    expect(Atomics.load(worker.views.control, CONTROL.framePeriodUs)).toBeCloseTo(16_667, -1);
  });
});

test('stamps in whole milliseconds have a rhythm, too', () => {
  const stamps = frameStamps(60, SECONDS, 9).map(Math.floor);
  const { frames, worker } = play({ of: () => 3 }, 60, stamps);
  expect(Atomics.load(worker.views.control, CONTROL.framePeriodUs) / 1000).toBeCloseTo(16.67, 1);
  expect(starvedShare(frames)).toBeLessThan(0.0015);
});
