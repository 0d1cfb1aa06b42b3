/** Repeats the newest part of a run while its code changes. */
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import type { Json } from '../shared/util/json.js';
import { loadedPart } from '../shared/util/loaded-part.js';
import type { RepeatOptions, Repetition } from './api/repetition.js';
import type { SimulationHandle } from './api/simulation-handle.js';

/**
 * Runs the newest seconds of a run again and again, with the recorded inputs and commands: for changing the code until it
 * feels right. With the plugin of `betwixt/vite`, each saved file begins a round with the new code. In development, the
 * keys Alt+Shift+R begin and end it.
 *
 * Each round begins at a saved state if the simulation can be saved; otherwise, the ticks before it run as well.
 *
 * @throws TypeError, RangeError, by the promise, naming the invalid option, or if nothing has run yet.
 * @throws Error, by the promise, if the run is not recorded, is repeated already, or cannot be shown; see `openReplay`.
 */
export async function repeatRun<
  C extends CommandMap,
  E extends EventMap,
  Q extends CommandMap,
  T extends Json,
>(simulation: SimulationHandle<C, E, Q, T>, options: RepeatOptions = {}): Promise<Repetition> {
  const { startRepetition } = await loadedPart(import('./session/run-repetition.js'));
  return startRepetition(simulation as unknown as SimulationHandle, options);
}
