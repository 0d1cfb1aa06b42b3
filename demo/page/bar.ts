/** The bar at the top: what this is, the measurements, and the settings. Each part unfolds. */
import { elementById } from '../../site/elements.js';
import type { SettingsStore } from '../../site/settings-store.js';
import type { Settings } from './settings.js';

export function connectBar(store: SettingsStore<Settings>): void {
  for (const name of ['hud', 'panel'] as const) {
    const part = elementById(name, HTMLDetailsElement);
    const follow = (): void => {
      part.open = store.current[name];
    };
    follow();
    store.onChange(follow);
    part.addEventListener('toggle', () => store.update({ [name]: part.open }));
  }
  const bar = elementById('bar', HTMLElement);
  addEventListener('keydown', ({ key, target }) => {
    if (key !== 'Escape' || !(target instanceof Element)) return;
    const focused = target.closest('#bar details');
    // After a click, no part has the focus.
    const open = target === document.body ? bar.querySelectorAll('[open]') : [];
    (focused ?? [...open].at(-1))?.removeAttribute('open');
    focused?.querySelector('summary')?.focus();
  });
  dropFocusAfterPointer(bar);
}

/** After a click or a choice the keys belong to the page again; after Tab they stay with the control. */
function dropFocusAfterPointer(bar: HTMLElement): void {
  let byPointer = false;
  bar.addEventListener('pointerdown', () => {
    byPointer = true;
  });
  bar.addEventListener('keydown', () => {
    byPointer = false;
  });
  const drop = ({ type, target }: Event): void => {
    // A click opens a list, and a choice in it is a change.
    if (!byPointer || (type === 'click' && target instanceof HTMLSelectElement)) return;
    if (target instanceof Element)
      target.closest<HTMLElement>('summary, button, input, select')?.blur();
  };
  bar.addEventListener('change', drop);
  bar.addEventListener('click', drop);
}
