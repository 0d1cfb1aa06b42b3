/** Measures in threads of this process. */
import { Worker } from 'node:worker_threads';
import { typescriptThread } from '../../scripts/typescript-thread.js';
import { fromNodeWorker } from '../../src/render-main/index.js';
import { measureCase } from '../runner/measure-case.js';
import type { BenchRuntime, Stop } from './runtime.js';

/** Next to this file, and compiled if this file is. */
const startWorker = (): Worker =>
  import.meta.url.endsWith('.ts')
    ? new Worker(new URL('../worker/node-bench.worker.ts', import.meta.url), {
        ...typescriptThread,
      })
    : new Worker(new URL('../worker/node-bench.worker.js', import.meta.url));

export function openNodeRuntime(stop: Stop): BenchRuntime {
  return {
    versions: { Node: process.versions.node },
    measure: (request) =>
      measureCase(request, {
        createWorker: () => fromNodeWorker(startWorker()),
        signal: stop.now,
        isStopRequested: () => stop.isRequested,
      }),
    close: () => Promise.resolve(),
  };
}
