/** Fetches, places and counts frames: everything that happens once per frame on the page. */
import { STATE_HEADER, type BufferViews, type SlotViews } from '../../shared/memory/layout.js';
import { SnapshotReader } from '../../shared/memory/snapshot-reader.js';
import { Timeline, type TimelineOptions } from './timeline.js';
import { Frame } from './frame.js';
import { Histogram, type HistogramShape } from '../../shared/statistics/histogram.js';
import type { FrameSummary } from '../api/simulation-statistics.js';

export class FrameSampler {
  readonly statistics = new FrameStatistics();
  readonly frame = new Frame();
  readonly #latest = new Frame();
  #isLatestSet = false;
  timeline: Timeline;
  readonly #options: TimelineOptions;
  #reader: SnapshotReader;
  /** Reader of a new worker that has published nothing yet: until it does, the last frame stays. */
  #next: SnapshotReader | undefined;
  /** The worker whose state is shown, counted from 0; and the number of that state: -1 before the first. */
  worker = 0;
  wholeState = -1;
  #attached = 0;
  #lastFrameMs = Number.NaN;
  /** When the page began to place the current frame, in ms. */
  #nowMs = Number.NaN;
  /** Ordinal of the newest state that was shown, even in part. */
  #shownState = 0;
  #shownInputMs = Number.NEGATIVE_INFINITY;
  #isMeasurable = false;
  #isBroken = false;
  /** Time taken to place the current frame, in ms. */
  #placingMs = Number.NaN;

  constructor(views: BufferViews, options: TimelineOptions) {
    this.#reader = new SnapshotReader(views);
    this.#options = options;
    this.timeline = new Timeline(options, this.frame);
  }

  /** Draws another worker's states once it has published one. */
  attach(views: BufferViews): void {
    this.#next = new SnapshotReader(views);
    this.#attached += 1;
  }

  /** The current worker has published an invalid snapshot. The last frame stays until another worker publishes. */
  get isBroken(): boolean {
    return this.#isBroken && this.#next === undefined;
  }

  /** The same moment drawn only from its later state, for comparison. Set when it is asked for: few pages do. */
  get latest(): Frame {
    if (!this.#isLatestSet && !this.#isBroken) {
      this.#latest.showLater(this.#reader.slot, this.frame);
      this.#isLatestSet = true;
    }
    return this.#latest;
  }

  /** The next frame is not compared with the previous one: the page was hidden or the display stopped. */
  interrupt(): void {
    this.#isMeasurable = false;
  }

  sample(frameMs: number): Frame {
    // Several views may be drawn in one frame; they count as one frame.
    if (frameMs === this.#lastFrameMs) return this.frame;
    this.#recordCost();
    this.#nowMs = performance.now();
    this.#lastFrameMs = frameMs;
    this.#place();
    this.statistics.recordFrame(frameMs, this.frame, this.#isMeasurable);
    this.#isMeasurable = true;
    this.#placingMs = performance.now() - this.#nowMs;
    return this.frame;
  }

  #place(): void {
    if (this.#next !== undefined) this.#takeNext(this.#next);
    this.#reader.fetch();
    this.#isBroken ||= this.#reader.isBroken;
    if (this.#isBroken) return;
    const { slot, control } = this.#reader;
    this.timeline.lead.nowMs = this.#nowMs;
    this.timeline.advance(this.#lastFrameMs, slot, control);
    this.#recordShownInputs(slot);
    this.#noteWholeState(slot);
    this.frame.show(slot);
    this.#isLatestSet = false;
  }

  /** A body that is not in both states of the frame is drawn as in the earlier one until the later one is reached. */
  #noteWholeState({ stateHeaders }: SlotViews): void {
    const { hasState, blend, current, previous } = this.frame;
    const header = hasState ? stateHeaders[blend >= 1 ? current : previous] : undefined;
    this.wholeState = header?.[STATE_HEADER.ordinal] ?? -1;
  }

  /** Records the input latency of the states that this frame is the first to show. */
  #recordShownInputs({ stateHeaders }: SlotViews): void {
    const current = stateHeaders[this.frame.current]?.[STATE_HEADER.ordinal] ?? 0;
    if (current <= this.#shownState) return;
    for (let ordinal = this.#shownState + 1; ordinal <= current; ordinal++) {
      const header = stateHeaders[ordinal % stateHeaders.length];
      if (header?.[STATE_HEADER.ordinal] !== ordinal) continue;
      const inputMs = header[STATE_HEADER.inputMs] ?? Number.NaN;
      // A state may also bear the stamp of an earlier state that the worker believes was never fetched.
      if (!(inputMs > this.#shownInputMs)) continue;
      this.#shownInputMs = inputMs;
      this.statistics.recordShownInput(this.#lastFrameMs - inputMs);
    }
    this.#shownState = current;
  }

  #takeNext(next: SnapshotReader): void {
    if (!next.fetch()) return;
    this.#next = undefined;
    this.#reader = next;
    this.worker = this.#attached;
    // Another worker's virtual time has another origin.
    this.timeline = new Timeline({ ...this.#options, mode: this.timeline.mode }, this.frame);
    this.#isMeasurable = false;
    this.#isBroken = false;
    this.#shownState = 0;
  }

  /** The cost of a frame is only known when the next one begins. */
  #recordCost(): void {
    if (Number.isNaN(this.#placingMs)) return;
    const drawingMs = this.frame.takeSpentMs() + this.#latest.takeSpentMs();
    this.statistics.recordSample(this.#placingMs + drawingMs);
  }
}

/** 1 µs up to 8 ms, 2 µs up to 16 ms: distinguishes frames at 144 Hz from frames at 144.1 Hz. */
const INTERVAL_SHAPE: HistogramShape = { unitMs: 1e-3, precisionBits: 13, octaves: 10 };
/** 0.1 µs at first, 0.1 % per bucket from 0.1 ms on. */
const DURATION_SHAPE: HistogramShape = { unitMs: 1e-4, precisionBits: 10, octaves: 18 };

/** Counts what a display did, frame by frame. Pure: its input is the timeline's frames. */
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
