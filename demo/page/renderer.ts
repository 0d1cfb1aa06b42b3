/** The choice of who draws. */
import { canRenderInWorker } from '../../src/render-main/offscreen/index.js';
import { showNotice } from '../../site/common/notices.js';
import type { SettingsStore } from '../../site/common/settings-store.js';
import { serialiseSettings, type Renderer, type Settings } from './settings.js';

const MISSING =
  'This browser cannot draw in a worker: it lacks OffscreenCanvas with WebGL 2. The page draws.';

/** In the panel. */
export function rendererName(renderer: Renderer): string {
  if (renderer === 'page') return 'the page';
  return canRenderInWorker() ? 'a worker' : 'a worker: not in this browser';
}

/** Loads the page again when the choice changes. Where a worker cannot draw, it says so and the page does. */
export function followRenderer(store: SettingsStore<Settings>): void {
  const refuse = ({ render }: Settings): boolean => {
    if (render === 'page' || canRenderInWorker()) return false;
    showNotice([MISSING]);
    store.update({ render: 'page' });
    return true;
  };
  refuse(store.current);
  let drawing = store.current.render;
  store.onChange((settings) => {
    if (settings.render === drawing || refuse(settings)) return;
    drawing = settings.render;
    history.replaceState(history.state, '', location.pathname + serialiseSettings(settings));
    location.reload();
  });
}
