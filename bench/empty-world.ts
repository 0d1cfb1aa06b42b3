/** What a pass of the worker's loop costs when the simulation does nothing. */
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { typescriptThread } from '../scripts/typescript-thread.js';
import { connect, fromNodeWorker } from '../src/render-main/index.js';

const MEASURE_MS = 2000;

/**
 * Asks for more ticks than can be run, one a pass, so that the loop never sleeps: then the number of passes
 * a second is 1 / (tick + publication + turn + statistics).
 *
 * @returns Microseconds a pass.
 */
export async function emptyWorldPassUs(): Promise<number> {
  const worker = new Worker(new URL('./empty.worker.ts', import.meta.url), typescriptThread);
  const simulation = await connect(() => fromNodeWorker(worker), {
    tickRateHz: 1000,
    timeScale: 100,
    maxCatchUpTicks: 1,
    capacity: 64,
  });
  await delay(500);
  simulation.resetStats();
  const startMs = performance.now();
  await delay(MEASURE_MS);
  const passes = simulation.stats().iterations;
  const elapsedMs = performance.now() - startMs;
  await simulation.dispose();
  return (elapsedMs * 1000) / passes;
}
