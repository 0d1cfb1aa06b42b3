/** One small plot of the head-up display: a caption with the newest numbers, and uPlot below. */
import type uPlot from 'uplot';
import { make, setText } from '../../../site/common/elements.js';
import type { HistoryColumns } from './history.js';

/**
 * Loaded once for all plots, while the simulation starts. It may fail: where the system has no
 * language, WebKitGTK reports "C" as the page's language, and uPlot throws on load. The page then
 * works without plots.
 */
const loading = import('uplot').then(({ default: chart }) => chart);
loading.catch(() => {});

const HEIGHT_PX = 58;
const AXIS_WIDTH_PX = 34;
const AXIS_FONT = '10px system-ui, sans-serif';
const AXIS_COLOR = '#9aa4b5';
const GRID_COLOR = 'rgb(255 255 255 / 8%)';

/** How a series looks: a line of this colour, dashed for a bound, or points. */
export interface SeriesLook {
  readonly color: string;
  readonly style?: 'line' | 'dashed' | 'points';
}

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

export class Plot {
  readonly element = make('figure', 'plot');
  readonly title: string;
  readonly spanSeconds: number;
  readonly #values = make('span', 'plot-values');
  readonly #options: PlotOptions;
  /** Undefined until uPlot is there. */
  #chart: uPlot | undefined;
  #widthPx: number;
  #endSeconds = 0;

  constructor(options: PlotOptions, widthPx: number) {
    this.title = options.title;
    this.spanSeconds = options.spanSeconds;
    const caption = make('figcaption');
    caption.append(make('span', 'plot-title', options.title), this.#values);
    this.element.title = options.explanation;
    this.element.append(caption);
    this.#options = options;
    this.#widthPx = widthPx;
    loading.then(
      (Chart) => this.#show(Chart),
      (error: unknown) => {
        this.element.append(make('p', 'plot-failed', `No plot: ${String(error)}`));
      },
    );
  }

  #show(Chart: typeof uPlot): void {
    const options = this.#options;
    const chart = new Chart(
      {
        width: this.#widthPx,
        height: HEIGHT_PX,
        pxAlign: false,
        padding: [5, 4, 5, 0],
        legend: { show: false },
        cursor: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        scales: {
          x: { time: false, range: () => [this.#endSeconds - this.spanSeconds, this.#endSeconds] },
          y: { range: (_, min, max) => options.range(min ?? 0, max ?? 0) },
        },
        axes: [
          { show: false },
          {
            size: AXIS_WIDTH_PX,
            space: 14,
            gap: 3,
            font: AXIS_FONT,
            stroke: AXIS_COLOR,
            grid: { stroke: GRID_COLOR, width: 1 },
            ticks: { show: false },
          },
        ],
        series: [{}, ...options.series.map(seriesOptions)],
      },
      [[], ...options.series.map(() => [])],
      this.element,
    );
    chart.root.setAttribute('role', 'img');
    chart.root.setAttribute('aria-label', options.explanation);
    this.#chart = chart;
  }

  /** Draws. @param endSeconds Time at the right edge. */
  draw(columns: HistoryColumns, endSeconds: number): void {
    this.#endSeconds = endSeconds;
    this.#chart?.setData(columns);
  }

  /** Puts the newest numbers into the caption. */
  setValues(text: string): void {
    setText(this.#values, text);
  }

  setWidth(widthPx: number): void {
    if (widthPx <= 0 || widthPx === this.#widthPx) return;
    this.#widthPx = widthPx;
    this.#chart?.setSize({ width: widthPx, height: HEIGHT_PX });
  }
}

function seriesOptions({ color, style = 'line' }: SeriesLook): uPlot.Series {
  if (style === 'points') {
    return { paths: () => null, points: { show: true, size: 2.5, width: 0, fill: color } };
  }
  const dash = style === 'dashed' ? { dash: [4, 3] } : {};
  return { stroke: color, width: 1.25, points: { show: false }, ...dash };
}
