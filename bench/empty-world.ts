/** The cost of a pass of the worker's loop when the simulation does nothing. */
import { connect, type CreateWorker } from '../src/render-main/index.js';

const TICKS = 10_000;
const RUNS = 5;

/**
 * Steps a paused simulation by many ticks, one a pass: the loop then never sleeps, and the time is
 * that of wake-up bookkeeping, tick, publication, statistics and turn of the event loop.
 *
 * @returns Microseconds a pass: the median of a few runs.
 */
export async function emptyWorldPassUs(createWorker: CreateWorker): Promise<number> {
  const simulation = await connect(createWorker, {
    startPaused: true,
    maxCatchUpTicks: 1,
    capacity: 64,
  });
  const runsUs: number[] = [];
  await simulation.step(TICKS);
  for (let run = 0; run < RUNS; run++) {
    const startMs = performance.now();
    await simulation.step(TICKS);
    runsUs.push(((performance.now() - startMs) * 1000) / TICKS);
  }
  await simulation.dispose();
  return runsUs.toSorted((a, b) => a - b)[RUNS >> 1] ?? Number.NaN;
}
