/** The rhythm that is found in the timestamps of frames. */
import { expect, test } from 'vitest';
import { FrameRhythm } from '../../../../src/render-main/frame/frame-rhythm.js';
import { seededRandom } from '../../../fixtures/seeded-random.js';
import { frameStamps } from '../../../fixtures/virtual-display.js';

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
  expect(rhythm.placeMs).toBeCloseTo(stamps[9] ?? Number.NaN, 9);
});

test('frames that the page misses change neither the period nor the places of the others', () => {
  const stamps = frameStamps(60, 2, 5).filter((_, index) => index < 12 || index % 7 > 2);
  const rhythm = rhythmOf(stamps);
  expect(rhythm.isSteady).toBe(true);
  expect(rhythm.periodMs).toBeCloseTo(1000 / 60, 9);
  expect(rhythm.placeMs).toBeCloseTo(stamps.at(-1) ?? Number.NaN, 9);
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
    smooth += (rhythm.placeMs - exactMs) ** 2;
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
    expect(rhythm.placeMs).toBe(nextMs);
  }
  const slightlyOff = rhythmOf([...stamps, lastMs + 1.09 * (1000 / 60)]);
  expect(slightlyOff.isSteady).toBe(true);
});

test('frames more than 50 ms apart have no rhythm', () => {
  expect(rhythmOf(frameStamps(20, 2)).isSteady).toBe(true);
  expect(rhythmOf(frameStamps(19.9, 2)).isSteady).toBe(false);
});
