/** Draws at the quality of the settings, or at the best one that the machine can handle. */
import type { SceneChange } from '../simulation-session.js';
import type { Settings } from '../settings.js';
import type { SettingsStore } from '../../../site/settings-store.js';
import type { DemoView } from '../view/demo-view.js';
import { describeLevel, LEVELS, levelOf, lookOf } from './levels.js';
import { QualityController } from './quality-controller.js';

/** The first level, before anything is known about the machine's speed. */
export function firstLevel({ quality }: Settings, isSoftware: boolean): number {
  return levelOf(quality) ?? (isSoftware ? 2 : LEVELS.length);
}

export class QualityAdapter {
  readonly #store: SettingsStore<Settings>;
  readonly #view: DemoView;
  readonly #notify: (text: string) => void;
  readonly #controller: QualityController;
  /** Shaders of the next level are being compiled. */
  #isPreparing = false;

  /** @param notify Called with a description of the quality, now and when that changes. */
  constructor(store: SettingsStore<Settings>, view: DemoView, notify: (text: string) => void) {
    this.#store = store;
    this.#view = view;
    this.#notify = notify;
    const first = firstLevel(store.current, view.isSoftware);
    this.#controller = new QualityController(LEVELS.length, first);
    view.setLook(lookOf(first));
    this.#describe();
    store.onChange((settings, changed) => {
      if (changed.has('quality')) this.#follow(settings);
      // The cost of a frame has changed.
      if (changed.has('split')) this.#controller.changed();
    });
    document.addEventListener('visibilitychange', () => this.#controller.interrupt());
  }

  /** Call it in each frame of the display, before drawing. */
  frame(frameMs: number): void {
    const wanted = this.#controller.frame(frameMs, this.#view.takeDrawMs());
    if (wanted === undefined || this.#isPreparing) return;
    if (this.#store.current.quality === 'auto') void this.#prepare(wanted);
  }

  /** The frame was drawn. */
  drew(): void {
    this.#controller.drew();
  }

  /** Another scene, or another moment of it, will be drawn. */
  sceneChanged(change: SceneChange): void {
    if (change === 'same-run') this.#controller.interrupt();
    else this.#controller.changed();
  }

  /** The window was resized. */
  resized(): void {
    this.#controller.changed();
    this.#describe();
  }

  /** Switches to another level when it can be drawn without waiting for its shaders. */
  async #prepare(level: number): Promise<void> {
    this.#isPreparing = true;
    try {
      await this.#view.prepareLook(lookOf(level));
    } finally {
      this.#isPreparing = false;
    }
    // The user may have chosen another quality in the meantime.
    if (this.#store.current.quality === 'auto') this.#apply(level);
  }

  #follow(settings: Settings): void {
    this.#controller.changed();
    this.#apply(levelOf(settings.quality) ?? this.#controller.level);
  }

  #apply(level: number): void {
    this.#controller.apply(level);
    this.#view.setLook(lookOf(level));
    this.#describe();
  }

  #describe(): void {
    const { look, pixelRatio } = this.#view;
    const { quality } = this.#store.current;
    const text = describeLevel(quality, this.#controller.level, look, pixelRatio);
    this.#notify(text);
  }
}
