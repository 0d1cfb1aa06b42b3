/** The slider that rewinds: from the earliest tick that the run has kept to its newest. */
import { elementById } from '../../site/common/elements.js';
import { describe } from './panel.js';
import type { DemoSimulation } from './start-simulation.js';

export class RewindSlider {
  readonly #slider = elementById('rewind', HTMLInputElement);
  #isHeld = false;
  /** Whether it was released, and the run is not there yet. */
  #isOnItsWay = false;

  /** @param rewind `isLast`: the slider was released. Resolves when the run is there. */
  constructor(rewind: (tick: number, isLast: boolean) => Promise<void>) {
    const slider = this.#slider;
    slider.addEventListener('input', () => {
      this.#isHeld = true;
      describe(slider, `tick ${slider.value}`);
      void rewind(slider.valueAsNumber, false);
    });
    const release = (): void => {
      if (!this.#isHeld) return;
      this.#isHeld = false;
      this.#isOnItsWay = true;
      void rewind(slider.valueAsNumber, true).then(() => {
        this.#isOnItsWay = false;
      });
    };
    // There is no `change` if it was moved back to where it was.
    for (const end of ['change', 'pointerup', 'pointercancel', 'blur']) {
      slider.addEventListener(end, release);
    }
  }

  /** Call it in each frame. */
  frame({ rewindRange: { from, to }, replay }: DemoSimulation): void {
    // While the user drags it, the user sets its position.
    if (this.#isHeld || this.#isOnItsWay) return;
    const slider = this.#slider;
    // A replay has its own timeline.
    slider.disabled = from >= to || replay !== undefined;
    slider.min = String(from);
    slider.max = String(to);
    slider.valueAsNumber = to;
    describe(slider, `tick ${to}`);
  }
}
