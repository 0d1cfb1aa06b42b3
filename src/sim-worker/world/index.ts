/** Entry point for the worker of a world that the page makes: `betwixt/world/worker`. */
import { runSimulation } from '../run-simulation.js';
import type { WorkerHost } from '../thread/host.js';
import { createWorldSimulation } from './world-simulation.js';

export { createWorldSimulation } from './world-simulation.js';

/**
 * Runs a world that the page makes with `createWorld`. Call it at the top of a worker script.
 *
 * @param host The thread it runs in; the browser's dedicated worker when left out.
 */
export const runWorld = (host?: WorkerHost) => runSimulation(createWorldSimulation(), host);
