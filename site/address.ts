/** Updates the page's address so that opening it again shows the same. */
import type { SettingsStore } from './settings-store.js';

/**
 * A dragged slider changes with every frame. Safari allows 100 changes of the address in 30 s and Chromium
 * 200 in 10 s; one every 400 ms is below both.
 */
const MIN_INTERVAL_MS = 400;

/** @param serialise Settings as the query of an address. */
export function keepAddress<Settings extends object>(
  store: SettingsStore<Settings>,
  serialise: (settings: Settings) => string,
): void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = (): void => {
    timer = undefined;
    lastMs = performance.now();
    const query = serialise(store.current);
    history.replaceState(history.state, '', location.pathname + query + location.hash);
  };
  store.onChange(() => {
    if (timer !== undefined) return;
    const waitMs = lastMs + MIN_INTERVAL_MS - performance.now();
    if (waitMs <= 0) write();
    else timer = setTimeout(write, waitMs);
  });
}
