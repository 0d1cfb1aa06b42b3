/** Shown until the first frame: the current stage of the start, and how many are left. */
import { elementById } from '../../site/elements.js';

/** In this order; `index.html` has one list entry for each, and starts in the first. */
const STAGES = ['page', 'worker', 'engine', 'scene'] as const;
export type LoadingStage = (typeof STAGES)[number];

export class LoadingScreen {
  readonly #screen = elementById('loading', HTMLDivElement);
  readonly #app = elementById('app', HTMLDivElement);
  readonly #bar = this.#screen.querySelector('progress');

  #isShown = true;

  get isShown(): boolean {
    return this.#isShown;
  }

  /** Shows a stage as the one being worked on. */
  enter(stage: LoadingStage): void {
    this.#isShown = true;
    this.#screen.hidden = false;
    this.#screen.classList.remove('done');
    // Nothing behind the screen is interactive until it is gone.
    this.#app.inert = true;
    this.#mark(STAGES.indexOf(stage));
  }

  /** Fades the page in. */
  finish(): void {
    this.#isShown = false;
    this.#mark(STAGES.length);
    this.#app.inert = false;
    this.#screen.classList.add('done');
  }

  /** Gives way to an error message: the start has failed. */
  abandon(): void {
    this.#isShown = false;
    this.#screen.hidden = true;
    this.#app.inert = false;
  }

  #mark(current: number): void {
    if (this.#bar !== null) this.#bar.value = current;
    STAGES.forEach((stage, index) => {
      const entry = this.#screen.querySelector<HTMLElement>(`[data-stage="${stage}"]`);
      if (entry === null) return;
      entry.dataset['state'] = index < current ? 'done' : index === current ? 'now' : 'later';
    });
  }
}
