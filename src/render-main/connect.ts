/** Starts a simulation in a worker and resolves with the page's grip on it. */
import type { CommandMap } from '../shared/control-protocol.js';
import type { EventMap } from '../shared/simulation-event.js';
import { requireStepperOptions, resolveOptions, type ConnectOptions } from './options.js';
import { followPageLife } from './page-life.js';
import { Session } from './session.js';
import { SimulationHandle } from './simulation-handle.js';
import type { CreateWorker } from './transport.js';

/** The commands of a simulation: `connect<typeof simulation>(…)` has them typed. */
type CommandsOf<S> = S extends { readonly commands?: infer C extends CommandMap } ? C : CommandMap;

/** Its own events, likewise. */
type EventsOf<S> = S extends { readonly events?: infer E extends EventMap }
  ? E
  : Record<never, never>;

/**
 * Creates the worker, gives it memory, aligns the clocks and lets it tick.
 *
 * @typeParam S Type of the simulation that the worker runs, for the types of its commands.
 * @param createWorker Makes the worker. `new URL` has to stand inside `new Worker` for bundlers to see it:
 *   `() => new Worker(new URL('./sim.worker.js', import.meta.url), { type: 'module' })`.
 * @throws TypeError or RangeError for a wrong option, before anything is started.
 * @throws NotIsolatedError with `transport: 'shared'`, if the page may not share memory; the message names the
 *   missing header.
 * @throws WorkerFailedError if the worker does not load, does not answer, or its `init` throws.
 * @throws SnapshotFormatError if the worker was built with another release of this library.
 */
export async function connect<S = { commands?: CommandMap }>(
  createWorker: CreateWorker,
  options?: ConnectOptions,
): Promise<SimulationHandle<CommandsOf<S>, EventsOf<S>>> {
  const resolved = resolveOptions(options);
  if (typeof createWorker !== 'function') {
    throw new TypeError('createWorker must be a function that returns a Worker');
  }
  await requireStepperOptions(resolved.stepper);
  const session = new Session(createWorker, resolved);
  await session.open();
  const handle = new SimulationHandle<CommandsOf<S>, EventsOf<S>>(session);
  followPageLife(handle, resolved.whenHidden);
  return handle;
}
