/** When the split view says why both of its halves look alike. */
import { describe, expect, test } from 'vitest';
import { defaultSettings, type Settings } from '../../../demo/page/settings.js';
import { FrameRateCheck, splitHintText } from '../../../demo/page/split-hint.js';

const SPLIT: Settings = { ...defaultSettings(), split: true, quality: 'high', tickHz: 30 };

/** The detector's result for this many seconds of frames. */
function framesPerSecondOf(
  framesPerSecond: number,
  settings: Settings,
  seconds = 5,
  rateCheck = new FrameRateCheck(),
): number[] {
  const reported: number[] = [];
  for (let frame = 0; frame < seconds * framesPerSecond; frame++) {
    const rate = rateCheck.frame((frame * 1000) / framesPerSecond, settings);
    if (rate !== undefined) reported.push(Math.round(rate));
  }
  return reported;
}

describe('no more frames than ticks', () => {
  test('are reported once', () => {
    expect(framesPerSecondOf(12, SPLIT, 30)).toEqual([12]);
    expect(framesPerSecondOf(30, SPLIT)).toEqual([30]);
  });

  test('are reported when they stay so for two seconds, after the first one', () => {
    expect(framesPerSecondOf(10, SPLIT, 2.9)).toEqual([]);
    expect(framesPerSecondOf(10, SPLIT, 3.2)).toEqual([10]);
  });

  test('are compared with the ticks of slowed time', () => {
    expect(framesPerSecondOf(12, { ...SPLIT, timeScale: 0.25 })).toEqual([]);
    expect(framesPerSecondOf(7, { ...SPLIT, timeScale: 0.25 })).toEqual([7]);
  });

  test.each([
    ['there are more frames', 60, {}],
    ['the view is whole', 12, { split: false }],
    ['time is paused', 12, { paused: true }],
    ['interpolation is off', 12, { interpolation: 'none' }],
  ] as const)('are not reported if %s', (_where, framesPerSecond, patch) => {
    expect(framesPerSecondOf(framesPerSecond, { ...SPLIT, ...patch })).toEqual([]);
  });

  test('are counted again after a change, and after the page was away', () => {
    const changed = new FrameRateCheck();
    for (let ms = 0; ms < 2500; ms += 100) changed.frame(ms, SPLIT);
    for (let ms = 2500; ms < 5000; ms += 100) {
      expect(changed.frame(ms, { ...SPLIT, tickHz: 20 })).toBeUndefined();
    }
    const away = new FrameRateCheck();
    for (let ms = 0; ms < 2500; ms += 100) away.frame(ms, SPLIT);
    for (let ms = 60_000; ms < 62_500; ms += 100) {
      expect(away.frame(ms, SPLIT)).toBeUndefined();
    }
  });
});

describe('the hint', () => {
  test('names the settings that help', () => {
    expect(splitHintText(12, SPLIT)).toBe(
      'Both halves look the same, because there are no more frames than ticks: set the quality to auto, or lower the tick rate.',
    );
    expect(splitHintText(8, { ...SPLIT, tickHz: 10 })).toMatch(/auto, or lower the time scale\.$/);
  });

  test('does not name the settings that do not help', () => {
    expect(splitHintText(30, SPLIT)).toMatch(/than ticks: lower the tick rate\.$/);
    expect(splitHintText(12, { ...SPLIT, quality: 'auto' })).toMatch(
      /than ticks: lower the tick rate\.$/,
    );
    expect(splitHintText(30, { ...SPLIT, tickHz: 60, frameLimit: 30 })).toMatch(
      /than ticks: raise the frame limit, or lower the tick rate\.$/,
    );
  });
});
