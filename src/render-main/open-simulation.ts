/** Turns a created worker into the page's handle to its simulation. */
import { isDevelopment } from '../shared/util/development.js';
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { Json } from '../shared/util/json.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import type { CreateWorker } from './api/create-worker.js';
import type { ResolvedOptions } from './api/check-options.js';
import type { SimulationHandle } from './api/simulation-handle.js';
import { trackPage } from './devtools/page-tracks.js';
import { PAGE_CLOCK, type PageClock } from './worker/page-clock.js';
import { followPageLife } from './page-life.js';
import { createHandle } from './session/handle.js';
import { Session } from './session/session.js';
import type { CreatedWorker } from './worker/transport.js';

/**
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
