/** Frames whose time stamps lie ahead of the moment at which they are drawn, as in headsets. */
import { expect, test } from 'vitest';
import type { TimelineOptions } from '../../../../src/render-main/frame/timeline.js';
import { expectAtMost, expectClose } from '../../../fixtures/quick-checks.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { VirtualDisplay, frameStamps } from '../../../fixtures/virtual-display.js';
import { VirtualWorker } from '../../../fixtures/virtual-worker.js';
import { expectForwards, largestErrorMs, onceForEach, since, starvedOf } from './drawn.js';

const SETTLED_MS = 5000;

/** A worker whose ticks take up to 5 ms, and its display. */
function start(options?: TimelineOptions): VirtualDisplay {
  const random = seededRandom(5);
  const stepCostMs = onceForEach(() => 2 + 3 * random());
  const worker = new VirtualWorker({ tickRateHz: 60, followsFrames: true, stepCostMs });
  return new VirtualDisplay(worker, options);
}

/**
 * @param leadMs How far time stamps lie ahead of the moments in the list.
 * @param lateMs How late the page is at most for each.
 */
function draw(
  display: VirtualDisplay,
  momentsMs: readonly number[],
  leadMs: number,
  lateMs = 1.5,
): void {
  const random = seededRandom(9);
  for (const ms of momentsMs) display.draw(ms + leadMs, ms + lateMs * random());
}

test.each([
  [72, 40],
  [90, 25],
  [120, 10],
] as const)('a headset of %i Hz, %i ms ahead, shows what a window would', (displayHz, leadMs) => {
  const [ahead, plain] = [start(), start()];
  draw(ahead, frameStamps(displayHz, 12, 3.7), leadMs);
  draw(plain, frameStamps(displayHz, 12, 3.7), 0);
  expect(starvedOf(ahead.frames)).toHaveLength(0);
  expectForwards(ahead.frames);
  expect(largestErrorMs(since(ahead.frames, SETTLED_MS))).toBeLessThan(0.1);
  for (const [index, { frameMs, marginMs, shownVirtualMs }] of ahead.frames.entries()) {
    const other = plain.frames[index];
    if (frameMs < SETTLED_MS || other === undefined) continue;
    expectClose(marginMs, other.marginMs, 1);
    expectAtMost(Math.abs(shownVirtualMs - other.shownVirtualMs), 0.1);
  }
});

/** A window, a headset, and the window again. */
function changeDisplays(leadMs: number): VirtualDisplay {
  const display = start();
  draw(display, frameStamps(60, 8, 3.7), 0);
  draw(display, frameStamps(90, 8, 8300), leadMs);
  draw(display, frameStamps(60, 14, 16_600), 0);
  return display;
}

test('no frame starves by a headset that is put on and taken off, and the delay is what it was', () => {
  const [ahead, plain] = [changeDisplays(25), changeDisplays(0)];
  // Ticks wait for frames of the display before: the first frame of another one may be too early.
  expect(starvedOf(ahead.frames)).toHaveLength(starvedOf(plain.frames).length);
  expectForwards(ahead.frames);
  expect(ahead.frames.some(({ reset }) => reset)).toBe(false);
  expectClose(ahead.frames.at(-1)?.delayMs ?? 0, plain.frames.at(-1)?.delayMs ?? 0, 1);
});

test('on a page that is late, the history limits a long margin as it does in a window', () => {
  const [ahead, plain] = [start({ marginMs: 1000 }), start({ marginMs: 1000 })];
  draw(ahead, frameStamps(90, 2, 3.7), 40, 10);
  draw(plain, frameStamps(90, 2, 3.7), 0, 10);
  expect(ahead.frames.at(-1)?.marginMs).toBeCloseTo(plain.frames.at(-1)?.marginMs ?? 0, 0);
});

test('extrapolation shows the time of the stamp, also when it lies ahead', () => {
  const display = start({ mode: 'extrapolate' });
  draw(display, frameStamps(90, 8, 3.7), 25);
  const settled = since(display.frames, SETTLED_MS);
  for (const { shownVirtualMs, frameMs } of settled) expectClose(shownVirtualMs, frameMs, 6);
  expect(starvedOf(settled)).toHaveLength(0);
});

test('time stamps of another clock are no lead', () => {
  const display = start();
  draw(display, frameStamps(60, 1, 3.7), 0);
  draw(display, [1000], 900);
  expect(display.timeline.lead.leadMs).toBe(0);
});
