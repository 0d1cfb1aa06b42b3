/** Creates the demo's worker, or what runs its simulation without one. */
import type { WorkerLike } from '../../src/render-main/index.js';
import type { EngineName } from './settings.js';

/**
 * The simulation in the thread of the page. It loads the engine, which the page needs for nothing
 * else.
 *
 * @param engine Build of the physics engine to load.
 */
export async function runOnThisPage(engine: EngineName): Promise<WorkerLike> {
  const [{ runLocally }, { createDemoSimulation }] = await Promise.all([
    import('../../src/sim-worker/local.js'),
    import('../simulation/demo-simulation.js'),
  ]);
  return runLocally(createDemoSimulation(engine));
}

/**
 * @param engine Build of the physics engine to load; the worker reads it from its name, because it
 * loads
 *   the engine before it can receive a message.
 * @param onScript Called when the worker's script has been fetched: the engine follows. Optional.
 */
export function createWorker(engine: EngineName, onScript?: () => void): Worker {
  const worker = new Worker(new URL('../simulation/sim.worker.ts', import.meta.url), {
    type: 'module',
    name: `engine=${engine}`,
  });
  if (onScript === undefined) return worker;
  // A worker does not report when its script arrives, but the page's resource timing does.
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some((entry) => entry.name.includes('sim.worker'))) return;
    observer.disconnect();
    onScript();
  });
  observer.observe({ type: 'resource' });
  return worker;
}
