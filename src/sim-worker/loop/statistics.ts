/** The worker's counters in shared memory. Only this file writes them. */
import type { TickInputs } from '../../shared/input/tick-inputs.js';
import { Histogram } from '../../shared/statistics/histogram.js';
import { Metronome } from '../../shared/time/metronome.js';
import { HISTOGRAM_SHAPE, STATISTICS, type BufferViews } from '../../shared/memory/layout.js';

type Counter = keyof typeof STATISTICS;

/** The slow flag looks at a second at a time. */
const WINDOWS_HZ = 1;
/** Share of due ticks that ran: below the first, slow; above the second, no longer. */
const SLOW_BELOW = 0.95;
const FINE_ABOVE = 0.99;

export class WorkerStatistics {
  readonly step: Histogram;
  readonly publish: Histogram;
  readonly lateness: Histogram;
  readonly inputLatency: Histogram;
  readonly #words: Int32Array;
  readonly #window = new Metronome({ rateHz: WINDOWS_HZ, earlyUnits: 1 });
  #windowTicks = 0;
  #windowDropped = 0;

  constructor(views: BufferViews) {
    this.#words = views.statistics;
    this.step = new Histogram(HISTOGRAM_SHAPE, views.histograms.step);
    this.publish = new Histogram(HISTOGRAM_SHAPE, views.histograms.publish);
    this.lateness = new Histogram(HISTOGRAM_SHAPE, views.histograms.lateness);
    this.inputLatency = new Histogram(HISTOGRAM_SHAPE, views.histograms.inputLatency);
  }

  /** Adds to a counter. A single writer needs no atomic addition; the store makes it visible. */
  add(counter: Counter, amount = 1): void {
    const index = STATISTICS[counter];
    Atomics.store(this.#words, index, (this.#words[index] ?? 0) + amount);
  }

  set(counter: Counter, value: number): void {
    Atomics.store(this.#words, STATISTICS[counter], value);
  }

  /**
   * Counts what a tick was given.
   *
   * @param taken Inputs as they were pushed, before any were merged, and what of all this came late.
   * @param latencyMs From the earliest input's stamp to the tick; NaN when there were only commands.
   */
  recordInputs(
    tickInputs: TickInputs,
    { inputCount, lateCount }: { readonly inputCount: number; readonly lateCount: number },
    latencyMs: number,
  ): void {
    this.add('inputs', inputCount);
    this.add('timedCommands', tickInputs.commands.length);
    if (lateCount > 0) this.add('lateInputs', lateCount);
    if (!Number.isNaN(latencyMs)) this.inputLatency.record(latencyMs);
  }

  /** Counts a pass's ticks and keeps the slow flag. */
  recordPass(nowMs: number, ticks: number, droppedTicks: number): void {
    this.add('passes');
    if (ticks > 0) this.add('ticks', ticks);
    if (ticks > 1) this.add('catchUpPasses');
    if (droppedTicks > 0) this.add('droppedTicks', droppedTicks);
    this.#windowTicks += ticks;
    this.#windowDropped += droppedTicks;
    if (this.#window.advance(Math.round(nowMs * 1000)) === 0) return;
    const due = this.#windowTicks + this.#windowDropped;
    const share = due === 0 ? 1 : this.#windowTicks / due;
    if (share < SLOW_BELOW) this.set('slow', 1);
    else if (share > FINE_ABOVE) this.set('slow', 0);
    this.#windowTicks = 0;
    this.#windowDropped = 0;
  }
}
