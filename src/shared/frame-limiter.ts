/**
 * Which of a display's frames to draw, so that a chosen number a second is drawn, at any display rate.
 *
 * Slots of 1/limit follow each other from an anchor and are computed from their integer, so the average
 * rate is exact however the display's frames fall: 60 of 144 is a pattern of every second and every
 * third frame, and after an hour there are 216,000. A frame that lies just before its slot by less than
 * the tolerance belongs to it, or a limit equal to the display's rate would skip frames for nothing.
 */
import { LIMITS } from './limits.js';
import { requireNumber } from './validate.js';

export class FrameLimiter {
  #limitHz: number | undefined;
  #anchorMs = Number.NaN;
  #lastSlot = -1;

  /** @param limitHz Frames a second, 1 to 1000, or undefined to draw every frame. */
  constructor(limitHz?: number) {
    this.#limitHz = requireLimit(limitHz);
  }

  get limitHz(): number | undefined {
    return this.#limitHz;
  }

  /**
   * Changes the limit; slots count anew from the next frame.
   *
   * @throws RangeError if it is not a number from 1 to 1000.
   */
  setLimit(limitHz: number | undefined): void {
    this.#limitHz = requireLimit(limitHz);
    this.#anchorMs = Number.NaN;
  }

  /** Whether to draw the frame with this time stamp. Call once a frame, in order. */
  isDue(frameMs: number): boolean {
    if (this.#limitHz === undefined) return true;
    if (Number.isNaN(this.#anchorMs)) {
      this.#anchorMs = frameMs;
      this.#lastSlot = 0;
      return true;
    }
    const toleranceMs = Math.min(1, 250 / this.#limitHz);
    const slot = Math.floor(((frameMs + toleranceMs - this.#anchorMs) * this.#limitHz) / 1000);
    if (slot <= this.#lastSlot) return false;
    this.#lastSlot = slot;
    return true;
  }
}

function requireLimit(limitHz: number | undefined): number | undefined {
  return limitHz === undefined ? undefined : requireNumber('limitHz', limitHz, ...LIMITS.limitHz);
}
