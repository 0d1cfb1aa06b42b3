/**
 * Compares what frames show with what they should: animation error, age, and where the bodies are.
 *
 * A frame represents the due time of what it shows, and its age is how long ago that was. When it
 * is displayed, the game has advanced by its age, and the bodies should be seen there:
 *
 *     simulated time    ├──── steps ────┤ shown ┄┄┄ age ┄┄┄▶ true
 *     the clock               due time of it  ├───────────┤ displayed
 *
 * So time that was dropped or lost in slow motion is neither in the age nor in the errors of the
 * bodies: the game is late by it, and no frame is to blame.
 */
import { Histogram, type HistogramShape } from '../../src/shared/statistics/histogram.js';
import {
  ballAt,
  drawnBall,
  drawnFlyer,
  drawnTop,
  flyerAt,
  shorterArc,
  shownMs,
  topAt,
  type DrawnTime,
} from './bodies.js';
import type { ErrorSummary, RunReport } from './report.js';

/** 0.1 % a bucket, from 0.1 µs up to 27 s. */
const ERROR_SHAPE: HistogramShape = { unitMs: 1e-4, precisionBits: 10, octaves: 18 };
/** Times closer than this are equal, in ms: the rounding of a day in doubles. */
const SAME_MS = 1e-6;
/** Deeper than this is inside the floor; less is rounding, in units. */
const IN_FLOOR = 1e-9;

class MeanAndMax {
  #sum = 0;
  #count = 0;
  #max = 0;

  add(value: number): void {
    this.#sum += value;
    this.#count += 1;
    this.#max = Math.max(this.#max, value);
  }

  get summary(): ErrorSummary {
    return { mean: this.#count === 0 ? 0 : this.#sum / this.#count, max: this.#max };
  }
}

/** A frame on the display. */
export interface DisplayedFrame extends DrawnTime {
  /** When the display showed it, in ms. */
  readonly displayedMs: number;
  /** The moment that its contents represent, in ms on the loop's clock. */
  readonly dueMs: number;
  /** Whether the simulation has begun to move. */
  readonly isMoving: boolean;
}

export class Motion {
  readonly #errors = new Histogram(ERROR_SHAPE);
  readonly #error = new MeanAndMax();
  readonly #age = new MeanAndMax();
  readonly #flyer = new MeanAndMax();
  readonly #ball = new MeanAndMax();
  readonly #top = new MeanAndMax();
  #framesInFloor = 0;
  #deepestInFloor = 0;
  #wasMoving = false;
  #lastShownMs = Number.NaN;
  #lastDisplayedMs = 0;

  /** Adds a frame. @returns Whether it shows the same as the one before. */
  add(frame: DisplayedFrame): boolean {
    const simulatedMs = shownMs(frame);
    const { displayedMs } = frame;
    const movedMs = simulatedMs - this.#lastShownMs;
    const isRepeat = Math.abs(movedMs) < SAME_MS;
    if (frame.isMoving) {
      // The frame in which motion starts is not compared: until then a still body was correct.
      if (this.#wasMoving) this.#addError(movedMs - (displayedMs - this.#lastDisplayedMs));
      const ageMs = displayedMs - frame.dueMs;
      this.#age.add(ageMs);
      this.#addBodies(frame, simulatedMs + ageMs);
    }
    this.#wasMoving = frame.isMoving;
    this.#lastShownMs = simulatedMs;
    this.#lastDisplayedMs = displayedMs;
    return isRepeat;
  }

  get summary(): Pick<
    RunReport,
    'latencyMs' | 'animationErrorMs' | 'drawnError' | 'framesInFloor' | 'deepestInFloor'
  > {
    const { mean, max } = this.#error.summary;
    // The histogram's buckets have a width; no percentile can exceed the maximum.
    const p99 = this.#errors.total === 0 ? 0 : Math.min(max, this.#errors.quantile(0.99));
    return {
      latencyMs: this.#age.summary.mean,
      animationErrorMs: { mean, p99, max },
      drawnError: {
        flyer: this.#flyer.summary,
        ball: this.#ball.summary,
        top: this.#top.summary,
      },
      framesInFloor: this.#framesInFloor,
      deepestInFloor: this.#deepestInFloor,
    };
  }

  #addError(errorMs: number): void {
    const sizeMs = Math.abs(errorMs);
    this.#error.add(sizeMs);
    this.#errors.record(sizeMs);
  }

  /** @param trueMs Simulated time that should be shown. */
  #addBodies(frame: DisplayedFrame, trueMs: number): void {
    const height = drawnBall(frame);
    if (height < -IN_FLOOR) {
      this.#framesInFloor += 1;
      this.#deepestInFloor = Math.max(this.#deepestInFloor, -height);
    }
    this.#flyer.add(Math.abs(drawnFlyer(frame) - flyerAt(trueMs)));
    this.#ball.add(Math.abs(height - ballAt(trueMs)));
    this.#top.add(Math.abs(shorterArc(drawnTop(frame) - topAt(trueMs))));
  }
}
