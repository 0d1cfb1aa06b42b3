/** The world's worker of the part `world` in a Node thread. */
import { parentPort } from 'node:worker_threads';
import { nodeHost } from '../../src/sim-worker/index.js';
import { runWorld } from '../../src/world/worker/index.js';

if (parentPort === null) throw new Error('this file is a worker');
runWorld({}, nodeHost(parentPort));
