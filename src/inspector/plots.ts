/** The four plots, the values that they show, and the buttons that choose one where there is no room for all. */
import type { Counters, SimulationStatistics } from '../render-main/api/simulation-statistics.js';
import { make, makeButton, makeGroup } from './elements.js';
import { History } from './history.js';
import { Plot, type PlotOptions } from './plot.js';

/** Frames that the plots of every frame can show: 4 s of a 240 Hz display. */
const FRAME_CAPACITY = 960;
/** Readings of the worker's times: half a minute at 4 a second. */
const READING_CAPACITY = 120;
/** Here four plots would reach the lower edge, so one at a time is shown. As in styles.ts. */
export const ONE_PLOT = '(max-width: 640px), (max-height: 640px)';

const OPTIONS = {
  step: {
    title: 'Step',
    explanation: 'Median and maximum step time, and the tick budget (dashed), over 30 s, in ms',
    series: [{ color: 'warm' }, { color: 'cool' }, { color: 'bound', style: 'dashed' }],
    spanSeconds: 30,
    range: (_, max) => [0, Math.max(1, max * 1.15)],
  },
  lateness: {
    title: 'Lateness',
    explanation: 'Lateness of the worker, median and maximum, over 30 s, in ms',
    series: [{ color: 'warm' }, { color: 'cool' }],
    spanSeconds: 30,
    range: (_, max) => [0, Math.max(0.5, max * 1.15)],
  },
  error: {
    title: 'Animation error',
    explanation:
      'How much too far or too little each frame moved, over 4 s, in ms of simulated time',
    series: [{ color: 'cool' }],
    spanSeconds: 4,
    range: (min, max) => {
      const size = Math.max(0.5, 1.15 * Math.max(-min, max));
      return [-size, size];
    },
  },
  alpha: {
    title: 'Alpha',
    explanation: 'Position of each frame between its two states, from 0 to 1, over 1 s',
    series: [{ color: 'cool', style: 'points' }],
    spanSeconds: 1,
    range: () => [-0.04, 1.04],
  },
} as const satisfies Record<string, PlotOptions>;

type PlotName = keyof typeof OPTIONS;
const NAMES = Object.keys(OPTIONS) as PlotName[];

const capacityOf = (name: PlotName): number =>
  name === 'step' || name === 'lateness' ? READING_CAPACITY : FRAME_CAPACITY;

const byName = <T>(create: (name: PlotName) => T): Readonly<Record<PlotName, T>> =>
  Object.fromEntries(NAMES.map((name) => [name, create(name)])) as Record<PlotName, T>;

/** The plots in the page. */
export class Plots {
  /** The buttons, and below them the plots. */
  readonly element = make('div', 'plots');
  readonly #oneAtATime: MediaQueryList;
  readonly #plots = byName((name) => new Plot(OPTIONS[name]));
  readonly #histories = byName(
    (name) => new History(capacityOf(name), OPTIONS[name].series.length),
  );
  readonly #buttons = byName((name) =>
    makeButton(OPTIONS[name].title, () => {
      this.#select(name);
    }),
  );
  #selected: PlotName = 'step';
  #next = 0;

  constructor(oneAtATime: MediaQueryList) {
    this.#oneAtATime = oneAtATime;
    const plots = NAMES.map((name) => this.#plots[name].element);
    for (const name of NAMES) {
      this.#plots[name].element.dataset['plot'] = name;
      this.#buttons[name].dataset['plot'] = name;
    }
    const buttons = NAMES.map((name) => this.#buttons[name]);
    this.element.append(makeGroup('plot-switch', 'Plot', ...buttons), ...plots);
    this.#select('step');
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
    recent: ReturnType<Counters['read']>,
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

  /** Draws one of the shown plots and advances to the next, so that no frame pays for all of them. */
  drawNext(frameSeconds: number): void {
    const names = this.#shown;
    this.#next = (this.#next + 1) % names.length;
    this.#draw(names[this.#next] ?? 'step', frameSeconds);
  }

  /** Draws all that are shown. */
  drawAll(frameSeconds: number): void {
    for (const name of this.#shown) this.#draw(name, frameSeconds);
  }

  clear(): void {
    for (const name of NAMES) this.#histories[name].clear();
  }

  get #shown(): readonly PlotName[] {
    return this.#oneAtATime.matches ? [this.#selected] : NAMES;
  }

  #draw(name: PlotName, frameSeconds: number): void {
    const plot = this.#plots[name];
    plot.draw(this.#histories[name].since(frameSeconds - plot.options.spanSeconds), frameSeconds);
  }

  /** Chooses the plot that a small window shows. */
  #select(name: PlotName): void {
    this.#selected = name;
    for (const other of NAMES) {
      this.#plots[other].element.classList.toggle('selected', other === name);
      this.#buttons[other].setAttribute('aria-pressed', String(other === name));
    }
  }
}

function ms(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}
