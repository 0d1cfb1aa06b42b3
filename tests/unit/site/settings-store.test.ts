import { expect, test } from 'vitest';
import { SettingsStore } from '../../../site/common/settings-store.js';
import { defaultSettings, type SettingName, type Settings } from '../../../demo/page/settings.js';

function recordedStore(): { store: SettingsStore<Settings>; changes: SettingName[][] } {
  const store = new SettingsStore<Settings>(defaultSettings());
  const changes: SettingName[][] = [];
  store.onChange((_, changed) => changes.push([...changed]));
  return { store, changes };
}

test('listeners are notified of a change after it has been made', () => {
  const { store, changes } = recordedStore();
  const seen: number[] = [];
  store.onChange((settings) => seen.push(settings.tickHz, store.current.tickHz));

  store.update({ tickHz: 30, split: true, shadows: true });

  expect(changes).toEqual([['tickHz', 'split']]);
  expect(seen).toEqual([30, 30]);
  expect(store.current).toEqual({ ...defaultSettings(), tickHz: 30, split: true });
});

test('setting a value to what it already is notifies no listener', () => {
  const { store, changes } = recordedStore();
  const before = store.current;

  store.update({ tickHz: 60, panel: undefined });

  expect(changes).toEqual([]);
  expect(store.current).toBe(before);
});

test('settings that were returned do not change', () => {
  const { store } = recordedStore();
  const before = store.current;

  store.update({ paused: true });

  expect(before.paused).toBe(false);
  expect(store.current.paused).toBe(true);
});
