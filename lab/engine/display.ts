/** When a display shows a frame, and which frames a limit lets through. */
import { Metronome } from '../../src/shared/time/metronome.js';

/**
 * The display refreshes at 0, 1 / rate, 2 / rate, …: times are computed from the number, never
 * summed.
 */
export class Display {
  readonly #hz: number;

  constructor(hz: number) {
    this.#hz = hz;
  }

  refreshMs(refresh: number): number {
    return (refresh * 1000) / this.#hz;
  }

  /**
   * The refresh that shows a frame: the first one after drawing began that is not before drawing
   * ended. In ms.
   */
  shownMs(beganMs: number, endedMs: number): number {
    let refresh = Math.max(
      Math.floor((beganMs * this.#hz) / 1000),
      Math.ceil((endedMs * this.#hz) / 1000) - 1,
    );
    // The quotients above may round across a whole number; the refreshes' own times decide.
    while (this.refreshMs(refresh) <= beganMs || this.refreshMs(refresh) < endedMs) refresh += 1;
    return this.refreshMs(refresh);
  }
}

/** Like the page's frame limit: a frame just before its slot belongs to it. */
const EARLY_US = 1000;

/** The player's frame limit. */
export class FrameLimit {
  readonly #metronome: Metronome;

  /**
   * @param vsync Whether frames come with the display's refreshes; otherwise at any time, and
   * exactly.
   */
  constructor(limitHz: number, vsync: boolean) {
    const earlyUs = vsync ? Math.min(EARLY_US, Math.floor(250_000 / limitHz)) : 0;
    this.#metronome = new Metronome(limitHz, earlyUs);
  }

  /** Whether to draw now. */
  isDue(nowMs: number): boolean {
    return this.#metronome.advance(Math.floor(nowMs * 1000)) > 0;
  }

  /** When the next frame may be drawn, in ms. */
  get nextDueMs(): number {
    return (this.#metronome.nextDueUs + 0.5) / 1000;
  }
}
