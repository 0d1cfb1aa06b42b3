/** Starts a simulation in a worker and resolves with the page's handle to it. */
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import {
  type ConnectOptions,
  resolveOptions,
  type ResolvedOptions,
} from './api/connect-options.js';
import type { CreateWorker } from './api/create-worker.js';
import type { SimulationHandle } from './api/simulation-handle.js';
import { untilAborted } from './api/call-options.js';
import { createWith, requireCreateWorker, type CreatedWorker } from './worker/worker-creation.js';
import { isDevelopment } from '../shared/util/development.js';
import type { Json } from '../shared/util/json.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import { trackPage } from './session/page-tracks.js';
import { PAGE_CLOCK, type PageClock } from './worker/time-limits.js';
import { followPageLife } from './session/pauses.js';
import { createHandle } from './session/handle.js';
import { Session } from './session/session.js';

/** The commands of a simulation by its type, for `connect<typeof simulation>(…)`. */
export type CommandsOf<S> = S extends { readonly commands?: infer C extends CommandMap }
  ? C
  : CommandMap;

/** The queries of a simulation. */
export type QueriesOf<S> = S extends { readonly queries?: infer Q extends CommandMap }
  ? Q
  : CommandMap;

/** The simulation's own events. */
export type EventsOf<S> = S extends { readonly events?: infer E extends EventMap }
  ? E
  : Record<never, never>;

/** The tags of the simulation's bodies. */
export type TagOf<S> = S extends { readonly tag?: infer T extends Json } ? T : Json;

/**
 * Creates the worker, gives it memory, aligns the clocks and starts the ticks.
 *
 * @typeParam S Type of the simulation that the worker runs, for the types of its commands, queries, events and tags.
 * @param createWorker Creates the worker. Bundlers only find the script if `new URL` is inside `new Worker`:
 *   `() => new Worker(new URL('./sim.worker.js', import.meta.url), { type: 'module' })`.
 * @throws TypeError or RangeError for an invalid option, before anything is started.
 * @throws NotIsolatedError with `transport: 'shared'`, if the page may not share memory; the message names the missing
 *   header.
 * @throws WorkerFailedError if the worker does not load, does not answer, or its `init` throws.
 * @throws SnapshotFormatError if the worker was built with another release of this library.
 * @throws Error if the part of the library for memory that is not shared does not load; its cause says why.
 * @throws The reason of the option `signal`, if it is aborted first.
 */
export async function connect<S = { commands?: CommandMap; queries?: CommandMap }>(
  createWorker: CreateWorker,
  options?: ConnectOptions,
): Promise<SimulationHandle<CommandsOf<S>, EventsOf<S>, QueriesOf<S>, TagOf<S>>> {
  const resolved = resolveOptions(options);
  requireCreateWorker(createWorker);
  const { signal, transport } = resolved;
  // If it is aborted in the meantime, there is no worker.
  if (signal !== undefined) await Promise.resolve();
  return untilAborted({ signal }, async () => {
    const first = await createWith(createWorker, transport);
    if (signal?.aborted === true) first.worker.terminate();
    signal?.throwIfAborted();
    const simulation = await openSimulation<CommandsOf<S>, EventsOf<S>, QueriesOf<S>, TagOf<S>>(
      createWorker,
      resolved,
      first,
    );
    // Between the worker's answer and this line.
    if (signal?.aborted === true) void simulation.dispose();
    return simulation;
  });
}

/**
 * Turns a created worker into the page's handle to its simulation.
 *
 * @param createWorker Creates replacements if the first worker fails.
 */
export async function openSimulation<
  C extends CommandMap,
  E extends EventMap,
  Q extends CommandMap,
  T extends Json = Json,
>(
  createWorker: CreateWorker,
  options: ResolvedOptions,
  first: CreatedWorker,
  clock: PageClock = PAGE_CLOCK,
): Promise<SimulationHandle<C, E, Q, T>> {
  const session = new Session(createWorker, options, clock);
  const opening = session.worker.open(first);
  const loading = isDevelopment ? import('./development/page-warnings.js') : undefined;
  void loading?.then(({ warnOfSilence }) => warnOfSilence(first.worker, opening));
  await opening;
  const handle = createHandle<C, E, Q, T>(
    session,
    followPageLife(session.pauses, options.whenHidden),
  );
  if (options.devtools) trackPage(session, handle);
  if (loading !== undefined) {
    const { watchForMistakes } = await loading;
    watchForMistakes(session, handle as SimulationHandle);
  }
  return handle;
}
