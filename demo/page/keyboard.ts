/** The page's keys. Shooting and driving have their own listeners, next to the pointer's. */
import { isForPage } from './view/keyboard.js';

/** The action of each key, by its `KeyboardEvent.key` in lower case. */
export interface KeyActions {
  readonly ' ': () => void;
  readonly '.': () => void;
  readonly r: () => void;
  readonly h: () => void;
}

export function listenForKeys(actions: KeyActions): void {
  addEventListener('keydown', (event) => {
    const key = event.key.toLowerCase();
    if (!isAction(actions, key) || isForPage(event)) return;
    // Space would scroll.
    event.preventDefault();
    // A held key repeats steps, but toggles only once.
    if (event.repeat && key !== '.') return;
    actions[key]();
  });
}

function isAction(actions: KeyActions, key: string): key is keyof KeyActions {
  return Object.hasOwn(actions, key);
}
