/** The four plots of the head-up display, and the values that they show. */
import type { SimulationStatistics } from '../../../src/render-main/index.js';
import { History } from './history.js';
import { Plot, type PlotOptions } from './plot.js';

const LIGHT = '#7cc4ff';
const WARM = '#e8b268';
const BOUND = '#ff8577';

/** Frames that the plots of every frame can show: 4 s of a 240 Hz display. */
const FRAME_CAPACITY = 960;
/** Readings of the worker's times: half a minute at 4 a second. */
const READING_CAPACITY = 120;

const OPTIONS = {
  step: {
    title: 'Step',
    explanation: 'Median and maximum step time, and the tick budget (dashed), over 30 s, in ms',
    series: [{ color: WARM }, { color: LIGHT }, { color: BOUND, style: 'dashed' }],
    spanSeconds: 30,
    range: (_, max) => [0, Math.max(1, max * 1.15)],
  },
  lateness: {
    title: 'Lateness',
    explanation: 'Lateness of the worker, median and maximum, over 30 s, in ms',
    series: [{ color: WARM }, { color: LIGHT }],
    spanSeconds: 30,
    range: (_, max) => [0, Math.max(0.5, max * 1.15)],
  },
  error: {
    title: 'Animation error',
    explanation:
      'How much too far or too little each frame moved, over 4 s, in ms of simulated time',
    series: [{ color: LIGHT }],
    spanSeconds: 4,
    range: (min, max) => {
      const size = Math.max(0.5, 1.15 * Math.max(-min, max));
      return [-size, size];
    },
  },
  alpha: {
    title: 'Alpha',
    explanation: 'Position of each frame between its two states, from 0 to 1, over 1 s',
    series: [{ color: LIGHT, style: 'points' }],
    spanSeconds: 1,
    range: () => [-0.04, 1.04],
  },
} as const satisfies Record<string, PlotOptions>;

type PlotName = keyof typeof OPTIONS;
export const PLOT_NAMES = Object.keys(OPTIONS) as PlotName[];

export class Plots {
  readonly #plots: Readonly<Record<PlotName, Plot>>;
  readonly #histories: Readonly<Record<PlotName, History>> = {
    step: new History(READING_CAPACITY, 3),
    lateness: new History(READING_CAPACITY, 2),
    error: new History(FRAME_CAPACITY, 1),
    alpha: new History(FRAME_CAPACITY, 1),
  };
  #next = 0;

  constructor(parent: HTMLElement, widthPx: number) {
    const create = (name: PlotName): Plot => {
      const plot = new Plot(OPTIONS[name], widthPx);
      plot.element.dataset['plot'] = name;
      parent.append(plot.element);
      return plot;
    };
    this.#plots = {
      step: create('step'),
      lateness: create('lateness'),
      error: create('error'),
      alpha: create('alpha'),
    };
  }

  /** Takes the values that every frame has. */
  addFrame(frameSeconds: number, alpha: number, animationErrorMs: number): void {
    this.#histories.alpha.push(frameSeconds, alpha);
    this.#histories.error.push(frameSeconds, animationErrorMs);
  }

  /**
   * Takes the worker's times and puts the newest numbers into the captions.
   *
   * @param recent What the worker did since the last reading.
   */
  addReading(
    frameSeconds: number,
    statistics: SimulationStatistics,
    recent: Pick<SimulationStatistics, 'stepMs' | 'latenessMs'>,
  ): void {
    const { animationErrorMs, alpha, tickRateHz, timeScale } = statistics;
    const { stepMs, latenessMs } = recent;
    // Stretched time stretches the time that a tick may take.
    const budgetMs = 1000 / (tickRateHz * timeScale);
    if (Number.isFinite(stepMs.max)) {
      this.#histories.step.push(frameSeconds, stepMs.max, stepMs.p50, budgetMs);
    }
    if (Number.isFinite(latenessMs.max)) {
      this.#histories.lateness.push(frameSeconds, latenessMs.max, latenessMs.p50);
    }
    this.#plots.step.setValues(
      `${ms(stepMs.p50)} · max ${ms(stepMs.max)} · budget ${ms(budgetMs)} ms`,
    );
    this.#plots.lateness.setValues(`${ms(latenessMs.p50)} · max ${ms(latenessMs.max)} ms`);
    this.#plots.error.setValues(
      `mean ${ms(animationErrorMs.mean)} · max ${ms(animationErrorMs.max)} ms`,
    );
    this.#plots.alpha.setValues(alpha.toFixed(2));
  }

  /**
   * Draws one of the given plots and advances to the next, so that no frame pays for all of them.
   */
  drawNext(names: readonly PlotName[], frameSeconds: number): void {
    this.#next = (this.#next + 1) % names.length;
    const name = names[this.#next];
    if (name === undefined) return;
    const plot = this.#plots[name];
    plot.draw(this.#histories[name].since(frameSeconds - plot.spanSeconds), frameSeconds);
  }

  /** Marks the plot that a small display shows. */
  select(name: PlotName): void {
    for (const other of PLOT_NAMES) {
      this.#plots[other].element.classList.toggle('selected', other === name);
    }
  }

  titleOf(name: PlotName): string {
    return this.#plots[name].title;
  }

  setWidth(widthPx: number): void {
    for (const name of PLOT_NAMES) this.#plots[name].setWidth(widthPx);
  }

  clear(): void {
    for (const name of PLOT_NAMES) this.#histories[name].clear();
  }
}

export type { PlotName };

function ms(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}
