/** How the demo runs its simulation. */
import type { ConnectOptions } from '../../src/render-main/index.js';
import type { Settings } from './settings.js';

/**
 * A state is saved so often, in seconds of simulated time: for rewinding, and for a worker that is restarted. Saving
 * a heap of 1000 bodies takes longer than a tick may, and 3 MB: seldom enough that the picture does not suffer.
 */
const SAVE_EVERY_SECONDS = 4;
/** How far one can rewind. */
export const REWIND_SECONDS = 30;
export function connectOptionsOf(settings: Settings): ConnectOptions {
  return {
    tickRateHz: settings.tickHz,
    timeScale: settings.timeScale,
    stepper: { kind: settings.stepper },
    capacity: settings.capacity,
    transport: settings.transport,
    display: { interpolation: settings.interpolation },
    seed: settings.seed,
    recording: { rewindSeconds: REWIND_SECONDS, saveEverySeconds: SAVE_EVERY_SECONDS },
    recovery: 'restart',
    // Its limits are the library's: a worker is given up after longer than any stall of the panel.
    invalidPosePolicy: 'freeze',
    // The page pauses it by itself, where that is set: then it can be set while it runs.
    whenUnresponsive: 'slow-motion',
    // It starts when its scene is there and drawn.
    startPaused: true,
  };
}
