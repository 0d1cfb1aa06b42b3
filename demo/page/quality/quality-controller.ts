/**
 * Decides at which level of quality pictures are drawn, by how fast they come. Pure: reads no clock.
 *
 *     const wanted = controller.frame(stampMs, drawMs);    each frame of the display
 *     if (wanted !== undefined) …                          prepare it, then:
 *     controller.apply(wanted);
 *     controller.drew();                                   this frame was drawn
 *
 * Down: pictures come too slowly for a while, and drawing is what keeps them. Up: they come in time, and drawing takes
 * so little of it that a level which costs twice as much would fit as well. A step up that had to be taken back is tried
 * again later, and each time it fails twice as late: so a machine between two levels comes to rest at the lower one.
 *
 * Pictures that come as often as the display shows any are never too slow, and neither are 60 of them a second on a
 * faster display: that is fluent, and a finer picture is then worth more than further frames.
 */
import { DisplayPeriod } from './display-period.js';
import { FrameWindow } from './frame-window.js';

/** Mean intervals, as shares of the target: from where pictures are too slow, and up to where they come in time. */
const SLOW = 1.25;
const IN_TIME = 1.12;
/** About how much faster a level is than the one above it. */
const FASTER = 2;
/** Below this share of the interval, drawing is not what keeps the pictures. */
const MIN_DRAWING = 0.3;
/** Share of the target that drawing may take where there is room for the level above. */
const ROOM = 0.4;
/** An interval tells of drawing if one of so many frames before it was drawn: graphics cards lag behind the page. */
const LAG_FRAMES = 2;
/** The display's period shows where nothing was drawn for so many frames. */
const IDLE_FRAMES = 4;
/** Intervals that are left out after something has changed: so many, or as many as are so long together, in ms. */
const SETTLING = { frames: 3, ms: 1000 } as const;
/** How long there has to be room before a level up is tried, in ms, at first; and at most. */
const PATIENCE_MS = { first: 3000, max: 3_600_000 } as const;
/** A level that is held for so long after a step up is no mistake: failures are half forgotten then, in ms. */
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
  /** Of the pictures in the window that were measured, in ms. */
  #drawMs: number[] = [];
  /** Windows in a row that were slow. */
  #slow = 0;
  /** For how long there has been room, and has to be, in ms. */
  #roomMs = 0;
  #patienceMs: number = PATIENCE_MS.first;
  /** When the last step was one up: for how long its level has been held, in ms. */
  #sinceUpMs: number | undefined;

  /**
   * @param levels How many there are: 1 to `levels`, the finest.
   * @param start The first one.
   */
  constructor(levels: number, start: number) {
    this.#levels = levels;
    this.#level = start;
  }

  /** The level in force. */
  get level(): number {
    return this.#level;
  }

  /**
   * Takes a frame of the display.
   *
   * @param stampMs Its time stamp.
   * @param drawMs How long a picture took that was drawn since the frame before, if one was measured.
   * @returns The level that is better from now on; undefined: the present one.
   */
  frame(stampMs: number, drawMs: number | undefined): number | undefined {
    const intervalMs = stampMs - this.#lastMs;
    this.#lastMs = stampMs;
    this.#idle += 1;
    if (!(intervalMs > 0)) return undefined;
    // What stands still says how fast the display is, and nothing of how fast pictures are.
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

  /** Another level is in force. */
  apply(level: number): void {
    if (level < this.#level) this.#sinceUpMs = undefined;
    else if (level > this.#level) this.#sinceUpMs = 0;
    this.#level = level;
    this.interrupt();
  }

  /** Something else than drawing took its time, or is going to: a new scene, a hidden page. What was seen is forgotten. */
  interrupt(): void {
    this.#lastMs = Number.NaN;
    this.#settling = SETTLING.frames;
    this.#settlingMs = 0;
    this.#slow = 0;
    this.#roomMs = 0;
    this.#startWindow();
  }

  /** Pictures cost something else from now on: levels that were too much may be right. */
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
    if (load > SLOW && isDrawing) {
      this.#roomMs = 0;
      this.#slow += 1;
      return this.#isTooSlow(load) ? this.#stepDown(load) : undefined;
    }
    this.#slow = 0;
    const hasRoom = load <= IN_TIME && (drawMs === undefined || drawMs <= ROOM * targetMs);
    this.#roomMs = hasRoom ? this.#roomMs + lengthMs : 0;
    const isUp = this.#level < this.#levels && this.#roomMs >= this.#patienceMs;
    return isUp ? this.#level + 1 : undefined;
  }

  /** Twice in a row, or once by far. */
  #isTooSlow(load: number): boolean {
    return this.#level > 1 && (this.#slow >= 2 || load > 2 * SLOW);
  }

  #stepDown(load: number): number {
    if (this.#sinceUpMs !== undefined) {
      this.#patienceMs = Math.min(PATIENCE_MS.max, 2 * this.#patienceMs);
      this.#sinceUpMs = undefined;
      // Where it came from is known to be right.
      return this.#level - 1;
    }
    const steps = Math.max(1, Math.floor(Math.log(load) / Math.log(FASTER)));
    return Math.max(1, this.#level - steps);
  }
}

/** Undefined of nothing. */
function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
