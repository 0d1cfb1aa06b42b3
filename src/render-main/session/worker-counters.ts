/** Reads the counts and the status that a worker writes, for `stats()`. */
import { Histogram } from '../../shared/statistics/histogram.js';
import {
  HISTOGRAM_NAMES,
  HISTOGRAM_SHAPE,
  SLOT_HEADER,
  STATISTICS,
  type BufferViews,
  type HistogramName,
} from '../../shared/memory/layout.js';
import type { Counters, SimulationStatistics, WorkerCounts } from '../api/simulation-statistics.js';

/**
 * Time that this page has spent in renderers, in ms; NaN if none is measured. An application's renderer does not know the
 * simulations whose statistics contain it.
 */
export const rendererTime = { ms: Number.NaN };

/** The load is measured over at least this time, in ms, if there are readings as old as that. */
const LOAD_MS = 1000;

/** Sums of times at a moment; see `#readings`. */
type Sums = [number, number, number, number, number];

/** Reads the worker's counters relative to this reader's last reset. */
export class WorkerCounters implements Counters {
  readonly #viewsOf: () => BufferViews;
  #views: BufferViews | undefined;
  #baseline = new Int32Array(0);
  #histograms = {} as Readonly<Record<HistogramName, Histogram>>;
  /** Page time, sampling and rendering in ms; the worker's sleep and last wake-up in µs. The oldest first. */
  #readings: number[][] = [];

  /** @param viewsOf Returns the current worker's memory: counts restart with another worker. */
  constructor(viewsOf: () => BufferViews) {
    this.#viewsOf = viewsOf;
  }

  reset(): void {
    const words = this.#follow();
    this.#baseline.set(words);
    for (const name of HISTOGRAM_NAMES) this.#histograms[name].rebase();
  }

  read(): WorkerCounts {
    const words = this.#follow();
    const since = (counter: number): number =>
      (Atomics.load(words, counter) - (this.#baseline[counter] ?? 0)) | 0;
    const { step, publish, lateness, inputLatency } = this.#histograms;
    const ticks = since(STATISTICS.ticks);
    const droppedTicks = since(STATISTICS.droppedTicks);
    const due = ticks + droppedTicks;
    const isSlow = Atomics.load(words, STATISTICS.slow) !== 0;
    return {
      ticks,
      droppedTicks,
      effectiveSpeed: due === 0 ? 1 : ticks / due,
      iterations: since(STATISTICS.passes),
      catchUpPasses: since(STATISTICS.catchUpPasses),
      gaps: since(STATISTICS.gaps),
      invalidPoses: since(STATISTICS.invalidPoses),
      invalidValues: since(STATISTICS.invalidValues),
      inputs: since(STATISTICS.inputs),
      lateInputs: since(STATISTICS.lateInputs),
      timedCommands: since(STATISTICS.timedCommands),
      events: since(STATISTICS.events),
      stepMs: step.percentiles(),
      publishMs: publish.percentiles(),
      latenessMs: lateness.percentiles(),
      inputLatencyMs: inputLatency.percentiles(),
      isSlow,
    };
  }

  /**
   * The load of the threads in the last second, or since the last reading if that is longer.
   *
   * @param sampledMs Time taken to sample all frames so far.
   */
  load(sampledMs: number): SimulationStatistics['load'] {
    const words = this.#follow();
    const asleepUs = words[STATISTICS.asleepUs];
    const wokenUs = words[STATISTICS.wokenUs];
    const now = [performance.now(), sampledMs, rendererTime.ms, asleepUs, wokenUs] as number[];
    const readings = this.#readings;
    readings.push(now);
    const since = (reading = now): number[] =>
      now.map((value, index) => value - (reading[index] as number));
    while ((since(readings[1])[0] as number) >= LOAD_MS) readings.shift();
    const [ms, pageMs, rendererMs, asleep, woken] = since(readings[0]) as Sums;
    // The worker's counts wrap at 2^32.
    return {
      worker: 1 - (asleep >>> 0) / (woken >>> 0),
      page: pageMs / ms,
      renderer: rendererMs / ms,
    };
  }

  /** Returns the current worker's counts. A restarted simulation counts in other memory. */
  #follow(): Int32Array {
    const views = this.#viewsOf();
    if (views !== this.#views) {
      this.#views = views;
      this.#readings = [];
      this.#baseline = new Int32Array(views.statistics.length);
      const histograms = HISTOGRAM_NAMES.map((name) => [
        name,
        new Histogram(HISTOGRAM_SHAPE, views.histograms[name]),
      ]);
      this.#histograms = Object.fromEntries(histograms) as Record<HistogramName, Histogram>;
    }
    return views.statistics;
  }
}

/** The newest tick, times and bodies, by the worker's status. */
export function describeStatus(status: Float64Array, pageMs: number) {
  const field = (index: number): number => status[index] ?? 0;
  const pausedVirtualMs = field(SLOT_HEADER.pausedVirtualMs);
  const virtualMs = Number.isNaN(pausedVirtualMs)
    ? pageMs - field(SLOT_HEADER.shiftMs)
    : pausedVirtualMs;
  return {
    tick: field(SLOT_HEADER.newestTick),
    simulatedS: field(SLOT_HEADER.newestSimulatedSeconds),
    tickRateHz: field(SLOT_HEADER.tickRateHz),
    timeScale: field(SLOT_HEADER.timeScale),
    elapsedMs: virtualMs - field(SLOT_HEADER.originVirtualMs) + field(SLOT_HEADER.droppedMs),
    bodies: field(SLOT_HEADER.bodyCount),
  };
}
