/**
 * Selects which of a display's frames to draw. Slots are counted from the first frame and computed from an integer, so
 * the average rate is exact however the display's frames fall: 60 of 144 is every second and every third frame.
 */
import * as LIMITS from '../../shared/util/limits.js';
import { Metronome } from '../../shared/time/metronome.js';
import { requireNumber } from '../../shared/util/validate.js';

/**
 * A frame that precedes its slot by less belongs to it: otherwise a limit equal to the display's rate would skip frames.
 * 1 ms, but at most a quarter of a slot.
 */
const MAX_TOLERANCE_US = 1000;

/** Selects which frames of the display to draw, so that they are evenly spaced and stay within a limit. */
export class FrameLimiter {
  #limitHz: number | undefined;
  #metronome: Metronome | undefined;

  /**
   * @param limitHz Frames per second, 1 to 1000, or undefined to draw every frame.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(limitHz?: number) {
    this.setLimit(limitHz);
  }

  /** Most frames per second, in Hz; undefined when every frame is drawn. */
  get limitHz(): number | undefined {
    return this.#limitHz;
  }

  /**
   * Changes the limit; slots are counted again from the next frame.
   *
   * @throws TypeError, RangeError if it is neither undefined nor a number from 1 to 1000.
   */
  setLimit(limitHz: number | undefined): void {
    this.#metronome = limitHz === undefined ? undefined : metronomeFor(limitHz);
    this.#limitHz = limitHz;
  }

  /** Whether to draw the frame with this time stamp. Call it once per frame, in order. */
  isDue(frameMs: number): boolean {
    if (this.#metronome === undefined) return true;
    return this.#metronome.advance(Math.floor(frameMs * 1000)) > 0;
  }
}

function metronomeFor(limitHz: number): Metronome {
  const rateHz = requireNumber('limitHz', limitHz, ...LIMITS.limitHz);
  return new Metronome(rateHz, Math.floor(Math.min(MAX_TOLERANCE_US, 250_000 / rateHz)));
}
