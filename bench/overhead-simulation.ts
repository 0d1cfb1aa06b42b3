/**
 * The worker of `npm run bench:overhead`: the benchmark's scene, and how long each pass of the loop
 * occupies the thread.
 *
 *     wakes up                                            goes to sleep
 *     ───┼─ begin ─┬─ step ─┬─ publish ─┬─ statistics, turn ─┼───
 *        └──────────────────── awake ────────────────────────┘      own cost = awake − step
 *
 * The loop sleeps only in `Atomics.wait`, so this replaces the thread's `Atomics.wait` by one that
 * reads the clock before and after.
 */
import { runSimulation, type Simulation } from '../src/sim-worker/index.js';
import type { WorkerHost } from '../src/sim-worker/thread/host.js';
import { createBenchSimulation, type BenchQueries } from './worker/bench-simulation.js';

/** Numbers of a pass, in ms: how long it was awake, its step, and its turns of the event loop. */
export const PASS_NUMBERS = 3;
/** Ten minutes at 60 Hz. */
const MAX_PASSES = 36_000;

export interface MeasuredPasses {
  /** {@link PASS_NUMBERS} of each pass with one tick. */
  readonly passes: Float64Array;
  /** Passes with several ticks or none, which are not included. */
  readonly others: number;
  /** Of all passes, in ms: how long the thread was awake, and its steps. */
  readonly awakeMs: number;
  readonly steppedMs: number;
}

export type OverheadQueries = BenchQueries & {
  beginPasses: () => void;
  endPasses: () => MeasuredPasses;
};

export function runOverheadSimulation(host: WorkerHost): void {
  const inner = createBenchSimulation();
  const numbers = new Float64Array(MAX_PASSES * PASS_NUMBERS);
  let count = 0;
  let others = 0;
  let [wokenMs, stepMs, turnMs, ticks] = [Number.NaN, 0, 0, 0];
  let [awakeMs, steppedMs, passSteppedMs] = [0, 0, 0];
  const fallsAsleep = (): void => {
    if (!Number.isNaN(wokenMs)) {
      awakeMs += host.now() - wokenMs;
      steppedMs += passSteppedMs;
    }
    if (ticks === 1 && count < MAX_PASSES && !Number.isNaN(wokenMs)) {
      numbers[count * PASS_NUMBERS] = host.now() - wokenMs;
      numbers[count * PASS_NUMBERS + 1] = stepMs;
      numbers[count * PASS_NUMBERS + 2] = turnMs;
      count += 1;
    } else {
      others += 1;
    }
  };
  const wait = Atomics.wait.bind(Atomics) as (...given: readonly unknown[]) => string;
  Atomics.wait = ((...given: readonly unknown[]) => {
    fallsAsleep();
    const how = wait(...given);
    wokenMs = host.now();
    [turnMs, ticks, passSteppedMs] = [0, 0, 0];
    return how;
  }) as typeof Atomics.wait;
  const simulation: Simulation<Record<never, never>, Record<never, never>, OverheadQueries> = {
    ...inner,
    step(dt, tick, inputs) {
      const startMs = host.now();
      inner.step(dt, tick, inputs);
      stepMs = host.now() - startMs;
      passSteppedMs += stepMs;
      ticks += 1;
    },
    queries: {
      ...(inner.queries as BenchQueries),
      beginPasses() {
        [count, others, awakeMs, steppedMs] = [0, 0, 0, 0];
      },
      endPasses() {
        return { passes: numbers.slice(0, count * PASS_NUMBERS), others, awakeMs, steppedMs };
      },
    },
  };
  runSimulation(simulation, {
    ...host,
    createTurn() {
      const turn = host.createTurn();
      return {
        async take() {
          const startMs = host.now();
          await turn.take();
          turnMs += host.now() - startMs;
        },
        close: () => turn.close(),
      };
    },
  });
}
