/** The rhythm of a display, from the time stamps of its frames. A page may miss frames; the display does not. */

/** Frames further off their place than this share of a period begin another rhythm: WebKit's stamps are whole ms. */
const TOLERANCE = 0.1;
/** How much of what a frame is off its place changes the place of the next ones, and the period. */
const PLACE_SHARE = 0.5;
const PERIOD_SHARE = 0.1;
/** Frames in their places before a rhythm is relied on. */
const STEADY_FRAMES = 8;
/** Longest period, in ms: frames that are further apart have other reasons than a display. */
const MAX_PERIOD_MS = 50;

export class FrameRhythm {
  /** Time between two frames of the display, in ms. */
  periodMs = Number.NaN;
  /** Where the last frame is in the rhythm, in ms. */
  placeMs = Number.NaN;
  #frames = 0;

  get isSteady(): boolean {
    return this.#frames >= STEADY_FRAMES;
  }

  /** @param frameMs Time stamp of the next frame, in ms. */
  add(frameMs: number): void {
    const { periodMs, placeMs } = this;
    const frames = Math.round((frameMs - placeMs) / periodMs);
    const offMs = frameMs - placeMs - frames * periodMs;
    if (frames >= 1 && Math.abs(offMs) <= TOLERANCE * periodMs) {
      this.placeMs = frameMs - (1 - PLACE_SHARE) * offMs;
      this.periodMs += (PERIOD_SHARE * offMs) / frames;
      this.#frames += 1;
      return;
    }
    const sinceMs = frameMs - placeMs;
    // The first two frames say nothing yet: a missed one may lie between them.
    this.periodMs = sinceMs > 0 && sinceMs <= MAX_PERIOD_MS ? sinceMs : Number.NaN;
    this.placeMs = frameMs;
    this.#frames = 0;
  }
}
