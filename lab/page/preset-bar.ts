/** The situations to choose from, by name and by the loop that they show up, and what to look for in the one shown. */
import { STEPPER_KINDS } from '../../src/shared/steppers/stepper.js';
import { elementById, make, setText } from './elements.js';
import { FAULT_OF, PRESETS, SITUATION_NAMES, type PresetName } from './presets.js';
import { presetSettings, serialiseSettings, type LabSettings } from './settings.js';
import type { SettingsStore } from './settings-store.js';

/**
 * @param choose Called with the preset that was chosen.
 */
export function setUpPresets(store: SettingsStore, choose: (name: PresetName) => void): void {
  const situations = SITUATION_NAMES.map((name) => ({
    name,
    bar: elementById('presets', HTMLDivElement),
    button: make('button', '', PRESETS[name].title),
  }));
  const loops = STEPPER_KINDS.map((kind) => {
    const { preset: name, fault } = FAULT_OF[kind];
    const button = make('button');
    button.append(make('b', '', kind), ' ', make('span', '', fault));
    return { name, bar: elementById('loops', HTMLDivElement), button };
  });
  const buttons = [...situations, ...loops];
  for (const { name, bar, button } of buttons) {
    button.type = 'button';
    button.dataset['preset'] = name;
    button.addEventListener('click', () => choose(name));
    bar.append(button);
  }
  const show = (settings: LabSettings): void => {
    const { preset } = settings;
    for (const { name, button } of buttons) {
      button.setAttribute('aria-pressed', String(name === preset));
    }
    for (const { name, bar, button } of buttons) {
      // On a phone the bar is wider than the page. Not scrollIntoView: that may move the page as well.
      if (name === preset) bar.scrollLeft = button.offsetLeft - bar.clientWidth / 3;
    }
    setText(elementById('look-text', HTMLSpanElement), PRESETS[preset].look);
    elementById('changed', HTMLSpanElement).hidden = !isChanged(settings, preset);
  };
  show(store.current);
  store.onChange(show);
}

/** Whether the situation is no longer the preset's; where one looks at it does not matter. */
function isChanged(settings: LabSettings, preset: PresetName): boolean {
  const { at, view, paused, speed, table } = presetSettings(preset);
  const situation = { ...settings, at, view, paused, speed, table };
  return serialiseSettings(situation) !== serialiseSettings(presetSettings(preset));
}
