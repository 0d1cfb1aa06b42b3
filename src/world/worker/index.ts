/** Entry point for the worker of a world that the page makes: `betwixt/world/worker`. */
import { runSimulation } from '../../sim-worker/run-simulation.js';
import { browserHost, type WorkerHost } from '../../sim-worker/thread/host.js';
import { answerForPieces } from './find-pieces.js';
import type { SystemMap } from './system.js';
import { createWorldSimulation, type WorldSimulation } from './world-simulation.js';

export { createWorldSimulation, type WorldSimulation } from './world-simulation.js';
export {
  defineSystem,
  type FilteredPair,
  type System,
  type SystemDefinition,
  type SystemMap,
  type SystemStep,
  type WorkerWorld,
} from './system.js';

/**
 * Runs a world that the page makes with `createWorld`. Call it at the top of a worker script.
 *
 *     export const simulation = runWorld({ wind, oneWay });
 *
 * @param systems Code of the application that runs with every tick, by the names that the page uses. Default: none.
 * @param host The thread it runs in; the browser's dedicated worker when left out.
 * @throws TypeError if a system is not one of `defineSystem`.
 * @returns The simulation, whose type tells the page the systems: `createWorld<typeof simulation>(…)`.
 */
export function runWorld<M extends SystemMap = Record<never, never>>(
  systems?: M,
  host: WorkerHost = browserHost(),
): WorldSimulation<M> {
  const simulation = createWorldSimulation(systems);
  runSimulation(simulation, host);
  answerForPieces(host);
  return simulation;
}
