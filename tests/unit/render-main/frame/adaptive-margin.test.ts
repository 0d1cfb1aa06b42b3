import { expect, test } from 'vitest';
import { marginOf } from '../../../fixtures/margin-of.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { LatenessWindow, FrameRhythm } from '../../../../src/render-main/frame/adaptive-margin.js';
import { STATE_HEADER, type SlotViews } from '../../../../src/shared/memory/layout.js';
import { frameStamps } from '../../../fixtures/virtual-display.js';

const PERIOD_MS = 1000 / 60;
const MAX_MS = 2 * PERIOD_MS;

/** @returns The window, and its `neededMs` after each tick. */
function feed(
  latenessMs: readonly number[],
  { periodMs = PERIOD_MS, window = new LatenessWindow(), from = 0 } = {},
) {
  window.periodMs = periodMs;
  window.maxMs = 2 * periodMs;
  const header = new Float64Array(8);
  const slot = { stateHeaders: [header] } as unknown as SlotViews;
  const neededMs = latenessMs.map((ms, index) => {
    header[STATE_HEADER.virtualMs] = (from + index) * periodMs;
    header[STATE_HEADER.latenessMs] = ms;
    window.update(slot, 0, 0);
    return window.neededMs;
  });
  return { window, neededMs };
}

const times = (count: number, of: (index: number) => number): number[] =>
  Array.from({ length: count }, (_, index) => of(index));

test('the margin leaves out the first quarter of a second, while code is compiled', () => {
  const { window } = feed(times(62, (tick) => (tick < 14 ? 30 : 3)));
  expect(window.isKnown).toBe(true);
  expect(window.neededMs).toBeLessThan(3.2);
});

test.each([10, 20, 60, 240, 1000])('at %i Hz, the margin is known after 1 s or 16 ticks', (hz) => {
  const periodMs = 1000 / hz;
  const ticks = Math.max(hz, 16);
  const late = (count: number) => times(count, () => periodMs / 3);
  const { window } = feed(late(ticks - 2), { periodMs });
  expect(window.isKnown).toBe(false);
  feed(late(4), { periodMs, window, from: ticks - 2 });
  expect(window.isKnown).toBe(true);
  expect(window.neededMs).toBeGreaterThan(periodMs / 3);
  expect(window.neededMs).toBeLessThan(periodMs / 3 + Math.max(0.13, periodMs / 90));
});

test('the margin grows with the first ticks of a higher load', () => {
  const { neededMs } = feed(times(1320, (tick) => (tick < 1200 ? 3 : 11)));
  expect(neededMs[1199]).toBeLessThan(3.2);
  // 18 ms of 18 s may starve: those are in the first ticks.
  expect(neededMs[1203]).toBeGreaterThan(5);
  expect(neededMs[1230]).toBeGreaterThan(10);
});

test('the window has forgotten a higher load after 32 s', () => {
  const { neededMs } = feed(times(3840, (tick) => (tick < 1500 ? 11 : 3)));
  expect(neededMs[1499]).toBeGreaterThan(11);
  expect(neededMs.at(-1)).toBeLessThan(3.2);
});

test('the margin leaves out a hitch that none would cover, with the ticks that it delays', () => {
  const hitch = [80, 64, 48, 32, 16];
  const { neededMs, window } = feed(times(1500, (tick) => hitch[tick - 1100] ?? 3));
  expect(Math.max(...neededMs.slice(1000))).toBeLessThan(3.2);
  expect(window.isHitch).toBe(false);
  // Such ticks that are not single are counted, as far as a margin can cover them.
  const often = feed(times(1500, (tick) => [50, 34, 18][tick % 20] ?? 3));
  expect(often.neededMs.at(-1)).toBeGreaterThan(MAX_MS - 1);
  expect(often.neededMs.at(-1)).toBeLessThan(MAX_MS + 1);
});

test('the margin leaves out a hitch of which the page has not seen the first ticks', () => {
  const { window } = feed(times(100, () => 3));
  // Tick 100 is lost: 101 has none before.
  for (const [index, ms] of [51, 35, 19, 4, 3].entries()) feed([ms], { window, from: 101 + index });
  expect(window.neededMs).toBeCloseTo(marginOf(3) - 0.2, 0);
  expect(window.neededMs).toBeGreaterThan(2.9);
});

