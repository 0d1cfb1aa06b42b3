/** Starts a simulation in a worker and resolves with the page's handle to it. */
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { ConnectOptions } from './api/connect-options.js';
import type { CreateWorker } from './api/create-worker.js';
import { resolveOptions } from './api/check-options.js';
import type { SimulationHandle } from './api/simulation-handle.js';
import { openSimulation } from './open-simulation.js';
import type { CommandsOf, EventsOf, QueriesOf, TagOf } from './api/types-of-simulation.js';
import { untilAborted } from './traffic/call-signal.js';
import { createWith, requireCreateWorker } from './worker/transport.js';

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
