/** Fetches, places and counts frames: everything that happens once a frame on the page. */
import { FrameStatistics } from '../shared/frame-statistics.js';
import type { BufferViews } from '../shared/layout.js';
import { SnapshotReader } from '../shared/snapshot-reader.js';
import { Timeline, type TimelineFrame, type TimelineOptions } from '../shared/timeline.js';
import { SampledFrame } from './sampled-frame.js';

export class FrameSampler {
  readonly timeline: Timeline;
  readonly statistics = new FrameStatistics();
  readonly frame = new SampledFrame();
  /** The same moment drawn from its later state alone, for comparison. */
  readonly currentOnly = new SampledFrame();
  readonly #reader: SnapshotReader;
  #lastFrameMs = Number.NaN;
  #isMeasurable = false;
  /** Time that placing the current frame took, in ms. */
  #placingMs = Number.NaN;

  constructor(views: BufferViews, options: TimelineOptions) {
    this.#reader = new SnapshotReader(views);
    this.timeline = new Timeline(options);
  }

  get placed(): TimelineFrame {
    return this.timeline.frame;
  }

  /** The next frame cannot be held against the one before: the page was hidden or the display stopped. */
  interrupt(): void {
    this.#isMeasurable = false;
  }

  sample(frameMs: number): SampledFrame {
    // Several views may be drawn in one frame; it is one frame all the same.
    if (frameMs === this.#lastFrameMs) return this.frame;
    this.#finishFrame();
    const startMs = performance.now();
    this.#lastFrameMs = frameMs;
    this.#place();
    this.statistics.recordFrame(frameMs, this.placed, this.#isMeasurable);
    this.#isMeasurable = true;
    this.#placingMs = performance.now() - startMs;
    return this.frame;
  }

  #place(): void {
    this.#reader.fetch();
    const { slot } = this.#reader;
    this.timeline.advance(this.#lastFrameMs, slot);
    this.frame.set(slot, this.placed);
    this.currentOnly.set(slot, this.placed, 1);
  }

  /** What a frame cost is known when the next one begins. */
  #finishFrame(): void {
    if (Number.isNaN(this.#placingMs)) return;
    this.statistics.recordSample(
      this.#placingMs + this.frame.takeSpentMs() + this.currentOnly.takeSpentMs(),
    );
  }
}
