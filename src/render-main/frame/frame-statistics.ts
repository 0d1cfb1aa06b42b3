/** Counts what a display did, frame by frame. Pure: its input is the timeline's frames. */
import { Histogram, type HistogramShape } from '../../shared/statistics/histogram.js';
import type { FrameSummary } from '../api/simulation-statistics.js';
import type { Frame } from './frame.js';

/** 1 µs up to 8 ms, 2 µs up to 16 ms: distinguishes frames at 144 Hz from frames at 144.1 Hz. */
const INTERVAL_SHAPE: HistogramShape = { unitMs: 1e-3, precisionBits: 13, octaves: 10 };
/** 0.1 µs at first, 0.1 % per bucket from 0.1 ms on. */
const DURATION_SHAPE: HistogramShape = { unitMs: 1e-4, precisionBits: 10, octaves: 18 };

export class FrameStatistics {
  readonly #frameMs = new Histogram(INTERVAL_SHAPE);
  readonly #sampleMs = new Histogram(DURATION_SHAPE);
  readonly #errorMs = new Histogram(DURATION_SHAPE);
  readonly #inputMs = new Histogram(DURATION_SHAPE);
  #frames = 0;
  #starved = 0;
  #repeated = 0;
  #resets = 0;
  #errorSumMs = 0;
  #errorCount = 0;
  #lastFrameMs = Number.NaN;
  #lastShownVirtualMs = Number.NaN;
  #lastLagMs = Number.NaN;
  /** Time taken to sample all frames so far, in ms. A reset leaves it. */
  sampledMs = 0;
  /** Animation error of the newest frame, signed, in ms: positive when the drawing moved too far. */
  lastErrorMs = 0;

  /**
   * Counts a frame.
   *
   * @param frameMs Its time stamp.
   * @param frame Where the timeline placed it.
   * @param isMeasurable False for a frame that cannot be compared with the previous one, such as the first after the
   *   page was hidden. Such a frame only starts the next comparison.
   */
  recordFrame(frameMs: number, frame: Frame, isMeasurable = true): void {
    this.#frames += 1;
    if (frame.starved) this.#starved += 1;
    if (frame.reset) this.#resets += 1;
    this.lastErrorMs = 0;
    if (isMeasurable && !Number.isNaN(this.#lastFrameMs)) {
      this.#frameMs.record(frameMs - this.#lastFrameMs);
    }
    this.#lastFrameMs = frameMs;
    if (!frame.hasState || !frame.following || frame.paused) {
      // A display that is meant to be still has no animation error.
      this.#lastLagMs = Number.NaN;
      this.#lastShownVirtualMs = Number.NaN;
      return;
    }
    if (isMeasurable && !Number.isNaN(this.#lastLagMs)) {
      if (frame.shownVirtualMs === this.#lastShownVirtualMs) this.#repeated += 1;
      // (A[n] − A[n−1]) − (D[n] − D[n−1]), with the lag D − A of both frames.
      this.lastErrorMs = this.#lastLagMs - frame.lagMs;
      const sizeMs = Math.abs(this.lastErrorMs);
      this.#errorMs.record(sizeMs);
      this.#errorSumMs += sizeMs;
      this.#errorCount += 1;
    }
    this.#lastLagMs = frame.lagMs;
    this.#lastShownVirtualMs = frame.shownVirtualMs;
  }

  /** Counts the time taken to sample a frame, in ms. */
  recordSample(durationMs: number): void {
    this.sampledMs += durationMs;
    this.#sampleMs.record(durationMs);
  }

  /** Counts an input whose effect a frame is the first to show. */
  recordShownInput(latencyMs: number): void {
    this.#inputMs.record(latencyMs);
  }

  /** Resets all counts. The next frame is still compared with the last one. */
  reset(): void {
    for (const histogram of [this.#frameMs, this.#sampleMs, this.#errorMs, this.#inputMs]) {
      histogram.rebase();
    }
    this.#frames = 0;
    this.#starved = 0;
    this.#repeated = 0;
    this.#resets = 0;
    this.#errorSumMs = 0;
    this.#errorCount = 0;
  }

  summary(): FrameSummary {
    return {
      frames: this.#frames,
      starvedFrames: this.#starved,
      repeatedFrames: this.#repeated,
      timelineResets: this.#resets,
      frameMs: this.#frameMs.percentiles(),
      sampleMs: this.#sampleMs.percentiles(),
      inputToFrameMs: this.#inputMs.percentiles(),
      animationErrorMs: {
        mean: this.#errorCount === 0 ? Number.NaN : this.#errorSumMs / this.#errorCount,
        p99: this.#errorMs.quantile(0.99),
        max: this.#errorMs.quantile(1),
      },
    };
  }
}
