/** Says why both halves of the split view look alike, where they do: a picture between two ticks needs more frames. */
import { showToast } from '../../site/common/notices.js';
import { RANGES, type Settings } from './settings.js';

/** How long frames are counted, in ms. */
const MEASURED_MS = 2000;
/** After the split view has come, so long is not counted: the first frames of a picture take their time. */
const SETTLING_MS = 1000;
/** Two clocks of one rate are never quite equal. */
const TOLERANCE = 1.05;

type Split = Pick<Settings, 'split' | 'paused' | 'interpolation' | 'tickHz' | 'timeScale'>;

/** Judges, once, whether frames are as rare as ticks. Time and settings are arguments. */
export class FrameRateCheck {
  #startMs = Number.NaN;
  #lastMs = Number.NaN;
  #frames = 0;
  #key = '';
  #hasReported = false;

  /**
   * Takes a frame that is shown.
   *
   * @returns Frames in a second, if there are no more of them than ticks; undefined if there are, before it is known,
   *   and when it was told before.
   */
  frame(frameMs: number, settings: Split): number | undefined {
    if (this.#hasReported) return undefined;
    const { split, paused, interpolation, tickHz, timeScale } = settings;
    const key = [split, paused, interpolation, tickHz, timeScale].join(' ');
    // Without the picture between ticks both halves are meant to be alike. A gap is a page that was away or stood.
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
    // The first one begins the time that is measured.
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

/** What helps, in the order of how much it does. */
export function splitHintText(
  framesPerSecond: number,
  { quality, tickHz, timeScale, frameLimit }: Settings,
): string {
  const ways: string[] = [];
  const isLimited = frameLimit !== 'off' && framesPerSecond > 0.9 * frameLimit;
  if (isLimited) ways.push('raise the frame limit');
  // Where frames keep up with the ticks it is the display that has no more.
  // By itself it goes as low as it helps.
  else if (quality !== 'auto' && framesPerSecond < 0.9 * tickHz * timeScale) {
    ways.push('set the quality to auto');
  }
  ways.push(tickHz > RANGES.tickHz[0] ? 'lower the tick rate' : 'lower the time scale');
  return `Frames are as rare as ticks here, so both halves look alike: ${ways.join(', or ')}.`;
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
