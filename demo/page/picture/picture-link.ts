/** The picture as the page has it, wherever it is drawn. */
import type { SettingsStore } from '../../../site/common/settings-store.js';
import type { Sounds } from '../effects/sounds.js';
import type { Settings } from '../settings.js';
import type { DemoSimulation } from '../start-simulation.js';
import type { PictureActions, PictureEvents } from './picture.js';

export interface PictureLink extends PictureActions {
  /** Starts a simulation, and draws it from then on. */
  readonly start: (settings: Settings, onEngine: () => void) => Promise<DemoSimulation>;
  /** Its simulation is about to be disposed. */
  end(): void;
}

/** What it needs of the page. */
export interface PictureParts {
  readonly canvas: HTMLCanvasElement;
  readonly store: SettingsStore<Settings>;
  readonly sounds: Sounds;
  readonly events: PictureEvents;
}

/** The size of the canvas that the settings ask for, in CSS pixels; undefined: fill the window. */
export function canvasSizeOf({
  width,
  height,
}: Settings): { readonly width: number; readonly height: number } | undefined {
  return width === undefined || height === undefined ? undefined : { width, height };
}
