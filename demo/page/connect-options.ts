/** How the demo runs its simulation. */
import type { ConnectOptions } from '../../src/render-main/index.js';
import type { Settings } from './settings.js';

/**
 * Interval of saved states, in seconds of simulated time: for rewinding, and for a worker that is
 * restarted. Saving a heap of 1000 bodies makes 3 MB and takes longer than a tick may: this is rare
 * enough not to disturb the frames.
 */
const SAVE_EVERY_SECONDS = 4;
/** How far one can rewind, in seconds. */
const REWIND_SECONDS = 30;

export function connectOptionsOf(settings: Settings): ConnectOptions {
  return {
    tickRateHz: settings.tickHz,
    timeScale: settings.timeScale,
    capacity: settings.capacity,
    transport: settings.transport,
    display: { interpolation: settings.interpolation },
    seed: settings.seed,
    recording: { rewindSeconds: REWIND_SECONDS, saveEverySeconds: SAVE_EVERY_SECONDS },
    recovery: 'restart',
    invalidPosePolicy: 'freeze',
    // Starts when its scene is built and drawn.
    startPaused: true,
  };
}
