/** Holds the settings that are in force, tells who follows them, and keeps the page's address to them. */
import { serialiseSettings, type LabSettings } from './settings.js';

export type SettingName = keyof LabSettings;
export type SettingsListener = (settings: LabSettings, changed: ReadonlySet<SettingName>) => void;

/**
 * A dragged slider changes with every frame. Safari allows 100 changes of the address in 30 s and Chromium
 * 200 in 10 s; one every 400 ms is below both.
 */
const LEAST_INTERVAL_MS = 400;

export class SettingsStore {
  readonly #listeners: SettingsListener[] = [];
  #current: LabSettings;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(initial: LabSettings) {
    this.#current = initial;
  }

  get current(): LabSettings {
    return this.#current;
  }

  /** Changes some settings. Nobody is told when they are as they were. */
  update(patch: Partial<LabSettings>): void {
    const names = Object.keys(patch) as SettingName[];
    const changed = new Set(names.filter((name) => patch[name] !== this.#current[name]));
    if (changed.size === 0) return;
    this.#current = { ...this.#current, ...patch };
    for (const listener of this.#listeners) listener(this.#current, changed);
    if (this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#writeAddress(), LEAST_INTERVAL_MS);
    }
  }

  onChange(listener: SettingsListener): void {
    this.#listeners.push(listener);
  }

  #writeAddress(): void {
    this.#timer = undefined;
    const query = serialiseSettings(this.#current);
    history.replaceState(history.state, '', location.pathname + query + location.hash);
  }
}
