/** The benchmark's worker in a browser. */
import { browserHost } from '../../src/sim-worker/thread/host.js';
import { runSimulation } from '../../src/sim-worker/index.js';
import { createBenchSimulation } from './bench-simulation.js';
import { TickLog } from './tick-log.js';

const log = new TickLog(browserHost());
const simulation = createBenchSimulation({ log });
runSimulation(simulation, log.host);
