/** A simulation from `connect`, and its session, which has the worker's counts. */
import type { ConnectOptions, SimulationHandle, WorkerLike } from '../../src/render-main/index.js';
import { resolveOptions } from '../../src/render-main/api/connect-options.js';
import { createHandle } from '../../src/render-main/session/handle.js';
import { Session } from '../../src/render-main/session/session.js';
import { createWith, requireIsolation } from '../../src/render-main/worker/worker-creation.js';
import type { BenchQueries } from '../worker/bench-simulation.js';

export { requireIsolation };

/** The user's own worker has other queries, or none. */
export type BenchHandle = SimulationHandle<
  Record<never, never>,
  Record<never, never>,
  BenchQueries
>;

export interface OpenSimulation {
  readonly session: Session;
  readonly simulation: BenchHandle;
}

/** Like `connect`; continues while the page is hidden. */
export async function openSimulation(
  createWorker: () => WorkerLike | Promise<WorkerLike>,
  options: ConnectOptions,
): Promise<OpenSimulation> {
  await requireIsolation();
  const resolved = resolveOptions(options);
  const session = new Session(createWorker, resolved);
  await session.worker.open(await createWith(createWorker, resolved.transport));
  const simulation: BenchHandle = createHandle(session);
  return { session, simulation };
}
