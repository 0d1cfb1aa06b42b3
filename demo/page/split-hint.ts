/**
 * Explains why both halves of the split view look alike when frames are as rare as ticks: a frame
 * between two ticks needs a higher frame rate.
 */
import { showToast } from '../../site/common/notices.js';
import { RANGES, type Settings } from './settings.js';

/** How long frames are counted, in ms. */
const MEASURED_MS = 2000;
/** Frames are not counted for this long after the split view appears: the first frames are slow. */
const SETTLING_MS = 1000;
/** Two clocks of the same rate are never exactly equal. */
const TOLERANCE = 1.05;

type Split = Pick<Settings, 'split' | 'paused' | 'interpolation' | 'tickHz' | 'timeScale'>;

/** Checks once whether frames are as rare as ticks. Time and settings are arguments. */
export class FrameRateCheck {
  #startMs = Number.NaN;
  #lastMs = Number.NaN;
  #frames = 0;
  #key = '';
  #hasReported = false;

  /**
   * Takes a frame that is shown.
   *
   * @returns Frames per second, if there are no more of them than ticks; undefined if there are
   * more, before it is known,
   *   and after it was returned once.
   */
  frame(frameMs: number, settings: Split): number | undefined {
    if (this.#hasReported) return undefined;
    const { split, paused, interpolation, tickHz, timeScale } = settings;
    const key = [split, paused, interpolation, tickHz, timeScale].join(' ');
    // Without interpolation both halves should look alike. A gap means that the page was hidden or
    // frozen.
    const counts = split && !paused && interpolation !== 'none';
    const isNew = key !== this.#key || !(frameMs - this.#lastMs < MEASURED_MS);
    this.#lastMs = frameMs;
    this.#key = key;
    if (!counts || isNew) {
      this.#startMs = frameMs + SETTLING_MS;
      this.#frames = 0;
      return undefined;
    }
    if (frameMs < this.#startMs) return undefined;
    // The first one starts the measurement.
    if (this.#frames === 0) this.#startMs = frameMs;
    this.#frames += 1;
    const spanMs = frameMs - this.#startMs;
    if (spanMs < MEASURED_MS) return undefined;
    const framesPerSecond = ((this.#frames - 1) * 1000) / spanMs;
    this.#frames = 0;
    if (framesPerSecond > tickHz * timeScale * TOLERANCE) return undefined;
    this.#hasReported = true;
    return framesPerSecond;
  }
}

/** Remedies, most effective first. */
export function splitHintText(
  framesPerSecond: number,
  { quality, tickHz, timeScale, frameLimit }: Settings,
): string {
  const ways: string[] = [];
  const isLimited = frameLimit !== 'off' && framesPerSecond > 0.9 * frameLimit;
  if (isLimited) ways.push('raise the frame limit');
  // If frames keep up with the ticks, the display is the limit. The automatic quality already goes
  // as low as it helps.
  else if (quality !== 'auto' && framesPerSecond < 0.9 * tickHz * timeScale) {
    ways.push('set the quality to auto');
  }
  ways.push(tickHz > RANGES.tickHz[0] ? 'lower the tick rate' : 'lower the time scale');
  return `Both halves look the same, because there are no more frames than ticks: ${ways.join(', or ')}.`;
}

/** @returns To be called with the time stamp of each frame that is shown. */
export function watchSplit(settingsNow: () => Settings): (frameMs: number) => void {
  const check = new FrameRateCheck();
  return (frameMs) => {
    const settings = settingsNow();
    const framesPerSecond = check.frame(frameMs, settings);
    if (framesPerSecond !== undefined) showToast(splitHintText(framesPerSecond, settings));
  };
}
