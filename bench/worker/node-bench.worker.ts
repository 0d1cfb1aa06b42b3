/** The benchmark's worker in a Node thread. */
import { parentPort } from 'node:worker_threads';
import { nodeHost, runSimulation } from '../../src/sim-worker/index.js';
import { createBenchSimulation } from './bench-simulation.js';

if (parentPort === null) throw new Error('this file is a worker');
runSimulation(createBenchSimulation(), nodeHost(parentPort));
