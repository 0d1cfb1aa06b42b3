/** Holds the current settings, and notifies listeners of changes. */

/** @param changed Names of the changed settings. */
export type SettingsListener<Settings> = (
  settings: Settings,
  changed: ReadonlySet<keyof Settings>,
) => void;

export class SettingsStore<Settings extends object> {
  readonly #listeners: SettingsListener<Settings>[] = [];
  #current: Settings;

  constructor(initial: Settings) {
    this.#current = initial;
  }

  get current(): Settings {
    return this.#current;
  }

  /** Changes some settings. Nothing is notified if they are equal. */
  update(patch: Partial<Settings>): void {
    const names = Object.keys(patch) as (keyof Settings)[];
    const changed = new Set(names.filter((name) => patch[name] !== this.#current[name]));
    if (changed.size === 0) return;
    this.#current = { ...this.#current, ...patch };
    for (const listener of this.#listeners) listener(this.#current, changed);
  }

  onChange(listener: SettingsListener<Settings>): void {
    this.#listeners.push(listener);
  }
}
