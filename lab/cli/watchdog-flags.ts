/** The watchdog's thresholds as arguments. */
import type { WatchdogOptions } from '../engine/watchdog.js';
import { number } from './values.js';

/** By the names that the library has for them. */
const FLAGS = {
  slowUpdates: 'watchdog-slow-updates',
  criticalUpdates: 'watchdog-critical-updates',
  criticalFrames: 'watchdog-critical-frames',
  windowMs: 'watchdog-window-ms',
} as const satisfies Record<keyof WatchdogOptions, string>;

/** For parseArgs. */
export const WATCHDOG_FLAGS = {
  'watchdog-slow-updates': { type: 'string' },
  'watchdog-critical-updates': { type: 'string' },
  'watchdog-critical-frames': { type: 'string' },
  'watchdog-window-ms': { type: 'string' },
} as const satisfies Record<(typeof FLAGS)[keyof typeof FLAGS], { readonly type: 'string' }>;

/** The given thresholds; the watchdog itself checks their ranges. */
export function readWatchdogFlags(values: Readonly<Record<string, unknown>>): WatchdogOptions {
  const given = Object.entries(FLAGS).flatMap(([name, flag]) => {
    const text = values[flag];
    return text === undefined ? [] : [[name, number(`--${flag}`, String(text))] as const];
  });
  return Object.fromEntries(given);
}
