/** What the lab says about a situation: the preset's words for as long as they are true. */
import { expect, test } from 'vitest';
import { lookOf, shownPreset } from '../../../../lab/page/own-situation.js';
import { PRESETS, PRESET_NAMES } from '../../../../lab/page/presets.js';
import { parseSettings, presetSettings } from '../../../../lab/page/settings.js';

const linked = (search: string) => parseSettings(search).settings;

test.each(PRESET_NAMES)('%s is described in its own words, in every part of the page', (preset) => {
  const settings = { ...presetSettings(preset), at: 300, paused: true, speed: 0.1, table: [] };
  expect(shownPreset(settings)).toBe(preset);
  expect(lookOf(settings)).toBe(PRESETS[preset].look);
});

test.each([
  [
    '?tickHz=60&displayHz=60',
    'Custom situation: a 60 Hz display, an update costs 2 ms and a frame 3 ms. ' +
      'A is frame-locked, B is fixed, both set to 60 updates per second.',
  ],
  [
    '?left=variable&right=semi-fixed',
    'Custom situation: a 144 Hz display, an update costs 2 ms and a frame 3 ms. A is variable, B is semi-fixed.',
  ],
  [
    '?left=refresh-multiple&right=rate-groups&rate-groups.tickRateHz=1',
    'Custom situation: a 144 Hz display, an update costs 2 ms and a frame 3 ms. A is refresh-multiple; ' +
      'B is rate-groups, set to 1 update per second, with options set for rate-groups.',
  ],
  [
    '?left=bounded-variable&input=polled',
    'Custom situation: a 144 Hz display, an update costs 2 ms and a frame 3 ms, updates that take all inputs ' +
      'so far. A is bounded-variable; B is fixed, set to 25 updates per second.',
  ],
  [
    '?preset=variable&seconds=2',
    'Custom situation: a 60 Hz display, an update costs 2 ms and a frame 3 ms, a stall of 180 ms at 0.86 s. ' +
      'A is variable; B is fixed, set to 60 updates per second.',
  ],
  [
    '?preset=fast-machine&renderHz=30&right=unpaced',
    'Custom situation: a 60 Hz display without vsync, at most 30 frames per ' +
      'second, an update costs 2 ms and a frame 8 ms, on a machine with 4 × the speed. A and B are unpaced.',
  ],
  [
    '?preset=one-lag&tickHz=own&updateMs=0&frameMs=1:3&wakeLateMs=1~4&noiseMs=2&fixed.maxFrameMs=300',
    'Custom situation: a 60 Hz display, an update costs nothing and a frame 1 to ' +
      '3 ms, sleeps end typically 1 ms and sometimes over 4 late, a stall of 500 ms at 1.5 s, timestamps up to ' +
      '2 ms off. A is frame-locked, set to 25 updates per second; B is fixed, set to 100 updates per second, with options ' +
      'set for fixed.',
  ],
])('%s is described by its settings', (search, text) => {
  expect(shownPreset(linked(search))).toBeUndefined();
  expect(lookOf(linked(search))).toBe(text);
});

test('changed back, it is the preset again', () => {
  expect(shownPreset(linked('?preset=spiral&updateMs=25'))).toBe('spiral');
});
