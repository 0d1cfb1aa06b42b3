/** One small plot: a caption with the newest numbers, and a canvas below. */
import type { HistoryColumns } from './history.js';
import { make, setText } from './elements.js';
import { extentOf, gridLabel, gridValues } from './plot-scale.js';

/** As in styles.ts. */
const HEIGHT_PX = 53;
const AXIS_WIDTH_PX = 34;
/** Room above and below the curves, and to the right of them. */
const EDGE_PX = 5;
const FONT = '10px system-ui, sans-serif';
const POINT_PX = 2.5;

/** How a series looks. Its colours are in styles.ts, for dark and for light pages. */
export interface SeriesLook {
  readonly color: 'cool' | 'warm' | 'bound';
  readonly style?: 'line' | 'dashed' | 'points';
}

/** What a plot shows. */
export interface PlotOptions {
  readonly title: string;
  /** What is plotted and over which time, for the pointer's tip and for screen readers. */
  readonly explanation: string;
  readonly series: readonly SeriesLook[];
  /** Seconds that the plot is wide. */
  readonly spanSeconds: number;
  /** Range of the y axis for the least and largest value in sight. */
  readonly range: (min: number, max: number) => [number, number];
}

/** Where values are in the canvas. */
interface Scale {
  readonly x: (seconds: number) => number;
  readonly y: (value: number) => number;
}

/** A plot in the page. */
export class Plot {
  readonly element = make('figure', 'plot');
  readonly options: PlotOptions;
  readonly #values = make('span', 'plot-values');
  readonly #canvas = make('canvas');
  /** Without a size, they have the colours that the styles give them. */
  readonly #swatches: readonly HTMLElement[];

  constructor(options: PlotOptions) {
    this.options = options;
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
  draw([times, ...series]: HistoryColumns, endSeconds: number): void {
    const widthPx = this.#canvas.clientWidth;
    const context = this.#canvas.getContext('2d');
    // Not shown.
    if (widthPx === 0 || context === null) return;
    this.#clear(context, widthPx);
    const { range, spanSeconds } = this.options;
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

  /** A canvas has the pixels of the display, and is drawn in those of the page. */
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
    const { style = 'line' } = this.options.series[index] ?? {};
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
