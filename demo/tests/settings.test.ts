/** The demo's settings: addresses that reproduce a page, and the reports of wrong ones. */
import { expect, test } from 'vitest';
import { SCENES, SCENE_NAMES } from '../contract/scene-contract.js';
import { defaultSettings, parseSettings, serialiseSettings } from '../page/settings.js';
import { SettingsStore } from '../../site/common/settings-store.js';

test('every setting of an address is read', () => {
  const search =
    '?scene=heap&bodies=500&seed=7&tickHz=30&timeScale=0.25&paused=1&frameLimit=144&interpolation=none' +
    '&overload=pause&render=worker&split=1&quality=medium&shadows=0' +
    '&stallMs=1500&hud=0&panel=0&engine=deterministic&transport=transfer&capacity=1024&width=320&height=180';
  expect(parseSettings(search)).toEqual({
    settings: {
      scene: 'heap',
      bodies: 500,
      seed: 7,
      tickHz: 30,
      timeScale: 0.25,
      overload: 'pause',
      paused: true,
      frameLimit: 144,
      render: 'worker',
      interpolation: 'none',
      split: true,
      quality: 'medium',
      shadows: false,
      stallMs: 1500,
      hud: false,
      panel: false,
      engine: 'deterministic',
      transport: 'transfer',
      capacity: 1024,
      width: 320,
      height: 180,
    },
    problems: [],
  });
});

test.each(SCENE_NAMES)(
  'the scene %s has its own default number of bodies and its own range',
  (scene) => {
    const [min, typical, max] = SCENES[scene].bodies;
    expect(parseSettings(`?scene=${scene}`).settings.bodies).toBe(typical);
    expect(parseSettings(`?scene=${scene}&bodies=${max + 1}`)).toMatchObject({
      settings: { bodies: max },
      problems: [{ message: expect.stringContaining(`a whole number from ${min} to ${max}`) }],
    });
  },
);

test.each([
  '',
  '?scene=heap&bodies=4000&seed=3',
  '?tickHz=240&timeScale=0.1&paused=1',
  '?frameLimit=30&interpolation=extrapolate&split=1&shadows=0',
  '?stallMs=2000&hud=0&panel=1&engine=deterministic&capacity=256&width=64&height=64',
])('the address "%s" is written as it was read, without defaults', (search) => {
  const { settings, problems } = parseSettings(search);
  expect(problems).toEqual([]);
  expect(serialiseSettings(settings)).toBe(search);
});

test.each([
  ['tickHz', ['', 'fast', '1e2', '0x40', 'NaN', '-60', '59.94', '241']],
  ['timeScale', ['0', '0.05', '2.01', '.']],
  ['bodies', ['10.5', 'many', '']],
  ['split', ['yes', '2', '']],
  ['scene', ['castle']],
  ['quality', ['0', '7', 'best']],
] as const)('a wrong value of %s is reported, and replaced by the default', (name, values) => {
  for (const value of values) {
    const { settings, problems } = parseSettings(`?${name}=${encodeURIComponent(value)}`);
    expect(problems.map(({ parameter }) => parameter)).toEqual([name]);
    expect(settings).toEqual(defaultSettings());
  }
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

test('listeners of the settings are notified of what has changed, and of nothing else', () => {
  const store = new SettingsStore(defaultSettings());
  const before = store.current;
  const seen: unknown[] = [];
  store.onChange((settings, changed) => seen.push([settings.tickHz, [...changed]]));
  store.update({ tickHz: 60, panel: undefined });
  expect(store.current).toBe(before);
  store.update({ tickHz: 30, split: true, shadows: true });
  expect(seen).toEqual([[30, ['tickHz', 'split']]]);
  expect(store.current).toEqual({ ...before, tickHz: 30, split: true });
  expect(before.split).toBe(false);
});
