/** Thresholds of the watchdog. In a separate file because only the side that receives them checks them. */
import { requireKnownKeys } from '../util/known-keys.js';
import { requireInteger, requireNumber } from '../util/validate.js';

/** Thresholds of the watchdog, in ticks that are due at a wake-up. */
export interface WatchdogOptions {
  /** Updates in a frame above which it is slow, 0 to 1,000,000. Default 5: over 0.1 s of 20 ms steps, under 10 fps. */
  readonly slowUpdates?: number;
  /** Updates in a frame above which it is critical, at least `slowUpdates`. Default 20: over 0.4 s, under 2.5 fps. */
  readonly criticalUpdates?: number;
  /** Critical frames, consecutive or within the window, that mean unresponsive, 1 to 1000. Default 5. */
  readonly criticalFrames?: number;
  /** The window in ms, 0 or more: the longest time from the first critical frame to the last. Default 10,000. */
  readonly windowMs?: number;
}

const MAX_COUNT = 1_000_000;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws TypeError, RangeError naming the invalid option.
 */
export function requireWatchdogOptions(options: WatchdogOptions = {}): Required<WatchdogOptions> {
  const known = ['slowUpdates', 'criticalUpdates', 'criticalFrames', 'windowMs'];
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('watchdog must be an object');
  }
  const prefix = 'watchdog.';
  requireKnownKeys('connect', options, known, { prefix, all: known.map((key) => prefix + key) });
  const { slowUpdates = 5, criticalUpdates = 20, criticalFrames = 5, windowMs = 10_000 } = options;
  return {
    slowUpdates: requireInteger('watchdog.slowUpdates', slowUpdates, 0, MAX_COUNT),
    criticalUpdates: requireInteger(
      'watchdog.criticalUpdates',
      criticalUpdates,
      slowUpdates,
      MAX_COUNT,
    ),
    criticalFrames: requireInteger('watchdog.criticalFrames', criticalFrames, 1, 1000),
    windowMs: requireNumber('watchdog.windowMs', windowMs, 0, Number.MAX_VALUE),
  };
}
