/**
 * The page's clock: virtual time that plays, is paused, or is sought. Gets the real time as an
 * argument. Pure.
 */

/** A page that was hidden does not jump when it comes back. */
const MAX_FRAME_MS = 100;

export class Playback {
  isPlaying: boolean;
  /** Virtual time over real time. */
  speed: number;
  /** Where it starts again after the end, in ms. */
  startMs = 0;
  #atMs: number;
  #endMs = 1000;
  #lastMs: number | undefined;

  constructor(atMs: number, speed: number, isPlaying: boolean) {
    this.#atMs = atMs;
    this.speed = speed;
    this.isPlaying = isPlaying;
  }

  get atMs(): number {
    return this.#atMs;
  }

  get endMs(): number {
    return this.#endMs;
  }

  setEnd(endMs: number): void {
    this.#endMs = endMs;
    this.seek(this.#atMs);
  }

  seek(ms: number): void {
    this.#atMs = Math.min(Math.max(0, ms), this.#endMs);
  }

  /**
   * Advances to a moment of real time; at the end it starts again. Time before it is ready is
   * ignored.
   */
  advance(realMs: number, isReady = true): void {
    const elapsedMs = Math.min(MAX_FRAME_MS, realMs - (this.#lastMs ?? realMs));
    this.#lastMs = realMs;
    if (!this.isPlaying || !isReady) return;
    const atMs = this.#atMs + elapsedMs * this.speed;
    this.#atMs = atMs > this.#endMs ? this.startMs : atMs;
  }
}
