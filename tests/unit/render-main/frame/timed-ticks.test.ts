/** Ticks that wait for the frame that shows them first. */
import { expect, test } from 'vitest';
import { CONTROL } from '../../../../src/shared/memory/layout.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { VirtualDisplay, frameStamps } from '../../../fixtures/virtual-display.js';
import { VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { expectForwards, onceForEach, since, starvedOf, type Frames } from './drawn.js';

/** The window of lateness is full, and includes nothing of the start. */
const STEADY_MS = 20_000;

/** Lateness of a tick after its beginning, in ms. */
type Lateness = (random: () => number, tick: number) => number;

const constant: Lateness = () => 3;
const upTo7Ms: Lateness = (random) => 7 * random();

function play(of: Lateness, tickRateHz: number, stamps: readonly number[], followsFrames = true) {
  const random = seededRandom(tickRateHz);
  const cost = onceForEach((tick) => of(random, tick));
  /** When each tick began. */
  const beganMs = new Map<number, number>();
  const worker: VirtualWorker = new VirtualWorker({
    tickRateHz,
    followsFrames,
    stepCostMs(tick) {
      beganMs.set(tick, worker.nowMs);
      return cost(tick);
    },
  });
  const display = new VirtualDisplay(worker);
  display.drawAll(stamps);
  expectForwards(display.frames);
  return { frames: since(display.frames, STEADY_MS), beganMs, worker, display };
}

type Played = ReturnType<typeof play>;

const sharedPeriodUs = (worker: VirtualWorker): number =>
  Atomics.load(worker.views.control, CONTROL.framePeriodUs);

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

test.each(
  ([59.94, 60, 60.05, 120, 144] as const).flatMap((displayHz) => [
    [displayHz, 3, constant] as const,
    [displayHz, 7, upTo7Ms] as const,
  ]),
)(
  'on a %d Hz display, a tick begins its lateness of %i ms before the first frame that shows it, not up to a frame earlier',
  (displayHz, ms, of) => {
    // A bad phase for ticks that do not wait: frames are a little too early for them.
    const stamps = frameStamps(displayHz, 40, ms - 0.6);
    // A frame counts ticks as needed that almost are, and those do not wait.
    expect(beginToFrameMs(play(of, 60, stamps))).toBeLessThan(ms + 2.2);
    const plainMs = beginToFrameMs(play(of, 60, stamps, false));
    expect(plainMs).toBeGreaterThan(ms + (0.4 * 1000) / displayHz);
  },
);

const margins = (frames: Frames): number[] => frames.map((frame) => frame.marginMs);

const beginsWhenDue = ({ beganMs, worker }: Played): boolean =>
  [...beganMs].every(([tick, ms]) => Math.abs(ms - worker.schedule.dueMs(tick)) < 0.01);

test('ticks wait on a display with a rhythm, and begin when they are due on one without', () => {
  expect(beginsWhenDue(play(constant, 60, frameStamps(60, 30, 9)))).toBe(false);
  const random = seededRandom(1);
  let ms = 0;
  const stamps = Array.from({ length: 3000 }, () => (ms += 8 + 12 * random()));
  const played = play(constant, 60, stamps);
  expect(beginsWhenDue(played)).toBe(true);
  // And the margin is what it is where ticks never wait.
  expect(margins(played.frames)).toEqual(margins(play(constant, 60, stamps, false).frames));
});

test('a paused simulation waits for no frame, and neither does a step by hand', () => {
  const { worker, display, beganMs } = play(constant, 60, frameStamps(60, 5, 9));
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

test.each(['extrapolate', 'none'] as const)('ticks wait for no frame in mode "%s"', (mode) => {
  const worker = new VirtualWorker({ tickRateHz: 60, followsFrames: true });
  new VirtualDisplay(worker, { mode }).drawAll(frameStamps(60, 5, 9));
  expect(sharedPeriodUs(worker)).toBe(0);
});

test('ticks wait for frames at their new place after the page missed many', () => {
  const stamps = [...frameStamps(60, 5, 9), ...frameStamps(60, 30, 40_000.7)];
  const { frames, worker } = play(constant, 60, stamps);
  expect(starvedOf(frames.slice(60))).toHaveLength(0);
  expect(sharedPeriodUs(worker)).toBeCloseTo(16_667, -1);
});
