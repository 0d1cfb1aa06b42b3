/** Holds the settings that are in force, and tells everyone who follows them what changed. */
import type { SettingName, Settings } from './settings.js';

/** @param changed Names of the settings that are not as they were. */
export type SettingsListener = (settings: Settings, changed: ReadonlySet<SettingName>) => void;

export class SettingsStore {
  readonly #listeners: SettingsListener[] = [];
  #current: Settings;

  constructor(initial: Settings) {
    this.#current = initial;
  }

  get current(): Settings {
    return this.#current;
  }

  /** Changes some settings. Nobody is told when they are as they were. */
  update(patch: Partial<Settings>): void {
    const names = Object.keys(patch) as SettingName[];
    const changed = new Set(names.filter((name) => patch[name] !== this.#current[name]));
    if (changed.size === 0) return;
    this.#current = { ...this.#current, ...patch };
    for (const listener of this.#listeners) listener(this.#current, changed);
  }

  onChange(listener: SettingsListener): void {
    this.#listeners.push(listener);
  }
}
