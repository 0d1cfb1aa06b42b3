/** Whether a situation is one of the presets. Pure. */
import { PRESETS, type PresetName } from './presets.js';
import { presetSettings, serialiseSettings, type LabSettings } from './settings.js';

/** The hint on a situation: the preset's text while nothing was changed. */
export function lookOf(settings: LabSettings): string {
  const preset = shownPreset(settings);
  return preset === undefined
    ? 'A situation of your own: its settings are below.'
    : PRESETS[preset].look;
}

/**
 * The preset that a situation equals; undefined once something was changed. The range does not
 * count.
 */
export function shownPreset(settings: LabSettings): PresetName | undefined {
  const { preset } = settings;
  const { at, view, paused, speed, table } = presetSettings(preset);
  const situation = { ...settings, at, view, paused, speed, table };
  return serialiseSettings(situation) === serialiseSettings(presetSettings(preset))
    ? preset
    : undefined;
}
