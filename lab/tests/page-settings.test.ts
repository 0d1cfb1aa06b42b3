/** The lab's page: its presets, and the options that it offers. */
import { expect, test } from 'vitest';
import { resolveScenario, stepperOptionsFor } from '../engine/index.js';
import { PRESET_NAMES } from '../page/presets.js';
import { engineInput, parseSettings, presetSettings } from '../page/settings.js';
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

test('the page has every option of every stepper', () => {
  for (const kind of STEPPER_KINDS) {
    const known = Object.keys(resolveStepperOptions({ kind })).filter((name) => name !== 'kind');
    const shown = STEPPER_OPTIONS[kind].map(({ name }) => name);
    expect(shown.toSorted()).toEqual(known.toSorted());
  }
});
