/** The benchmark's worker in a browser. */
import { runSimulation } from '../../src/sim-worker/index.js';
import { createBenchSimulation } from './bench-simulation.js';

runSimulation(createBenchSimulation());
