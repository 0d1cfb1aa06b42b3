/** From a worker that was made to the page's grip on its simulation. Loaded while the worker loads. */
import type { CommandMap } from '../shared/control-protocol.js';
import type { EventMap } from '../shared/simulation-event.js';
import type { ResolvedOptions } from './options.js';
import { followPageLife } from './page-life.js';
import { Session } from './session.js';
import { SimulationHandle } from './simulation-handle.js';
import type { CreatedWorker, CreateWorker } from './transport.js';

/**
 * @param createWorker Makes the workers after the first, should that one fail.
 * @param first The first one, which nobody listens to yet.
 */
export async function openSimulation<C extends CommandMap, E extends EventMap>(
  createWorker: CreateWorker,
  options: ResolvedOptions,
  first: CreatedWorker,
): Promise<SimulationHandle<C, E>> {
  const session = new Session(createWorker, options);
  await session.open(first);
  const handle = new SimulationHandle<C, E>(session);
  followPageLife(handle, options.whenHidden);
  return handle;
}
