/**
 * The first seconds of the page: in split view, at a tick rate at which everyone sees what
 * interpolation does. Then a sentence says what it was, and the scene is the user's.
 */
import { elementById } from '../../site/elements.js';
import type { SettingsStore } from '../../site/settings-store.js';
import { defaultSettings, type Settings } from './settings.js';

const OPENING = { split: true, tickHz: 10, paused: false } as const;
/** Five seconds. A machine that needs longer for them still shows them. */
const TICKS = 50;

/** An address with settings asks for these, and some users for less motion. */
export function hasOpening(search: string): boolean {
  return search === '' && !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Sets it up. Whatever the user does ends it.
 *
 * @param restart Starts the scene again: the user asks for the opening.
 * @returns Call it in each frame, with the tick that it shows.
 */
export function setUpOpening(
  store: SettingsStore<Settings>,
  restart: () => void,
): (tick: number) => void {
  const sentence = elementById('opening', HTMLElement);
  let listening = new AbortController();
  /** The scene is at its start, or was in a frame before. */
  let hasBegun = false;
  let isPressed = false;
  const end = (): void => {
    if (listening.signal.aborted) return;
    listening.abort();
    // Unless the user has just changed it.
    const { tickHz } = store.current;
    store.update({
      split: false,
      tickHz: tickHz === OPENING.tickHz ? defaultSettings().tickHz : tickHz,
    });
    sentence.hidden = false;
  };
  const begin = (): void => {
    listening.abort();
    store.update(OPENING);
    sentence.hidden = true;
    [hasBegun, isPressed] = [false, false];
    listening = new AbortController();
    const { signal } = listening;
    addEventListener('keydown', end, { signal });
    // Not in the middle of a drag, which belongs to one half of the picture.
    addEventListener('pointerdown', () => (isPressed = true), { signal });
    addEventListener('pointerup', end, { signal });
    addEventListener('pointercancel', end, { signal });
  };
  begin();
  store.onChange(end);
  sentence.addEventListener('click', ({ target }) => {
    if (!(target instanceof HTMLButtonElement)) return;
    sentence.hidden = true;
    if (target.name !== 'again') return;
    begin();
    restart();
  });
  return (tick) => {
    hasBegun ||= tick < TICKS;
    if (hasBegun && tick >= TICKS && !isPressed) end();
  };
}
