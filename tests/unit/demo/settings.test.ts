import { describe, expect, test } from 'vitest';
import { SCENES, SCENE_NAMES } from '../../../demo/contract/scene-contract.js';
import {
  defaultSettings,
  parseSettings,
  serialiseSettings,
  type Settings,
} from '../../../demo/page/settings.js';

/** The settings of a query without errors. */
function settingsOf(search: string): Settings {
  const { settings, problems } = parseSettings(search);
  expect(problems).toEqual([]);
  return settings;
}

/** The messages of a query. */
function messagesOf(search: string): string[] {
  return parseSettings(search).problems.map(({ message }) => message);
}

describe('reading', () => {
  test('an address without parameters has the defaults', () => {
    expect(settingsOf('')).toEqual(defaultSettings());
    expect(settingsOf('?')).toEqual(defaultSettings());
  });

  test('every parameter is read', () => {
    const search =
      '?scene=heap&bodies=500&seed=7&tickHz=30&timeScale=0.25&paused=1&frameLimit=144&interpolation=none' +
      '&stepper=semi-fixed&overload=pause&halfRate=checker&render=worker&split=1&quality=medium&shadows=0&stallMs=1500&hud=0&panel=0&engine=deterministic&transport=transfer&capacity=1024&width=320&height=180';

    expect(settingsOf(search)).toEqual({
      scene: 'heap',
      bodies: 500,
      seed: 7,
      tickHz: 30,
      stepper: 'semi-fixed',
      timeScale: 0.25,
      overload: 'pause',
      paused: true,
      frameLimit: 144,
      render: 'worker',
      interpolation: 'none',
      split: true,
      quality: 'medium',
      shadows: false,
      halfRate: 'checker',
      stallMs: 1500,
      hud: false,
      panel: false,
      engine: 'deterministic',
      transport: 'transfer',
      capacity: 1024,
      width: 320,
      height: 180,
    } satisfies Settings);
  });

  test.each(SCENE_NAMES)(
    'the scene %s has its own default number of bodies and its own range',
    (scene) => {
      const [min, typical, max] = SCENES[scene].bodies;

      expect(settingsOf(`?scene=${scene}`).bodies).toBe(typical);
      expect(settingsOf(`?bodies=${min}&scene=${scene}`).bodies).toBe(min);
      expect(settingsOf(`?bodies=${max}&scene=${scene}`).bodies).toBe(max);
      expect(messagesOf(`?scene=${scene}&bodies=${max + 1}`)).toEqual([
        `bodies=${max + 1} is invalid: bodies must be a whole number from ${min} to ${max} ` +
          `in the scene ${scene}. Using ${max}.`,
      ]);
    },
  );

  test('the ends of a range are included', () => {
    expect(settingsOf('?tickHz=10&timeScale=0.1&stallMs=100').tickHz).toBe(10);
    expect(settingsOf('?tickHz=240&timeScale=2&stallMs=2000').tickHz).toBe(240);
  });
});

describe('a wrong value', () => {
  test('is named with its rule and the default that replaces it', () => {
    const { settings, problems } = parseSettings('?tickHz=500&split=1');

    expect(problems).toEqual([
      {
        parameter: 'tickHz',
        message: 'tickHz=500 is invalid: tickHz must be a whole number from 10 to 240. Using 60.',
      },
    ]);
    expect(settings).toEqual({ ...defaultSettings(), split: true });
  });

  test('of the scene lists the scenes', () => {
    expect(messagesOf('?scene=castle')).toEqual([
      `scene=castle is invalid: scene must be one of ${SCENE_NAMES.join(', ')}. Using tower.`,
    ]);
  });

  test.each([
    ['tickHz', ['', 'fast', '1e2', '0x40', 'NaN', 'Infinity', '-60', '59.94', '60 Hz']],
    ['timeScale', ['0', '0.05', '2.01', '--1', '.']],
    ['bodies', ['10.5', 'many', '']],
    ['frameLimit', ['61', 'on', '0']],
    ['interpolation', ['nearest', 'Interpolate']],
    ['split', ['yes', 'true', '2', '']],
    ['engine', ['jolt']],
    ['capacity', ['0', '2000000']],
    ['seed', ['-1', '4294967296']],
  ] as const)('of %s is replaced by the default', (name, values) => {
    for (const value of values) {
      const { settings, problems } = parseSettings(`?${name}=${encodeURIComponent(value)}`);
      expect(problems.map(({ parameter }) => parameter)).toEqual([name]);
      expect(settings).toEqual(defaultSettings());
    }
  });

  test('of bodies is replaced by the nearest allowed one', () => {
    const [min, , max] = SCENES.heap.bodies;
    for (const [text, used] of [
      ['60', min],
      ['-5', min],
      ['99999', max],
    ] as const) {
      expect(parseSettings(`?scene=heap&bodies=${text}`).settings.bodies).toBe(used);
    }
    expect(messagesOf('?scene=heap&bodies=60')[0]).toMatch(/Using 100\.$/);
  });

  test('spaces around a value do not matter', () => {
    expect(settingsOf('?tickHz=%2030%20').tickHz).toBe(30);
  });

  test('several wrong values are all reported, in the order of the settings', () => {
    const { problems } = parseSettings('?split=maybe&tickHz=1&scene=none');
    expect(problems.map(({ parameter }) => parameter)).toEqual(['scene', 'tickHz', 'split']);
  });
});

test('an unknown parameter is reported', () => {
  expect(messagesOf('?tickhz=30')[0]).toMatch(/^Unknown parameter: tickhz\. .*tickHz/);
});

test('several unknown parameters are reported together, with one list of the known ones', () => {
  const messages = messagesOf('?tickhz=30&fps=60&fps=30&split=1');
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/^Unknown parameters: tickhz, fps\. Known are scene, /);
});

describe('the size of the canvas', () => {
  test('needs both of its numbers', () => {
    expect(settingsOf('?width=320&height=180')).toMatchObject({ width: 320, height: 180 });

    const { settings, problems } = parseSettings('?width=320');
    expect(settings).toEqual(defaultSettings());
    expect(problems).toEqual([
      {
        parameter: 'width',
        message: 'width has no effect without height. Filling the window.',
      },
    ]);
  });

  test('with one wrong number is reported once', () => {
    const { settings, problems } = parseSettings('?width=320&height=tall');
    expect(settings).toEqual(defaultSettings());
    expect(problems.map(({ parameter }) => parameter)).toEqual(['height']);
  });
});

describe('writing', () => {
  test('omits defaults', () => {
    expect(serialiseSettings(defaultSettings())).toBe('');
    expect(serialiseSettings({ ...defaultSettings(), tickHz: 30 })).toBe('?tickHz=30');
  });

  test('omits the default number of bodies of another scene', () => {
    expect(serialiseSettings(defaultSettings('heap'))).toBe('?scene=heap');
  });

  test.each([
    '?scene=bridge',
    '?scene=heap&bodies=4000&seed=3',
    '?tickHz=240&timeScale=0.1&paused=1',
    '?frameLimit=30&interpolation=extrapolate&split=1&shadows=0',
    '?stallMs=2000&hud=0&panel=1&engine=deterministic&capacity=256&width=64&height=64',
    '?panel=0',
    '?hud=1',
  ])('%s is read and written unchanged', (search) => {
    expect(serialiseSettings(settingsOf(search))).toBe(search);
  });
});
