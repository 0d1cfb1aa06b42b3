/**
 * The benchmark's worker on a scripted clock: its own simulation and log, run by the library's loop
 * in this thread. A step advances the clock by its cost, and a sleep by its length: every
 * measurement is exact, on any machine.
 *
 *     clock   due(k) ──── + cost of step k ────▶ published ═══ + time to sleep ═══▶ due(k+1)
 */
import { TickLog } from '../../../bench/worker/tick-log.js';
import { createBenchSimulation } from '../../../bench/worker/bench-simulation.js';
import { caseResultOf, type RepeatMeasurement } from '../../../bench/engine/index.js';
import { repeatOf } from '../../../bench/runner/logged-ticks.js';
import type { CaseRequest, MeasuredCase } from '../../../bench/runner/measure-case.js';
import { eventQueueOf, inputQueueOf } from '../../../src/shared/memory/buffer.js';
import { createBuffer } from '../../../src/shared/memory/create-buffer.js';
import { CONTROL } from '../../../src/shared/memory/layout.js';
import { QueueReader, QueueWriter } from '../../../src/shared/memory/record-queue.js';
import { EventReporter } from '../../../src/sim-worker/events/event-reporter.js';
import type { Simulation } from '../../../src/sim-worker/index.js';
import type { WorkerHost } from '../../../src/sim-worker/thread/host.js';
import { SimulationLoop } from '../../../src/sim-worker/loop/loop.js';
import { TickInputQueue } from '../../../src/sim-worker/loop/tick-input-queue.js';
import { loadPacer } from '../../../src/sim-worker/pacing/pacer.js';
import { SimulationRun } from '../../../src/sim-worker/run/simulation-run.js';
import { PageCalls } from '../../../src/sim-worker/thread/page-calls.js';
import { DEFAULT_WORKER_OPTIONS } from '../../fixtures/worker-options.js';

/**
 * The cost of turns and wake-ups, in ms: due times round, and a clock must advance. Smaller than
 * the last printed digit.
 */
const CLOCK_STEP_MS = 2 ** -24;

/** Measures a case of scripted steps, as a worker would. */
export async function measureVirtually(request: CaseRequest): Promise<MeasuredCase> {
  const repeats: RepeatMeasurement[] = [];
  for (let count = 0; count < request.repeats; count++) repeats.push(await measureRepeat(request));
  const result = caseResultOf(request.key, repeats, { frame: null, memory: null });
  return { result, engineName: request.key.engine };
}

async function measureRepeat(request: CaseRequest): Promise<RepeatMeasurement> {
  const { key, capacity, seed, setup, seconds, warmUpSeconds } = request;
  const { tickRateHz } = key;
  let nowMs = 1000;
  const log = new TickLog({ now: () => nowMs } as WorkerHost);
  const simulation = createBenchSimulation({
    log,
    spend(costMs) {
      nowMs += costMs;
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
  const beginMs = nowMs + warmUpSeconds * 1000;
  let endMs = Number.POSITIVE_INFINITY;
  const loop = new SimulationLoop({
    views,
    run,
    inputQueue: new TickInputQueue(new QueueReader(inputQueueOf(views)), []),
    options,
    createPacer: await loadPacer(options),
    now: log.host.now,
    calls: new PageCalls(),
    post: () => {},
    createTurn: () => ({
      take() {
        // Between two ticks, where a worker's control calls run.
        if (endMs === Number.POSITIVE_INFINITY && nowMs >= beginMs) {
          log.begin(views.control.buffer);
          endMs = nowMs + seconds * 1000 - CLOCK_STEP_MS;
        }
        if (nowMs >= endMs) Atomics.store(views.control, CONTROL.stopRequest, 1);
        nowMs += CLOCK_STEP_MS;
        return Promise.resolve();
      },
      close: () => {},
    }),
    waitForRing(_rings, timeoutMs) {
      nowMs += timeoutMs + CLOCK_STEP_MS;
    },
    mirror: undefined,
  });
  await run.initialize();
  await loop.run();
  return repeatOf(log.end(), tickRateHz, []);
}
