/** Makes the demo's worker. */
import type { EngineName } from './settings.js';

/**
 * @param engine Build of the physics engine to load; the worker reads it from its name, because it loads
 *   the engine before the first message could tell it.
 * @param onScript Called when the worker's script has been fetched: what follows is the engine. Undefined: nobody
 *   waits for that.
 */
export function createWorker(engine: EngineName, onScript?: () => void): Worker {
  const worker = new Worker(new URL('../simulation/sim.worker.ts', import.meta.url), {
    type: 'module',
    name: `engine=${engine}`,
  });
  if (onScript === undefined) return worker;
  // A worker does not tell when its script arrives, but the page's list of what was fetched does.
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some((entry) => entry.name.includes('sim.worker'))) return;
    observer.disconnect();
    onScript();
  });
  observer.observe({ type: 'resource' });
  return worker;
}
