/** Pause, step and time scale. */
import { make, makeButton, makeGroup, setText } from './elements.js';
import { isOperable, type Inspected } from './inspected.js';

/** Offered time scales: simulated seconds per second. */
const TIME_SCALES = [0.05, 0.1, 0.25, 0.5, 1, 2, 4];

/** The controls of the run in the page. */
export class RunControls {
  readonly element: HTMLElement;
  readonly #inspected: Inspected;
  readonly #pause: HTMLButtonElement;
  readonly #step: HTMLButtonElement;
  readonly #timeScale = make('select');

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
    this.#pause = makeButton('Pause', () => {
      inspected.attempt((simulation) =>
        simulation.state === 'paused' ? simulation.resume() : simulation.pause(),
      );
    });
    this.#step = makeButton('Step', () => {
      // In this order: a simulation that runs has no single steps.
      inspected.attempt(async (simulation) => {
        if (simulation.state !== 'paused') await simulation.pause();
        await simulation.step();
      });
    });
    const label = make('label', '', 'Time scale ');
    label.append(this.#timeScale);
    this.#timeScale.append(...TIME_SCALES.map(optionOf));
    this.#timeScale.addEventListener('change', () => {
      const timeScale = Number(this.#timeScale.value);
      inspected.attempt((simulation) => simulation.setTimeScale(timeScale));
    });
    this.element = makeGroup('controls', 'Run', this.#pause, this.#step, label);
  }

  /** Shows the state that the simulation has now. */
  refresh(): void {
    const { simulation } = this.#inspected;
    const isDisabled = !isOperable(simulation);
    for (const control of [this.#pause, this.#step, this.#timeScale]) control.disabled = isDisabled;
    if (simulation === undefined) return;
    setText(this.#pause, simulation.state === 'paused' ? 'Resume' : 'Pause');
    // The user may be choosing.
    if (this.#timeScale.matches(':focus')) return;
    const { timeScale } = simulation;
    const value = String(timeScale);
    if (this.#timeScale.value === value) return;
    this.#timeScale.value = value;
    if (this.#timeScale.value === value) return;
    this.#timeScale.append(optionOf(timeScale));
    this.#timeScale.value = value;
  }
}

function optionOf(timeScale: number): HTMLOptionElement {
  const option = make('option', '', `${timeScale} ×`);
  option.value = String(timeScale);
  return option;
}
