/** The four plots, their values, and the buttons that choose one plot in small windows. */
import type { Counters, SimulationStatistics } from '../render-main/api/simulation-statistics.js';
import { make, makeButton, makeGroup, setText } from './elements.js';

/** Frames that the plots of every frame can show: 4 s of a 240 Hz display. */
const FRAME_CAPACITY = 960;
/** Readings of the worker's times: half a minute at 4 a second. */
const READING_CAPACITY = 120;
/** Windows so small show one plot at a time: four would reach the lower edge. As in STYLES. */
export const ONE_PLOT = '(max-width: 640px), (max-height: 640px)';

const OPTIONS = {
  step: {
    title: 'Step',
    explanation: 'Median and maximum step time, and the tick budget (dashed), over 30 s, in ms',
    series: [{ color: 'warm' }, { color: 'cool' }, { color: 'bound', style: 'dashed' }],
    spanSeconds: 30,
    capacity: READING_CAPACITY,
    range: (_, max) => [0, Math.max(1, max * 1.15)],
  },
  lateness: {
    title: 'Lateness',
    explanation: 'Lateness of the worker, median and maximum, over 30 s, in ms',
    series: [{ color: 'warm' }, { color: 'cool' }],
    spanSeconds: 30,
    capacity: READING_CAPACITY,
    range: (_, max) => [0, Math.max(0.5, max * 1.15)],
  },
  error: {
    title: 'Animation error',
    explanation:
      'How much too far or too little each frame moved, over 4 s, in ms of simulated time',
    series: [{ color: 'cool' }],
    spanSeconds: 4,
    capacity: FRAME_CAPACITY,
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
    capacity: FRAME_CAPACITY,
    range: () => [-0.04, 1.04],
  },
} as const satisfies Record<string, PlotOptions>;

type PlotName = keyof typeof OPTIONS;
const NAMES = Object.keys(OPTIONS) as PlotName[];

const byName = <T>(create: (name: PlotName) => T): Readonly<Record<PlotName, T>> =>
  Object.fromEntries(NAMES.map((name) => [name, create(name)])) as Record<PlotName, T>;

