/**
 * The situations to choose from, by name and by the loop that they expose, and what to look for in
 * the current one.
 */
import { elementById, make, setText } from '../../site/elements.js';
import type { SettingsStore } from '../../site/settings-store.js';
import { STEPPER_KINDS } from '../engine/loops/registry.js';
import { lookOf, shownPreset } from './own-situation.js';
import { FAULT_OF, PRESETS, SITUATION_NAMES, type PresetName } from './presets.js';
import type { LabSettings } from './settings.js';

/**
 * @param choose Called with the preset that was chosen.
 */
export function setUpPresets(
  store: SettingsStore<LabSettings>,
  choose: (name: PresetName) => void,
): void {
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
  const list = elementById('preset', HTMLSelectElement);
  list.addEventListener('change', () => {
    const chosen = buttons.find(({ name }) => name === list.value);
    if (chosen !== undefined) choose(chosen.name);
  });
  for (const { name, bar, button } of buttons) {
    button.type = 'button';
    button.dataset['preset'] = name;
    button.addEventListener('click', () => choose(name));
    bar.append(button);
    list.append(new Option(button.textContent, name));
  }
  const show = (settings: LabSettings): void => {
    // The text and the lit button of a situation would be wrong once it was changed.
    const preset = shownPreset(settings);
    for (const { name, button } of buttons) {
      button.setAttribute('aria-pressed', String(name === preset));
    }
    list.value = preset ?? '';
    setText(elementById('look-text', HTMLSpanElement), lookOf(settings));
  };
  show(store.current);
  store.onChange(show);
}
