/** The situations to choose from, and what to look for in the one that is shown. */
import { elementById, make, setText } from './elements.js';
import { PRESETS, PRESET_NAMES, type PresetName } from './presets.js';
import { presetSettings, serialiseSettings, type LabSettings } from './settings.js';
import type { SettingsStore } from './settings-store.js';

/** @param onChosen Called after a preset was taken. */
export function setUpPresets(store: SettingsStore, onChosen: () => void): void {
  const bar = elementById('presets', HTMLDivElement);
  const buttons = PRESET_NAMES.map((name) => {
    const button = make('button', '', PRESETS[name].title);
    button.type = 'button';
    button.dataset['preset'] = name;
    button.addEventListener('click', () => {
      store.update({ ...presetSettings(name), paused: store.current.paused });
      onChosen();
    });
    return { name, button };
  });
  bar.append(...buttons.map(({ button }) => button));
  const show = (settings: LabSettings): void => {
    const { preset } = settings;
    for (const { name, button } of buttons) {
      button.setAttribute('aria-pressed', String(name === preset));
    }
    const current = buttons.find(({ name }) => name === preset)?.button;
    // On a phone the bar is wider than the page. Not scrollIntoView: that may move the page as well.
    if (current !== undefined) bar.scrollLeft = current.offsetLeft - bar.clientWidth / 3;
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
