/** The benchmark's worker in a Node thread. */
import { parentPort } from 'node:worker_threads';
import { nodeHost, runSimulation } from '../../src/sim-worker/index.js';
import { createBenchSimulation } from './bench-simulation.js';
import { TickLog } from './tick-log.js';

if (parentPort === null) throw new Error('this file is a worker');
const log = new TickLog(nodeHost(parentPort));

/** Of this thread only: its heap, and memory outside of it, such as an engine's. */
function memoryMB(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

runSimulation(createBenchSimulation({ log, memoryMB }), log.host);
