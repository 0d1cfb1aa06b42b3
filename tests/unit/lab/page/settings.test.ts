/** The lab's settings: addresses that reproduce a page, and the reports of wrong ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveScenario, stepperOptionsFor } from '../../../../lab/engine/index.js';
import { lateHitchNotice } from '../../../../lab/page/late-hitches.js';
import { PRESETS, PRESET_NAMES } from '../../../../lab/page/presets.js';
import {
  engineInput,
  parseSettings,
  presetSettings,
  serialiseSettings,
  type LabSettings,
} from '../../../../lab/page/settings.js';
import { STEPPER_OPTIONS } from '../../../../lab/page/stepper-options.js';
import { resolveStepperOptions, STEPPER_KINDS } from '../../../../lab/engine/loops/registry.js';

describe('presets', () => {
  test('one without changes needs only its name', () => {
    expect(serialiseSettings(presetSettings())).toBe('');
    expect(serialiseSettings(presetSettings('spiral'))).toBe('?preset=spiral');
  });

  test.each(PRESET_NAMES)('%s runs unchanged and says what to look for', (name) => {
    const { scenario, steppers } = engineInput(presetSettings(name));
    const resolved = resolveScenario(scenario);
    for (const kind of STEPPER_KINDS) {
      resolveStepperOptions(stepperOptionsFor(kind, steppers, resolved));
    }
    expect(PRESETS[name].look.length).toBeGreaterThan(40);
    expect(parseSettings(`?preset=${name}`)).toEqual({
      settings: presetSettings(name),
      problems: [],
    });
  });
});

describe('addresses', () => {
  const milliseconds = fc.integer({ min: 0, max: 1000 }).map((value) => value / 8);
  const cost = fc.oneof(
    milliseconds,
    fc.tuple(milliseconds, milliseconds).map(([a, b]) => ({
      minMs: Math.min(a, b),
      maxMs: Math.max(a, b),
    })),
    fc.record({ medianMs: fc.constant(1.5), p99Ms: milliseconds.map((value) => value + 1.5) }),
  );
  const changes: fc.Arbitrary<Partial<LabSettings>> = fc.record(
    {
      left: fc.constantFrom(...STEPPER_KINDS),
      table: fc
        .uniqueArray(fc.constantFrom(...STEPPER_KINDS))
        .map((some) => STEPPER_KINDS.filter((kind) => some.includes(kind))),
      tickHz: fc.constantFrom<LabSettings['tickHz'][]>('own', 25, 59.94),
      displayHz: fc.constantFrom(59.94, 60, 144),
      vsync: fc.boolean(),
      input: fc.constantFrom<LabSettings['input'][]>('sliced', 'polled'),
      updateMs: cost,
      frameMs: cost,
      hitches: fc.constantFrom<LabSettings['hitches'][]>([], [{ atMs: 4000, durationMs: 500 }]),
      renderHz: fc.constantFrom<LabSettings['renderHz'][]>('off', 30),
      seed: fc.nat(),
      speed: fc.constantFrom(1, 0.1),
      paused: fc.boolean(),
      at: milliseconds,
      view: fc.constantFrom([0, 1000] as const, [12.5, 20.25] as const),
      options: fc.constantFrom<LabSettings['options'][]>(
        { fixed: { maxSteps: Number.POSITIVE_INFINITY, interpolate: false } },
        { variable: { clampRatio: [0.75, 1.5] } },
        { 'refresh-multiple': { overload: 'pass-through', maxIntervals: 2 } },
      ),
    },
    { requiredKeys: [] },
  );

  test('give back the settings that they were written from', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PRESET_NAMES), changes, (name, change) => {
        const settings = { ...presetSettings(name), ...change };
        const read = parseSettings(serialiseSettings(settings));
        expect(read.problems).toEqual([]);
        expect(read.settings).toEqual(settings);
      }),
    );
  });

  test('are readable', () => {
    const settings = {
      ...presetSettings('one-lag'),
      hitches: [
        { atMs: 1000, durationMs: 200 },
        { atMs: 3000, durationMs: 400 },
      ],
      options: { variable: { clampRatio: [0.75, 1.5] } },
    };
    expect(serialiseSettings(settings)).toBe(
      '?preset=one-lag&hitches=1000:200,3000:400&variable.clampRatio=0.75:1.5',
    );
  });

  test.each([
    ['displayHz=0', 'displayHz', /number from 1 to 1000/],
    ['displayHz=0x10', 'displayHz', /number from 1 to 1000/],
    ['updateMs=3:1', 'updateMs', /number of ms/],
    ['hitches=1000:500,1200:10', 'hitches', /without overlap/],
    ['hitches=20000:100', 'hitches', /must all begin before the run ends \(10 s\)\. Using none\.$/],
    ['left=quick', 'left', /one of unpaced, /],
    ['input=now', 'input', /one of sliced, polled/],
    ['table=fixed,quick', 'table', /list of unpaced, /],
    ['view=10:11', 'view', /at least 2 apart/],
    ['preset=none', 'preset', /one of 144-hz, /],
    ['fixed.maxSteps=0', 'fixed.maxSteps', /whole number from 1/],
    ['fixed.quick=1', 'fixed.quick', /not an option of fixed.*fixed\.maxFrameMs/],
    ['quick=1', 'quick', /Unknown parameter: quick.*displayHz/],
  ])('with %s are reported by name and rule', (query, parameter, rule) => {
    const { settings, problems } = parseSettings(`?${query}`);
    expect(settings).toEqual(presetSettings());
    expect(problems).toEqual([{ parameter, message: expect.stringMatching(rule) }]);
    expect(problems[0]?.message).toContain(parameter);
  });
});

describe('lags after the end of the run', () => {
  test('are omitted from an address, the others stay', () => {
    const { settings, problems } = parseSettings('?seconds=5&hitches=1000:200,5000:100,9000:50');
    expect(settings.hitches).toEqual([{ atMs: 1000, durationMs: 200 }]);
    expect(problems.map(({ message }) => message)).toEqual([
      'hitches=1000:200,5000:100,9000:50 is invalid: hitches must all begin before the run ends (5 s). ' +
        'Using 1000:200.',
    ]);
  });

  test('are reported if the run was shortened', () => {
    const { settings, problems } = parseSettings('?preset=one-lag&seconds=1');
    expect(problems).toEqual([]);
    expect(lateHitchNotice(settings)).toEqual([
      'The stall at 1.5 s does not happen: it must begin before the run ends, at 1 s.',
    ]);
    expect(lateHitchNotice(parseSettings('?preset=variable&seconds=5').settings)).toEqual([
      'The stalls at 5.24, 6.7, 8.16 s do not happen: they must begin before the run ends, at 5 s.',
    ]);
    for (const name of PRESET_NAMES) expect(lateHitchNotice(presetSettings(name))).toEqual([]);
  });
});

test('input follows the control', () => {
  expect(engineInput(presetSettings()).scenario.input).toBe('sliced');
  expect(engineInput(parseSettings('?input=polled').settings).scenario.input).toBe('polled');
});

test('the page has every option of every stepper', () => {
  for (const kind of STEPPER_KINDS) {
    const known = Object.keys(resolveStepperOptions({ kind })).filter((name) => name !== 'kind');
    const shown = STEPPER_OPTIONS[kind].map(({ name }) => name);
    expect(shown.toSorted()).toEqual(known.toSorted());
  }
});
