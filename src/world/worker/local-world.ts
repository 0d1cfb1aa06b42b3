/** A world in the page's own thread, for `createWorld({ transport: 'local' })`. Loaded only then: it brings the engine. */
import { runLocally, type LocalWorker } from '../../sim-worker/run-locally.js';
import { createWorldSimulation } from './world-simulation.js';

/** Each world needs a new one. */
export const runWorldLocally = (): LocalWorker => runLocally(createWorldSimulation());
