/** What the lab says of a situation: the preset's words for as long as they are true. */
import { expect, test } from 'vitest';
import { lookOf, shownPreset } from '../../lab/page/own-situation.js';
import { PRESETS, PRESET_NAMES } from '../../lab/page/presets.js';
import { parseSettings, presetSettings } from '../../lab/page/settings.js';

const linked = (search: string) => parseSettings(search).settings;

test.each(PRESET_NAMES)('%s is told in its own words, wherever one looks at it', (preset) => {
  const settings = { ...presetSettings(preset), at: 300, paused: true, speed: 0.1, table: [] };
  expect(shownPreset(settings)).toBe(preset);
  expect(lookOf(settings)).toBe(PRESETS[preset].look);
});

test.each([
  [
    '?tickHz=60&displayHz=60',
    'A situation of your own: 60 updates a second on a 60 Hz display, an update costs 2 ms and a frame 3 ms. ' +
      'A is frame-locked, B is fixed.',
  ],
  [
    '?preset=fast-machine&renderHz=30&right=unpaced',
    'A situation of your own: 60 updates a second on a 60 Hz display, which nothing waits for, at most 30 frames a ' +
      'second, an update costs 2 ms and a frame 8 ms, on a machine of 4 × the speed. A and B are unpaced.',
  ],
  [
    '?preset=one-lag&tickHz=own&updateMs=0&frameMs=1:3&wakeLateMs=1~4&noiseMs=2&fixed.maxFrameMs=300',
    'A situation of your own: each loop at its own rate on a 60 Hz display, an update costs nothing and a frame 1 to ' +
      '3 ms, sleeps end mostly 1 ms and now and then over 4 late, a lag of 500 ms at 1.5 s, a clock that is up to ' +
      '2 ms off. A is frame-locked, B is fixed, with options set for fixed.',
  ],
])('%s is told by its settings', (search, text) => {
  expect(shownPreset(linked(search))).toBeUndefined();
  expect(lookOf(linked(search))).toBe(text);
});

test('changed back, it is the preset again', () => {
  expect(shownPreset(linked('?preset=spiral&updateMs=25'))).toBe('spiral');
});