/** The four plots. */
export class Plots {
  /** The buttons, and below them the plots. */
  readonly element = make('div', 'plots');
  readonly #oneAtATime: MediaQueryList;
  readonly #plots = byName((name) => new Plot(OPTIONS[name]));
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
    this.#plots.alpha.history.push(frameSeconds, alpha);
    this.#plots.error.history.push(frameSeconds, animationErrorMs);
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
      this.#plots.step.history.push(frameSeconds, stepMs.max, stepMs.p50, budgetMs);
    }
    if (Number.isFinite(latenessMs.max)) {
      this.#plots.lateness.history.push(frameSeconds, latenessMs.max, latenessMs.p50);
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
    this.#plots[names[this.#next] ?? 'step'].draw(frameSeconds);
  }

  /** Draws all that are shown. */
  drawAll(frameSeconds: number): void {
    for (const name of this.#shown) this.#plots[name].draw(frameSeconds);
  }

  clear(): void {
    for (const name of NAMES) this.#plots[name].history.clear();
  }

  get #shown(): readonly PlotName[] {
    return this.#oneAtATime.matches ? [this.#selected] : NAMES;
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

/** As in STYLES. */
const HEIGHT_PX = 53;
const AXIS_WIDTH_PX = 34;
/** Room above and below the curves, and to the right of them. */
const EDGE_PX = 5;
const FONT = '10px system-ui, sans-serif';
const POINT_PX = 2.5;

/** How a series looks. Its colours are in STYLES, for dark and for light pages. */
interface SeriesLook {
  readonly color: 'cool' | 'warm' | 'bound';
  readonly style?: 'line' | 'dashed' | 'points';
}

/** The series of a plot, and its scale. */
interface PlotOptions {
  readonly title: string;
  /** Describes the series and their time, for the tooltip and for screen readers. */
  readonly explanation: string;
  readonly series: readonly SeriesLook[];
  /** Seconds that the plot is wide. */
  readonly spanSeconds: number;
  /** Most points that it shows. */
  readonly capacity: number;
  /** Range of the y axis for the least and largest value in sight. */
  readonly range: (min: number, max: number) => [number, number];
}

/** Converts values into positions on the canvas. */
interface Scale {
  readonly x: (seconds: number) => number;
  readonly y: (value: number) => number;
}

/** One plot: a caption with the newest numbers, and a canvas below. */
class Plot {
  readonly element = make('figure', 'plot');
  readonly history: History;
  readonly #options: PlotOptions;
  readonly #values = make('span', 'plot-values');
  readonly #canvas = make('canvas');
  /** Without a size, they have the colours that the styles give them. */
  readonly #swatches: readonly HTMLElement[];

  constructor(options: PlotOptions) {
    this.#options = options;
    this.history = new History(options.capacity, options.series.length);
    const caption = make('figcaption');
    this.#swatches = options.series.map(({ color }) => make('i', color));
    caption.append(make('span', 'plot-title', options.title), this.#values, ...this.#swatches);
    this.#canvas.setAttribute('role', 'img');
    this.#canvas.setAttribute('aria-label', options.explanation);
    this.element.title = options.explanation;
    this.element.append(caption, this.#canvas);
  }

  /** Puts the newest numbers into the caption. */
  setValues(text: string): void {
    setText(this.#values, text);
  }

  /** Draws. @param endSeconds Time at the right edge. */
  draw(endSeconds: number): void {
    const widthPx = this.#canvas.clientWidth;
    const context = this.#canvas.getContext('2d');
    // Not shown.
    if (widthPx === 0 || context === null) return;
    this.#clear(context, widthPx);
    const { range, spanSeconds } = this.#options;
    const [times, ...series] = this.history.since(endSeconds - spanSeconds);
    const [min, max] = range(...extentOf(series));
    const plotWidthPx = widthPx - AXIS_WIDTH_PX - EDGE_PX;
    const plotHeightPx = HEIGHT_PX - 2 * EDGE_PX;
    const scale: Scale = {
      x: (seconds) =>
        AXIS_WIDTH_PX + plotWidthPx * Math.max(0, 1 - (endSeconds - seconds) / spanSeconds),
      y: (value) => EDGE_PX + (plotHeightPx * (max - value)) / (max - min),
    };
    this.#drawGrid(context, gridValues(min, max, plotHeightPx), scale, widthPx);
    for (const [index, values] of series.entries())
      this.#drawSeries(context, index, times, values, scale);
  }

  /** The canvas has the pixels of the display; drawing uses CSS pixels. */
  #clear(context: CanvasRenderingContext2D, widthPx: number): void {
    const [width, height] = [widthPx, HEIGHT_PX].map((px) => Math.round(px * devicePixelRatio));
    // Setting a size clears it, and is slow.
    if (this.#canvas.width !== width) this.#canvas.width = width ?? 0;
    if (this.#canvas.height !== height) this.#canvas.height = height ?? 0;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, widthPx, HEIGHT_PX);
  }

  #drawGrid(
    context: CanvasRenderingContext2D,
    values: readonly number[],
    { y }: Scale,
    widthPx: number,
  ): void {
    context.fillStyle = getComputedStyle(this.element).color;
    context.font = FONT;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (const value of values) {
      context.globalAlpha = 0.8;
      context.fillText(gridLabel(value), AXIS_WIDTH_PX - 4, y(value));
      context.globalAlpha = 0.12;
      context.fillRect(AXIS_WIDTH_PX, Math.round(y(value)), widthPx - AXIS_WIDTH_PX, 1);
    }
    context.globalAlpha = 1;
  }

  #drawSeries(
    context: CanvasRenderingContext2D,
    index: number,
    times: Float64Array,
    values: Float64Array,
    { x, y }: Scale,
  ): void {
    const swatch = this.#swatches[index];
    const color = swatch === undefined ? '' : getComputedStyle(swatch).color;
    const { style = 'line' } = this.#options.series[index] ?? {};
    context.fillStyle = color;
    context.strokeStyle = color;
    context.lineWidth = 1.25;
    context.setLineDash(style === 'dashed' ? [4, 3] : []);
    context.beginPath();
    for (let at = 0; at < times.length; at++) {
      const [left, top] = [x(times[at] ?? 0), y(values[at] ?? 0)];
      if (style === 'points')
        context.fillRect(left - POINT_PX / 2, top - POINT_PX / 2, POINT_PX, POINT_PX);
      else context.lineTo(left, top);
    }
    context.stroke();
  }
}

/** Space between two lines of the grid, in CSS pixels. */
const SPACE_PX = 18;

/** @returns Round values within a range, far enough apart to be labelled. */
export function gridValues(min: number, max: number, heightPx: number): number[] {
  const step = roundStep(((max - min) * SPACE_PX) / heightPx);
  const values: number[] = [];
  for (let index = Math.ceil(min / step); index * step <= max; index++) values.push(index * step);
  return values;
}

/** @returns The least of 1, 2 and 5 times a power of ten that is not smaller. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** @returns A short text of such a value: `0.05`, `12`. */
export const gridLabel = (value: number): string => String(Number(value.toPrecision(4)));

/** @returns The least and the largest of several series; `[0, 0]` without any values. */
export function extentOf(series: readonly Float64Array[]): [min: number, max: number] {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of series) {
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return min > max ? [0, 0] : [min, max];
}

/** Times, and values of each series, oldest first. */
type HistoryColumns = [x: Float64Array, ...series: Float64Array[]];

/** The newest points of a plot, in columns as it draws them. */
export class History {
  readonly #capacity: number;
  readonly #columns: readonly Float64Array[];
  #end = 0;

  /**
   * @param capacity Maximum number of shown points; older ones are dropped.
   * @param seriesCount Values of each point besides its time.
   */
  constructor(capacity: number, seriesCount: number) {
    this.#capacity = capacity;
    // Twice the room: values are moved only when all of it is used up.
    this.#columns = Array.from({ length: seriesCount + 1 }, () => new Float64Array(2 * capacity));
  }

  /** Adds a point. Cheap enough for every frame. */
  push(...point: readonly number[]): void {
    if (this.#end === 2 * this.#capacity) {
      for (const column of this.#columns) column.copyWithin(0, this.#capacity);
      this.#end = this.#capacity;
    }
    for (let index = 0; index < this.#columns.length; index++) {
      const column = this.#columns[index];
      if (column !== undefined) column[this.#end] = point[index] ?? Number.NaN;
    }
    this.#end += 1;
  }

  /** The points from a time on; views that hold until the next {@link push}. */
  since(x: number): HistoryColumns {
    const times = this.#columns[0];
    let start = Math.max(0, this.#end - this.#capacity);
    while (start < this.#end && (times?.[start] ?? 0) < x) start += 1;
    return this.#columns.map((column) => column.subarray(start, this.#end)) as HistoryColumns;
  }

  clear(): void {
    this.#end = 0;
  }
}
