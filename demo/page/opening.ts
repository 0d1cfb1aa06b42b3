/**
 * The first seconds of the page: in split view, at a tick rate at which everyone sees what
 * interpolation does. Then the scene is the user's.
 */
import type { SettingsStore } from '../../site/settings-store.js';
import { defaultSettings, type Settings } from './settings.js';

const OPENING = { split: true, tickHz: 10 } as const;
/** Five seconds. A machine that needs longer for them still shows them. */
const TICKS = 50;

/** An address with settings asks for these, and some users for less motion. */
export function hasOpening(search: string): boolean {
  return search === '' && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Sets it up. Whatever the user does ends it.
 *
 * @returns Call it in each frame, with the tick that it shows.
 */
export function setUpOpening(store: SettingsStore<Settings>): (tick: number) => void {
  store.update(OPENING);
  const listening = new AbortController();
  const { signal } = listening;
  let isPressed = false;
  const end = (): void => {
    if (signal.aborted) return;
    listening.abort();
    // Unless the user has just changed it.
    const { tickHz } = store.current;
    store.update({
      split: false,
      tickHz: tickHz === OPENING.tickHz ? defaultSettings().tickHz : tickHz,
    });
  };
  store.onChange(end);
  addEventListener('keydown', end, { signal });
  // Not in the middle of a drag, which belongs to one half of the picture.
  addEventListener('pointerdown', () => (isPressed = true), { signal });
  addEventListener('pointerup', end, { signal });
  addEventListener('pointercancel', end, { signal });
  return (tick) => {
    if (tick >= TICKS && !isPressed) end();
  };
}
