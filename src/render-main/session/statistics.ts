/** The sources of the numbers in `stats()`. */
import { Histogram } from '../../shared/statistics/histogram.js';
import {
  HISTOGRAM_NAMES,
  HISTOGRAM_SHAPE,
  SLOT_HEADER,
  STATISTICS,
  type BufferViews,
  type HistogramName,
} from '../../shared/memory/layout.js';
import { WATCHDOG_STATES } from '../../shared/statistics/watchdog.js';
import type {
  Counters,
  SimulationState,
  SimulationStatistics,
  WorkerCounts,
} from '../api/simulation-statistics.js';
import type { Session } from './session.js';

/** Reads the worker's counters relative to this reader's last reset. */
export class WorkerCounters implements Counters {
  readonly #viewsOf: () => BufferViews;
  #views: BufferViews | undefined;
  #words: Int32Array = new Int32Array(0);
  #baseline = new Int32Array(0);
  #histograms: Readonly<Record<HistogramName, Histogram>> | undefined;

  /** @param viewsOf Returns the current worker's memory: counts restart with another worker. */
  constructor(viewsOf: () => BufferViews) {
    this.#viewsOf = viewsOf;
  }

  reset(): void {
    const histograms = this.#follow();
    this.#baseline.set(this.#words);
    for (const name of HISTOGRAM_NAMES) histograms[name].rebase();
  }

  read(): WorkerCounts {
    const { step, publish, lateness, inputLatency } = this.#follow();
    const ticks = this.#since(STATISTICS.ticks);
    const droppedTicks = this.#since(STATISTICS.droppedTicks);
    const due = ticks + droppedTicks;
    return {
      ticks,
      droppedTicks,
      effectiveSpeed: due === 0 ? 1 : ticks / due,
      iterations: this.#since(STATISTICS.passes),
      catchUpPasses: this.#since(STATISTICS.catchUpPasses),
      gaps: this.#since(STATISTICS.gaps),
      invalidPoses: this.#since(STATISTICS.invalidPoses),
      inputs: this.#since(STATISTICS.inputs),
      lateInputs: this.#since(STATISTICS.lateInputs),
      timedCommands: this.#since(STATISTICS.timedCommands),
      events: this.#since(STATISTICS.events),
      stepMs: step.percentiles(),
      publishMs: publish.percentiles(),
      latenessMs: lateness.percentiles(),
      inputLatencyMs: inputLatency.percentiles(),
      watchdog: WATCHDOG_STATES[Atomics.load(this.#words, STATISTICS.watchdog)] ?? 'ok',
      isSlow: Atomics.load(this.#words, STATISTICS.slow) !== 0,
    };
  }

  /** A restarted simulation counts in other memory. */
  #follow(): Readonly<Record<HistogramName, Histogram>> {
    const views = this.#viewsOf();
    if (this.#histograms !== undefined && views === this.#views) return this.#histograms;
    this.#views = views;
    this.#words = views.statistics;
    this.#baseline = new Int32Array(views.statistics.length);
    const histograms = HISTOGRAM_NAMES.map((name) => [
      name,
      new Histogram(HISTOGRAM_SHAPE, views.histograms[name]),
    ]);
    this.#histograms = Object.fromEntries(histograms) as Record<HistogramName, Histogram>;
    return this.#histograms;
  }

  /** @param counter Index from STATISTICS. */
  #since(counter: number): number {
    return (Atomics.load(this.#words, counter) - (this.#baseline[counter] ?? 0)) | 0;
  }
}

/** Time and bodies from the worker's status. */
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

/** Assembles `stats()`. */
export function summarize(
  session: Session,
  state: SimulationState,
  counters: WorkerCounters,
): SimulationStatistics {
  const { sampler, link, inputs, events, recorder } = session;
  const { alpha, delayMs, marginMs } = sampler.placed;
  return {
    alpha,
    delayMs,
    marginMs,
    state,
    transport: link.transport.kind,
    interpolation: sampler.timeline.mode,
    bodyCapacity: link.views.layout.capacity,
    clock: link.clock,
    lastAnimationErrorMs: sampler.statistics.lastErrorMs,
    refusedInputs: inputs.refused,
    lostEvents: events.lost,
    droppedEvents: events.dropped,
    recordingBytes: recorder.bytes,
    isRecordingFull: recorder.fullAt !== undefined,
    ...describeStatus(link.status.read(), performance.now()),
    // While a worker is replaced, the memory says where the old one was, or the new one is.
    tick: session.tick,
    ...counters.read(),
    ...sampler.statistics.summary(),
  };
}
