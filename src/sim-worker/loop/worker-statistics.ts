/** The worker's counters in shared memory. They are written only here. */
import { recordDuration } from '../../shared/statistics/histogram.js';
import {
  HISTOGRAM_SHAPE,
  STATISTICS,
  type BufferViews,
  type HistogramName,
} from '../../shared/memory/layout.js';

/** Minimum time that being slow is based on, in ms: a hitch is not. */
const WINDOW_MS = 1000;
/** Share of due ticks that ran: slow below the first value, no longer slow above the second, so that it does not flicker. */
const SLOW_BELOW = 0.95;
const FINE_ABOVE = 0.99;

export class WorkerStatistics {
  readonly #words: Int32Array;
  readonly #histograms: BufferViews['histograms'];
  #windowStartMs: number | undefined;
  #windowTicks = 0;
  #windowDropped = 0;

  constructor(views: BufferViews) {
    this.#words = views.statistics;
    this.#histograms = views.histograms;
  }

  /** Adds to a counter of STATISTICS. The page sees it with the next publication at the latest, which is atomic. */
  add(counter: number, amount = 1): void {
    this.set(counter, (this.#words[counter] ?? 0) + amount);
  }

  set(counter: number, value: number): void {
    this.#words[counter] = value;
  }

  record(name: HistogramName, durationMs: number): void {
    recordDuration(this.#histograms[name], HISTOGRAM_SHAPE, durationMs);
  }

  /** @param latencyMs From the earliest input's stamp to the tick; NaN if there were only commands. */
  recordInputs(inputs: number, commands: number, late: number, latencyMs: number): void {
    this.add(STATISTICS.inputs, inputs);
    this.add(STATISTICS.timedCommands, commands);
    if (late > 0) this.add(STATISTICS.lateInputs, late);
    if (!Number.isNaN(latencyMs)) this.record('inputLatency', latencyMs);
  }

  get isSlow(): boolean {
    return this.#words[STATISTICS.slow] === 1;
  }

  /** Counts the ticks of a pass. Returns whether {@link isSlow} has changed. */
  recordPass(nowMs: number, ticks: number, droppedTicks: number): boolean {
    this.set(STATISTICS.wokenUs, nowMs * 1000);
    this.add(STATISTICS.passes);
    if (ticks > 0) this.add(STATISTICS.ticks, ticks);
    if (ticks > 1) this.add(STATISTICS.catchUpPasses);
    if (droppedTicks > 0) this.add(STATISTICS.droppedTicks, droppedTicks);
    this.#windowTicks += ticks;
    this.#windowDropped += droppedTicks;
    this.#windowStartMs ??= nowMs;
    if (nowMs - this.#windowStartMs < WINDOW_MS) return false;
    this.#windowStartMs = nowMs;
    const due = this.#windowTicks + this.#windowDropped;
    const share = due === 0 ? 1 : this.#windowTicks / due;
    this.#windowTicks = 0;
    this.#windowDropped = 0;
    const { isSlow } = this;
    const isSlowNow = share < (isSlow ? FINE_ABOVE : SLOW_BELOW);
    this.set(STATISTICS.slow, Number(isSlowNow));
    return isSlow !== isSlowNow;
  }
}
