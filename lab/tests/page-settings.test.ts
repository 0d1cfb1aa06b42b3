/** The lab's settings: addresses that reproduce a page, and the reports of wrong ones. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolveScenario, stepperOptionsFor } from '../engine/index.js';
import { PRESET_NAMES } from '../page/presets.js';
import {
  engineInput,
  parseSettings,
  presetSettings,
  serialiseSettings,
  type LabSettings,
} from '../page/settings.js';
import { STEPPER_OPTIONS } from '../page/stepper-options.js';
import { resolveStepperOptions, STEPPER_KINDS } from '../engine/loops/registry.js';

test.each(PRESET_NAMES)('the preset %s runs unchanged, and its address is its name', (name) => {
  const { scenario, steppers } = engineInput(presetSettings(name));
  const resolved = resolveScenario(scenario);
  for (const kind of STEPPER_KINDS) {
    resolveStepperOptions(stepperOptionsFor(kind, steppers, resolved));
  }
  expect(parseSettings(`?preset=${name}`)).toEqual({
    settings: presetSettings(name),
    problems: [],
  });
});

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

test('an address gives back the settings that it was written from', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PRESET_NAMES), changes, (name, change) => {
      const settings = { ...presetSettings(name), ...change };
      const read = parseSettings(serialiseSettings(settings));
      expect(read.problems).toEqual([]);
      expect(read.settings).toEqual(settings);
    }),
  );
});

test.each([
  ['displayHz=0', 'displayHz', /number from 1 to 1000/],
  ['updateMs=3:1', 'updateMs', /number of ms/],
  ['hitches=1000:500,1200:10', 'hitches', /without overlap/],
  ['hitches=20000:100', 'hitches', /must all begin before the run ends \(10 s\)\. Using none\.$/],
  ['left=quick', 'left', /one of unpaced, /],
  ['table=fixed,quick', 'table', /list of unpaced, /],
  ['view=10:11', 'view', /at least 2 apart/],
  ['fixed.quick=1', 'fixed.quick', /not an option of fixed.*fixed\.maxFrameMs/],
  ['quick=1', 'quick', /Unknown parameter: quick.*displayHz/],
])('an address with %s is reported by name and rule', (query, parameter, rule) => {
  const { settings, problems } = parseSettings(`?${query}`);
  expect(settings).toEqual(presetSettings());
  expect(problems).toEqual([{ parameter, message: expect.stringMatching(rule) }]);
  expect(problems[0]?.message).toContain(parameter);
});

test('the page has every option of every stepper', () => {
  for (const kind of STEPPER_KINDS) {
    const known = Object.keys(resolveStepperOptions({ kind })).filter((name) => name !== 'kind');
    const shown = STEPPER_OPTIONS[kind].map(({ name }) => name);
    expect(shown.toSorted()).toEqual(known.toSorted());
  }
});
