/** The worker of the part `overhead` in a Node thread. */
import { parentPort } from 'node:worker_threads';
import { nodeHost } from '../../src/sim-worker/index.js';
import { runOverheadSimulation } from './overhead-simulation.js';

if (parentPort === null) throw new Error('this file is a worker');
runOverheadSimulation(nodeHost(parentPort));
