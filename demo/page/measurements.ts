/** The measurements: the library's own display of a running simulation. */
import { elementById } from '../../site/common/elements.js';
import type { Inspector } from '../../src/inspector/index.js';
import type { DemoSimulation } from './start-simulation.js';

export class Measurements {
  readonly #root = elementById('hud', HTMLElement);
  readonly #onFold: (isShown: boolean) => void;
  /** Undefined until a simulation runs. */
  #inspector: Promise<Inspector> | undefined;
  #quality = '';
  #drawnFrames = 0;
  #isShown = false;

  /** @param onFold Called when the user folds or unfolds it. */
  constructor(onFold: (isShown: boolean) => void) {
    this.#onFold = onFold;
  }

  /** Measures a simulation, instead of the previous one. */
  follow(simulation: DemoSimulation): void {
    if (this.#inspector === undefined) this.#inspector = this.#load(simulation);
    else void this.#inspector.then((inspector) => inspector.follow(simulation));
  }

  /** @param text Describes the rendering quality. */
  setQuality(text: string): void {
    this.#quality = text;
  }

  setShown(isShown: boolean): void {
    this.#isShown = isShown;
    // In a window with little room only the button stays.
    this.#root.classList.toggle('folded', !isShown);
    void this.#inspector?.then((inspector) => inspector.setFolded(!isShown));
  }

  /** A frame was drawn, and the previous drawing was not kept for it. */
  drew(): void {
    this.#drawnFrames += 1;
  }

  async #load(simulation: DemoSimulation): Promise<Inspector> {
    const { showInspector } = await import('../../src/inspector/index.js');
    this.#root.hidden = false;
    return showInspector(simulation, {
      title: 'Measurements',
      // What acts on the run is in the settings, which know the scenes; notices say what went wrong.
      parts: ['measurements', 'plots'],
      parent: this.#root,
      isFolded: !this.#isShown,
      onFold: (isFolded) => this.#onFold(!isFolded),
      measures: () => ({ Quality: this.#quality }),
      drawnFrames: () => this.#drawnFrames,
    });
  }
}
