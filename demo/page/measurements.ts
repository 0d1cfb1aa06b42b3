/** The measurements: a line, which unfolds to the library's own display of a running simulation. */
import { elementById, setText } from '../../site/elements.js';
import type { Inspector } from '../../src/inspector/index.js';
import type { DemoSimulation } from './start-simulation.js';

const REFRESH_MS = 1000;

export class Measurements {
  readonly #root = elementById('hud', HTMLDetailsElement);
  readonly #line = elementById('hud-line', HTMLElement);
  readonly #texts = this.#line.querySelectorAll('span');
  /** Undefined until it is unfolded for the first time. */
  #inspector: Promise<Inspector> | undefined;
  #simulation: DemoSimulation | undefined;
  #quality = '';
  #drawnFrames = 0;
  /** When the line was refreshed last, and how many frames there had been, and late ones. */
  #last = { atMs: 0, frames: 0, late: 0 };

  constructor() {
    this.#root.addEventListener('toggle', () => this.#unfold());
    setInterval(() => this.#refresh(), REFRESH_MS);
  }

  /** Measures a simulation, instead of the previous one. */
  follow(simulation: DemoSimulation): void {
    this.#simulation = simulation;
    void this.#inspector?.then((inspector) => inspector.follow(simulation));
    this.#unfold();
  }

  /** @param text Describes the rendering quality. */
  setQuality(text: string): void {
    this.#quality = text;
  }

  /** A frame was drawn, and the previous drawing was not kept for it. */
  drew(): void {
    this.#drawnFrames += 1;
  }

  #refresh(): void {
    if (this.#simulation === undefined) return;
    const { frames, tickRateHz, starvedFrames } = this.#simulation.stats();
    const { atMs, frames: before, late: lateBefore } = this.#last;
    const nowMs = performance.now();
    this.#last = { atMs: nowMs, frames, late: starvedFrames };
    // Frames are counted from zero for another scene.
    if (frames < before || starvedFrames < lateBefore) return;
    const fps = Math.round((1000 * (frames - before)) / (nowMs - atMs));
    const late = starvedFrames - lateBefore;
    const [rates, misses] = this.#texts;
    if (rates === undefined || misses === undefined) return;
    setText(rates, `${tickRateHz} ticks, ${fps} frames`);
    setText(misses, ` a second, ${late === 0 ? 'none' : late} late`);
  }

  #unfold(): void {
    const { open } = this.#root;
    if (open && this.#simulation !== undefined) this.#inspector ??= this.#load(this.#simulation);
    void this.#inspector?.then((inspector) => inspector.setFolded(!open));
  }

  async #load(simulation: DemoSimulation): Promise<Inspector> {
    const { showInspector } = await import('../../src/inspector/index.js');
    return showInspector(simulation, {
      title: 'Measurements',
      // The settings, which know the scenes, act on the run; notices say what went wrong.
      parts: ['measurements', 'plots'],
      parent: elementById('measurements', HTMLElement),
      onFold: () => {
        this.#root.open = false;
        this.#line.focus();
      },
      measures: () => ({ Quality: this.#quality }),
      drawnFrames: () => this.#drawnFrames,
    });
  }
}
