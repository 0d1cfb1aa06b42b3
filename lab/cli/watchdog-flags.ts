/** The watchdog's thresholds as arguments. */
import type { Flag } from '../../scripts/cli/command.js';
import type { WatchdogOptions } from '../engine/watchdog.js';
import { number } from './values.js';

/** By the names that the library has for them. */
const FLAGS = {
  slowUpdates: 'watchdog-slow-updates',
  criticalUpdates: 'watchdog-critical-updates',
  criticalFrames: 'watchdog-critical-frames',
  windowMs: 'watchdog-window-ms',
} as const satisfies Record<keyof WatchdogOptions, string>;

export const WATCHDOG_FLAGS = {
  'watchdog-slow-updates': {
    heading: 'Watchdog, which evaluates the updates that a frame needs',
    value: 'N',
    about: 'slow above N (default 5)',
  },
  'watchdog-critical-updates': { value: 'N', about: 'critical above N (default 20)' },
  'watchdog-critical-frames': {
    value: 'N',
    about: 'unresponsive after N critical frames in a row (default 5),',
  },
  'watchdog-window-ms': { value: 'MS', about: 'or within this time (default 10000)' },
} as const satisfies Record<(typeof FLAGS)[keyof typeof FLAGS], Flag>;

/** The given thresholds; the watchdog itself checks their ranges. */
export function readWatchdogFlags(values: Readonly<Record<string, unknown>>): WatchdogOptions {
  const given = Object.entries(FLAGS).flatMap(([name, flag]) => {
    const text = values[flag];
    return text === undefined ? [] : [[name, number(`--${flag}`, String(text))] as const];
  });
  return Object.fromEntries(given);
}