test('the margin covers what frames missed although the worker reports less', () => {
  const { window } = feed(times(1200, () => 3));
  for (let tick = 1200; tick < 1500; tick++) {
    window.missedMs = 9;
    feed([3], { window, from: tick });
  }
  expect(window.neededMs).toBeGreaterThan(8.5);
  expect(window.neededMs).toBeLessThan(9.3);
});

test('the window does not count over cuts and dropped ticks', () => {
  const { window } = feed(times(1200, () => 3));
  // Far apart, and once backwards.
  for (const from of [1300, 1400, 1500, 1000]) feed([30], { window, from });
  expect(window.neededMs).toBeLessThan(3.2);
});

function rhythmOf(stamps: readonly number[], rhythm = new FrameRhythm()): FrameRhythm {
  for (const frameMs of stamps) rhythm.add(frameMs);
  return rhythm;
}

test.each([24, 59.94, 60, 144, 1000])('a %d Hz display has its rhythm after ten frames', (hz) => {
  const stamps = frameStamps(hz, 1, 1234.5);
  const rhythm = rhythmOf(stamps.slice(0, 9));
  expect(rhythm.isSteady).toBe(false);
  rhythmOf(stamps.slice(9, 10), rhythm);
  expect(rhythm.isSteady).toBe(true);
  expect(rhythm.periodMs).toBeCloseTo(1000 / hz, 9);
  expect(rhythm.smoothedMs).toBeCloseTo(stamps[9] ?? Number.NaN, 9);
});

test('frames that the page misses change neither the period nor the places of the others', () => {
  const stamps = frameStamps(60, 2, 5).filter((_, index) => index < 12 || index % 7 > 2);
  const rhythm = rhythmOf(stamps);
  expect(rhythm.isSteady).toBe(true);
  expect(rhythm.periodMs).toBeCloseTo(1000 / 60, 9);
  expect(rhythm.smoothedMs).toBeCloseTo(stamps.at(-1) ?? Number.NaN, 9);
});

test('stamps that are off by a twentieth of a period have the period, and places between', () => {
  const random = seededRandom(1);
  const rhythm = new FrameRhythm();
  let [rough, smooth] = [0, 0];
  for (const [index, exactMs] of frameStamps(60, 20, 100).entries()) {
    const frameMs = exactMs + (random() - 0.5) * 1.6;
    rhythm.add(frameMs);
    if (index < 600) continue;
    expect(rhythm.isSteady).toBe(true);
    expect(Math.abs(rhythm.periodMs - 1000 / 60)).toBeLessThan(0.15);
    rough += (frameMs - exactMs) ** 2;
    smooth += (rhythm.smoothedMs - exactMs) ** 2;
  }
  expect(smooth).toBeLessThan(0.6 * rough);
});

test('a display that changes its rate slightly keeps a rhythm, whose period follows', () => {
  const before = frameStamps(60, 1);
  const after = frameStamps(61, 2, 1000);
  const rhythm = rhythmOf([...before, ...after]);
  expect(rhythm.isSteady).toBe(true);
  expect(rhythm.periodMs).toBeCloseTo(1000 / 61, 3);
});

test('a frame out of place, or a stamp that comes twice or too early, begins another rhythm', () => {
  const stamps = frameStamps(60, 1);
  const lastMs = stamps.at(-1) ?? Number.NaN;
  for (const nextMs of [lastMs + 1.11 * (1000 / 60), lastMs + 0.5 * (1000 / 60), lastMs, 3]) {
    const rhythm = rhythmOf(stamps);
    expect(rhythm.isSteady).toBe(true);
    rhythm.add(nextMs);
    expect(rhythm.isSteady).toBe(false);
    expect(rhythm.smoothedMs).toBe(nextMs);
  }
  const slightlyOff = rhythmOf([...stamps, lastMs + 1.09 * (1000 / 60)]);
  expect(slightlyOff.isSteady).toBe(true);
});

test('frames more than 50 ms apart have no rhythm', () => {
  expect(rhythmOf(frameStamps(20, 2)).isSteady).toBe(true);
  expect(rhythmOf(frameStamps(19.9, 2)).isSteady).toBe(false);
});
