/** What `stats()` answers, and where the numbers come from. */
import type { FrameSummary } from '../shared/frame-statistics.js';
import { Histogram, type Percentiles } from '../shared/histogram.js';
import { HISTOGRAM_SHAPE, SLOT_HEADER, STATISTICS, type BufferViews } from '../shared/layout.js';
import type { InterpolationMode } from '../shared/timeline.js';
import type { ClockAlignment } from './clock-alignment.js';

export type SimulationState = 'running' | 'paused' | 'failed' | 'disposed';

/** A plain object that can be cloned and printed. Times in ms unless named otherwise. */
export interface SimulationStatistics extends FrameSummary {
  readonly state: SimulationState;
  /** Number of the newest tick. */
  readonly tick: number;
  readonly tickRateHz: number;
  readonly timeScale: number;
  /** Time since tick 0 less pauses and gaps; ticks and dropped ticks together fill it. */
  readonly elapsedMs: number;
  readonly simulatedS: number;
  readonly bodies: number;
  readonly bodyCapacity: number;

  // Since the last resetStats():
  /** Ticks that ran. */
  readonly ticks: number;
  /** Ticks that were due and given up. */
  readonly droppedTicks: number;
  /** Share of due ticks that ran: simulated time over real time. 1 when nothing was due. */
  readonly effectiveSpeed: number;
  /** Passes of the worker's loop. */
  readonly iterations: number;
  /** Passes that ran more than one tick. */
  readonly catchUpPasses: number;
  /** Times that the worker woke so late that it counts as a pause. */
  readonly gaps: number;
  /** Poses refused because a number in them was NaN or infinite. */
  readonly invalidPoses: number;
  /** Cost of the simulation's step. */
  readonly stepMs: Percentiles;
  /** Cost of publishing a snapshot. */
  readonly publishMs: Percentiles;
  /** Wake-up minus due time. */
  readonly latenessMs: Percentiles;

  // Now:
  /** Less than 95 % of the due ticks of the last second ran. */
  readonly isSlow: boolean;
  readonly interpolation: InterpolationMode;
  readonly alpha: number;
  /** How far the display runs behind the schedule: one period and the margin. */
  readonly delayMs: number;
  readonly marginMs: number;
  /** Animation error of the newest frame, signed. */
  readonly lastAnimationErrorMs: number;
  /** How the worker's clock was aligned with the page's, and to within what. */
  readonly clock: ClockAlignment;
}

/** What the worker counted and measured since a reader's last `reset()`; see {@link SimulationStatistics}. */
export type WorkerCounts = ReturnType<WorkerCounters['read']>;

/** Reads the worker's counters, less what stood there at the last reset of this reader. */
export class WorkerCounters {
  readonly #words: Int32Array;
  readonly #baseline: Int32Array;
  readonly #step: Histogram;
  readonly #publish: Histogram;
  readonly #lateness: Histogram;

  constructor(views: BufferViews) {
    this.#words = views.statistics;
    this.#baseline = new Int32Array(views.statistics.length);
    this.#step = new Histogram(HISTOGRAM_SHAPE, views.histograms.step);
    this.#publish = new Histogram(HISTOGRAM_SHAPE, views.histograms.publish);
    this.#lateness = new Histogram(HISTOGRAM_SHAPE, views.histograms.lateness);
  }

  reset(): void {
    this.#baseline.set(this.#words);
    for (const histogram of [this.#step, this.#publish, this.#lateness]) histogram.rebase();
  }

  read() {
    const ticks = this.#since('ticks');
    const droppedTicks = this.#since('droppedTicks');
    const due = ticks + droppedTicks;
    return {
      ticks,
      droppedTicks,
      effectiveSpeed: due === 0 ? 1 : ticks / due,
      iterations: this.#since('passes'),
      catchUpPasses: this.#since('catchUpPasses'),
      gaps: this.#since('gaps'),
      invalidPoses: this.#since('invalidPoses'),
      stepMs: this.#step.percentiles(),
      publishMs: this.#publish.percentiles(),
      latenessMs: this.#lateness.percentiles(),
      isSlow: Atomics.load(this.#words, STATISTICS.slow) !== 0,
    };
  }

  #since(counter: keyof typeof STATISTICS): number {
    const index = STATISTICS[counter];
    return (Atomics.load(this.#words, index) - (this.#baseline[index] ?? 0)) | 0;
  }
}

/** What the worker's status says about time and bodies. */
export function describeStatus(status: Float64Array, pageMs: number) {
  const field = (name: keyof typeof SLOT_HEADER): number => status[SLOT_HEADER[name]] ?? 0;
  const pausedRunMs = field('pausedRunMs');
  const runMs = Number.isNaN(pausedRunMs) ? pageMs - field('shiftMs') : pausedRunMs;
  return {
    tick: field('newestTick'),
    simulatedS: field('newestSimulatedS'),
    tickRateHz: field('tickRateHz'),
    timeScale: field('timeScale'),
    elapsedMs: runMs - field('originRunMs') + field('droppedMs'),
    bodies: field('bodyCount'),
  };
}
