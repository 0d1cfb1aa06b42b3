/** The time that physics and components of one side take of the main thread, frame by frame. */

const FRAMES = 120;
/** No display is slower than 30 Hz: if frames are, the machine is. */
const LONGEST_PERIOD_MS = 1000 / 30;

export class FrameMeter {
  readonly #intervals: number[] = [];
  readonly #times: number[] = [];
  #frame = 0;
  #beginMs = Number.NaN;
  #tooLong = 0;
  #periodMs = LONGEST_PERIOD_MS;

  /** Before the first callback of a frame. */
  begin(nowMs: number): void {
    const interval = nowMs - this.#beginMs;
    if (interval > 0) this.#intervals[this.#frame % FRAMES] = interval;
    this.#beginMs = nowMs;
  }

  /** After its last callback, before it is rendered. */
  end(nowMs: number): void {
    const time = nowMs - this.#beginMs;
    if (!(time >= 0)) return;
    this.#times[this.#frame % FRAMES] = time;
    this.#frame++;
    if (time > this.#periodMs) this.#tooLong++;
    if (this.#frame % 30 === 0) this.#periodMs = this.#estimatePeriodMs();
  }

  get frames(): number {
    return this.#frame;
  }

  /** Frames that took longer than the display's period, since the beginning. */
  get tooLong(): number {
    return this.#tooLong;
  }

  /** Mean of the last frames. */
  get meanMs(): number {
    return this.#times.reduce((sum, time) => sum + time, 0) / Math.max(1, this.#times.length);
  }

  /** A tenth of the intervals is shorter. */
  #estimatePeriodMs(): number {
    const sorted = this.#intervals.filter((interval) => interval > 0).toSorted((a, b) => a - b);
    const interval = sorted[Math.floor(sorted.length / 10)] ?? LONGEST_PERIOD_MS;
    return Math.min(interval, LONGEST_PERIOD_MS);
  }
}
