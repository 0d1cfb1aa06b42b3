/** The page's keys. Shooting and driving have their own listeners, next to the pointer's. */

/** What each key does, by its `KeyboardEvent.key` in lower case. */
export interface KeyActions {
  readonly ' ': () => void;
  readonly '.': () => void;
  readonly r: () => void;
  readonly h: () => void;
}

export function listenForKeys(actions: KeyActions): void {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const key = event.key.toLowerCase();
    if (!isAction(actions, key) || isForControl(event.target, key)) return;
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

/** Whether the focused control uses the key itself: a text field or a button. */
function isForControl(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest('textarea, select, dialog') !== null) return true;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' || key === ' ';
  return key === ' ' && target.closest('button, summary, a') !== null;
}
