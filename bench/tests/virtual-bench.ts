/**
 * The benchmark's worker on a scripted clock: its own simulation and log, run by the library's loop
 * in this thread. A step advances the clock by its cost, and a sleep by its length: every
 * measurement is exact, on any machine.
 *
 *     clock   due(k) ──── + cost of step k ────▶ published ═══ + time to sleep ═══▶ due(k+1)
 */
import { TickLog } from '../worker/tick-log.js';
import { createBenchSimulation } from '../worker/bench-simulation.js';
import { caseResultOf, type RepeatMeasurement } from '../engine/index.js';
import { repeatOf } from '../runner/logged-ticks.js';
import type { CaseRequest, MeasuredCase } from '../runner/measure-case.js';
import { eventQueueOf, inputQueueOf } from '../../src/shared/memory/buffer.js';
import { createBuffer } from '../../src/shared/memory/create-buffer.js';
import { CONTROL } from '../../src/shared/memory/layout.js';
import { QueueReader, QueueWriter } from '../../src/shared/memory/record-queue.js';
import { EventReporter } from '../../src/sim-worker/events/event-reporter.js';
import type { Simulation } from '../../src/sim-worker/index.js';
import type { WorkerHost } from '../../src/sim-worker/thread/host.js';
import { SimulationLoop } from '../../src/sim-worker/loop/loop.js';
import { TickInputQueue } from '../../src/sim-worker/loop/tick-source.js';
import { SimulationRun } from '../../src/sim-worker/run/simulation-run.js';
import { DEFAULT_WORKER_OPTIONS } from '../../tests/fixtures/worker-options.js';

/**
 * The cost of turns and wake-ups, in ms: due times round, and a clock must advance. Smaller than
 * the last printed digit.
 */
const CLOCK_STEP_MS = 2 ** -24;

/** Other load of the machine. */
export interface Noise {
  /** Factor of the cost of each step: a number for a repeat, or drawn for each. */
  readonly ofRepeat: () => number;
  readonly ofStep: () => number;
  /** Time until the machine next takes the processor away, and for how long, in ms. */
  readonly nextPause: () => { readonly afterMs: number; readonly lengthMs: number };
}

const QUIET: Noise = {
  ofRepeat: () => 1,
  ofStep: () => 1,
  nextPause: () => ({ afterMs: Infinity, lengthMs: 0 }),
};

/** A thread whose processor is sometimes taken away. */
class VirtualThread {
  nowMs = 1000;
  #pauseAtMs = 0;
  #pauseMs = 0;
  readonly #noise: Noise;

  constructor(noise: Noise) {
    this.#noise = noise;
    this.#drawPause();
  }

  /** @returns How often it was interrupted. */
  work(costMs: number): number {
    let leftMs = costMs;
    let pauses = 0;
    while (this.nowMs + leftMs > this.#pauseAtMs) {
      leftMs -= Math.max(0, this.#pauseAtMs - this.nowMs);
      this.nowMs = Math.max(this.nowMs, this.#pauseAtMs + this.#pauseMs);
      pauses += 1;
      this.#drawPause();
    }
    this.nowMs += leftMs;
    return pauses;
  }

  sleep(durationMs: number): void {
    this.nowMs += durationMs;
    while (this.nowMs > this.#pauseAtMs) {
      this.nowMs = Math.max(this.nowMs, this.#pauseAtMs + this.#pauseMs);
      this.#drawPause();
    }
  }

  #drawPause(): void {
    const { afterMs, lengthMs } = this.#noise.nextPause();
    this.#pauseAtMs = Math.max(this.nowMs, this.#pauseAtMs + this.#pauseMs) + afterMs;
    this.#pauseMs = lengthMs;
  }
}

/** Measures a case of scripted steps, as a worker would. */
export async function measureVirtually(
  request: CaseRequest,
  noise: Noise = QUIET,
): Promise<MeasuredCase> {
  const repeats: RepeatMeasurement[] = [];
  for (let count = 0; count < request.repeats; count++) {
    repeats.push(await measureRepeat(request, noise));
  }
  const result = caseResultOf(request.key, repeats, { frame: null, memory: null });
  return { result, engineName: request.key.engine };
}

async function measureRepeat(request: CaseRequest, noise: Noise): Promise<RepeatMeasurement> {
  const { key, capacity, seed, setup, seconds, warmUpSeconds } = request;
  const { tickRateHz } = key;
  const thread = new VirtualThread(noise);
  const factor = noise.ofRepeat();
  const log = new TickLog({ now: () => thread.nowMs } as WorkerHost);
  const simulation = createBenchSimulation({
    log,
    spend(costMs) {
      thread.work(costMs * factor * noise.ofStep());
    },
  });
  // Each tick is followed by a turn, in which this begins and ends.
  const options = {
    ...DEFAULT_WORKER_OPTIONS,
    tickRateHz,
    turnsPerSecond: tickRateHz,
    seed,
    setup,
  };
  const views = createBuffer(capacity, 4);
  const run = new SimulationRun({
    simulation: simulation as Simulation,
    options: { ...options, dt: 1 / tickRateHz, capacity },
    events: new EventReporter(new QueueWriter(eventQueueOf(views))),
  });
  const beginMs = thread.nowMs + warmUpSeconds * 1000;
  let endMs = Number.POSITIVE_INFINITY;
  const loop = new SimulationLoop({
    views,
    run,
    inputQueue: new TickInputQueue({
      queue: new QueueReader(inputQueueOf(views)),
      commandNames: [],
    }),
    options,
    now: log.host.now,
    calls: { arrived: 0, isBusy: false },
    post: () => {},
    createTurn: () => ({
      take() {
        // Between two ticks, where a worker's control calls run.
        if (endMs === Number.POSITIVE_INFINITY && thread.nowMs >= beginMs) {
          log.begin(views.control.buffer);
          endMs = thread.nowMs + seconds * 1000 - CLOCK_STEP_MS;
        }
        if (thread.nowMs >= endMs) Atomics.store(views.control, CONTROL.stopRequest, 1);
        thread.nowMs += CLOCK_STEP_MS;
        return Promise.resolve();
      },
      close: () => {},
    }),
    waitForRing(_rings, timeoutMs) {
      thread.sleep(timeoutMs + CLOCK_STEP_MS);
    },
    mirror: undefined,
  });
  await run.initialize();
  await loop.run({ ...options, isPaused: false, resumes: 0 });
  return repeatOf(
    log.end(() => thread.work(100)),
    tickRateHz,
    [],
  );
}
