/** The benchmark's worker in a Node thread. */
import { parentPort } from 'node:worker_threads';
import { nodeHost, runSimulation } from '../../src/sim-worker/index.js';
import { createBenchSimulation } from './bench-simulation.js';
import { TickLog } from './tick-log.js';

if (parentPort === null) throw new Error('this file is a worker');
const log = new TickLog(nodeHost(parentPort));

/** Of this thread alone: its heap, and what stands outside of it, such as the memory of an engine. */
function memoryMB(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

runSimulation(createBenchSimulation({ log, memoryMB }), log.host);
