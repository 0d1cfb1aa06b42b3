/** The demo's settings: addresses that reproduce a page, and the reports of wrong ones. */
import { expect, test } from 'vitest';
import { parseSettings, serialiseSettings } from '../page/settings.js';

test('every setting of an address is read', () => {
  const search =
    '?scene=heap&bodies=500&seed=7&tickHz=30&timeScale=0.25&paused=1&frameLimit=144&interpolation=none' +
    '&split=1&quality=medium&hud=1&panel=1&engine=deterministic&transport=transfer&capacity=1024&width=320&height=180';
  expect(parseSettings(search)).toEqual({
    settings: {
      scene: 'heap',
      bodies: 500,
      seed: 7,
      tickHz: 30,
      timeScale: 0.25,
      paused: true,
      frameLimit: 144,
      interpolation: 'none',
      split: true,
      quality: 'medium',
      hud: true,
      panel: true,
      engine: 'deterministic',
      transport: 'transfer',
      capacity: 1024,
      width: 320,
      height: 180,
    },
    problems: [],
  });
});

test.each([
  '',
  '?scene=heap&bodies=4000&seed=3',
  '?tickHz=240&timeScale=0.1&paused=1',
  '?frameLimit=30&interpolation=extrapolate&split=1&quality=low',
  '?hud=1&panel=1&engine=deterministic&capacity=256&width=64&height=64',
])('the address "%s" is written as it was read, without defaults', (search) => {
  const { settings, problems } = parseSettings(search);
  expect(problems).toEqual([]);
  expect(serialiseSettings(settings)).toBe(search);
});

test('several wrong and unknown parameters are all reported, each by its name', () => {
  const { problems } = parseSettings('?split=maybe&tickHz=1&fps=60&tickhz=3&width=320');
  expect(problems).toHaveLength(4);
  expect(problems.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^tickHz=1 is invalid: tickHz must be a whole number from 10 to 240\. Using 60/,
      ),
      expect.stringMatching(/^split=maybe is invalid/),
      expect.stringMatching(/^width has no effect without height/),
      expect.stringMatching(/^Unknown parameters: fps, tickhz\. Known are scene, /),
    ]),
  );
});
