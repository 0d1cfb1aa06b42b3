/** The worker of `npm run bench:commands`: its commands only count. */
import { parentPort } from 'node:worker_threads';
import { nodeHost, runSimulation } from '../src/sim-worker/index.js';
import { threadTimeMs } from './thread-time.js';

if (parentPort === null) throw new Error('this file is a worker');
let calls = 0;
let sum = 0;

export const simulation = runSimulation(
  {
    init: () => {},
    step: () => {},
    commands: {
      nothing: () => {
        calls += 1;
      },
      numbers: (...values: number[]) => {
        calls += 1;
        for (const value of values) sum += value;
      },
      array: (values: Float32Array) => {
        calls += 1;
        for (const value of values) sum += value;
      },
      arrayFirst: (values: Float32Array, _last: number) => {
        calls += 1;
        for (const value of values) sum += value;
      },
    },
    queries: {
      /** What has been received, and the processor time that the worker took. */
      progress: () => ({ calls, sum, timeMs: threadTimeMs() }),
    },
  },
  nodeHost(parentPort),
);
