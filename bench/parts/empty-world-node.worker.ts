/** A simulation of nothing, in a Node thread. */
import { parentPort } from 'node:worker_threads';
import { nodeHost, runSimulation } from '../../src/sim-worker/index.js';

if (parentPort === null) throw new Error('this file is a worker');
runSimulation({ init: () => {}, step: () => {} }, nodeHost(parentPort));
