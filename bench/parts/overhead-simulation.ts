/** The benchmark's simulation, which also notes each step, and how long the loop has slept in all before it. */
import { runSimulation, type Simulation } from '../../src/sim-worker/index.js';
import type { WorkerHost } from '../../src/sim-worker/thread/host.js';
import { openBuffer } from '../../src/shared/memory/buffer.js';
import { STATISTICS } from '../../src/shared/memory/layout.js';
import { createBenchSimulation, type BenchQueries } from '../worker/bench-simulation.js';

/** Numbers of a step in ms: when it began, how long it took, and the sleep until then, modulo 2^32 µs. */
export const STEP_NUMBERS = 3;

export type OverheadQueries = BenchQueries & {
  /** Notes steps from now on. The buffer is the shared one. */
  beginSteps: (buffer: ArrayBufferLike) => void;
  /** {@link STEP_NUMBERS} of each. */
  endSteps: () => Float64Array;
};

export function runOverheadSimulation(host: WorkerHost): void {
  const inner = createBenchSimulation();
  let statistics: Int32Array | undefined;
  let numbers: number[] = [];
  const simulation: Simulation<Record<never, never>, Record<never, never>, OverheadQueries> = {
    ...inner,
    step(dt, tick, inputs) {
      const startMs = host.now();
      inner.step(dt, tick, inputs);
      if (statistics === undefined) return;
      const asleepUs = statistics[STATISTICS.asleepUs] ?? Number.NaN;
      numbers.push(startMs, host.now() - startMs, (asleepUs >>> 0) / 1000);
    },
    queries: {
      ...(inner.queries as BenchQueries),
      beginSteps(buffer) {
        ({ statistics } = openBuffer(buffer));
        numbers = [];
      },
      endSteps: () => Float64Array.from(numbers),
    },
  };
  runSimulation(simulation, host);
}
