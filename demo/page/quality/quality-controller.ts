/**
 * Decides on the level of rendering quality by the frame rate. Pure: reads no clock.
 *
 *     const wanted = controller.frame(stampMs, drawMs);    each frame of the display
 *     if (wanted !== undefined) …                          prepare it, then:
 *     controller.apply(wanted);
 *     controller.drew();                                   this frame was drawn
 *
 * Down: frames are too slow for a while, and drawing is the cause. Up: frames are in time, and
 * drawing takes so little of the interval that a level at twice the cost would fit as well. A step
 * up that had to be reverted is tried again later, with a delay that doubles at each failure: so a
 * machine between two levels settles at the lower one.
 *
 * Frames at the display's own rate are never too slow, and neither are 60 a second on a faster
 * display: that is fluent, and better quality is then worth more than more frames.
 */
import { DisplayPeriod } from './display-period.js';
import { FrameWindow } from './frame-window.js';

/**
 * Mean intervals, as shares of the target: above the first, frames are too slow; up to the second,
 * they are in time.
 */
const SLOW = 1.25;
const IN_TIME = 1.12;
/** Level 1 is left for machines that draw fewer frames a second than this at level 2: their interval, in ms. */
const LAST_RESORT_MS = 1000 / 15;
/** About how much faster a level is than the next higher one. */
const FASTER = 2;
/** Below this share of the interval, drawing is not the bottleneck. */
const MIN_DRAWING = 0.3;
/** Share of the target that drawing may take if the next level should fit. */
const ROOM = 0.4;
/**
 * An interval counts as drawing time if one of this many frames before it was drawn: graphics cards
 * lag behind the page.
 */
const LAG_FRAMES = 2;
/** The display's period is measured after this many frames without drawing. */
const IDLE_FRAMES = 4;
/** Intervals to ignore after a change, as a number and as a total in ms: the smaller applies. */
const SETTLING = { frames: 3, ms: 1000 } as const;
/** How long there has to be room before a higher level is tried, in ms: at first, and at most. */
const PATIENCE_MS = { first: 3000, max: 3_600_000 } as const;
/**
 * A step up that holds this long counts as a success: the delay after failures is halved then, in
 * ms.
 */
const PROVEN_MS = 120_000;

export class QualityController {
  readonly #levels: number;
  readonly #period = new DisplayPeriod();
  readonly #window = new FrameWindow();
  #level: number;
  #lastMs = Number.NaN;
  /** Frames since one was drawn. */
  #idle = Number.POSITIVE_INFINITY;
  #settling: number = SETTLING.frames;
  #settlingMs = 0;
  /** Measured drawing times in the window, in ms. */
  #drawMs: number[] = [];
  /** Slow windows in a row. */
  #slow = 0;
  /** For how long there has been room, and how long it must last, in ms. */
  #roomMs = 0;
  #patienceMs: number = PATIENCE_MS.first;
  /** After a step up: how long its level has held, in ms. */
  #sinceUpMs: number | undefined;

  /**
   * @param levels How many there are: 1 to `levels`, the best.
   * @param start The first one.
   */
  constructor(levels: number, start: number) {
    this.#levels = levels;
    this.#level = start;
  }

  /** The current level. */
  get level(): number {
    return this.#level;
  }

  /**
   * Takes a frame of the display.
   *
   * @param stampMs Its time stamp.
   * @param drawMs How long drawing took since the previous frame, if it was measured.
   * @returns The better level from now on; undefined: the current one.
   */
  frame(stampMs: number, drawMs: number | undefined): number | undefined {
    const intervalMs = stampMs - this.#lastMs;
    this.#lastMs = stampMs;
    this.#idle += 1;
    if (!(intervalMs > 0)) return undefined;
    // Undrawn frames show the display's rate, not the drawing rate.
    if (this.#idle > IDLE_FRAMES) this.#period.add(intervalMs);
    if (this.#idle > LAG_FRAMES) return undefined;
    if (this.#settling > 0) {
      this.#settlingMs += intervalMs;
      this.#settling = this.#settlingMs < SETTLING.ms ? this.#settling - 1 : 0;
      return undefined;
    }
    if (drawMs !== undefined) this.#drawMs.push(drawMs);
    this.#window.add(intervalMs);
    if (this.#sinceUpMs !== undefined) this.#sinceUpMs += intervalMs;
    return this.#window.isFull ? this.#evaluate() : undefined;
  }

  /** The last frame was drawn. */
  drew(): void {
    this.#idle = 0;
  }

  /** Switches to another level. */
  apply(level: number): void {
    if (level < this.#level) this.#sinceUpMs = undefined;
    else if (level > this.#level) this.#sinceUpMs = 0;
    this.#level = level;
    this.interrupt();
  }

  /**
   * Something other than drawing took or will take time: a new scene, a hidden page. Resets the
   * measurements.
   */
  interrupt(): void {
    this.#lastMs = Number.NaN;
    this.#settling = SETTLING.frames;
    this.#settlingMs = 0;
    this.#slow = 0;
    this.#roomMs = 0;
    this.#startWindow();
  }

  /** The cost of drawing has changed: levels that were too much may fit now. */
  changed(): void {
    this.interrupt();
    this.#patienceMs = PATIENCE_MS.first;
    this.#sinceUpMs = undefined;
  }

  #startWindow(): void {
    this.#window.clear();
    this.#drawMs.length = 0;
  }

  #evaluate(): number | undefined {
    const { meanMs } = this.#window;
    const drawMs = medianOf(this.#drawMs);
    const { targetMs } = this.#period;
    const lengthMs = this.#window.lengthMs;
    this.#startWindow();
    if (this.#sinceUpMs !== undefined && this.#sinceUpMs >= PROVEN_MS) {
      this.#sinceUpMs = 0;
      this.#patienceMs = Math.max(PATIENCE_MS.first, this.#patienceMs / 2);
    }
    const load = meanMs / targetMs;
    const isDrawing = drawMs === undefined || drawMs >= MIN_DRAWING * meanMs;
    if (this.#level > 1 && load > SLOW && isDrawing) {
      this.#roomMs = 0;
      this.#slow += 1;
      return this.#isTooSlow(load, meanMs) ? this.#stepDown(load) : undefined;
    }
    this.#slow = 0;
    const hasRoom =
      this.#level === 1
        ? SLOW * FASTER * meanMs <= LAST_RESORT_MS
        : load <= IN_TIME && (drawMs === undefined || drawMs <= ROOM * targetMs);
    this.#roomMs = hasRoom ? this.#roomMs + lengthMs : 0;
    const isUp = this.#level < this.#levels && this.#roomMs >= this.#patienceMs;
    return isUp ? this.#level + 1 : undefined;
  }

  /** Slow twice in a row, or very slow once. */
  #isTooSlow(load: number, meanMs: number): boolean {
    const canStepDown = this.#level > 2 || (this.#level === 2 && meanMs > LAST_RESORT_MS);
    return canStepDown && (this.#slow >= 2 || load > 2 * SLOW);
  }

  #stepDown(load: number): number {
    if (this.#sinceUpMs !== undefined) {
      this.#patienceMs = Math.min(PATIENCE_MS.max, 2 * this.#patienceMs);
      this.#sinceUpMs = undefined;
      // The previous level is known to fit.
      return this.#level - 1;
    }
    const steps = Math.max(1, Math.floor(Math.log(load) / Math.log(FASTER)));
    return Math.max(this.#level === 2 ? 1 : 2, this.#level - steps);
  }
}

/** Undefined for an empty list. */
function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
