/** Replays a recording at full speed, without a worker or a page: for tests, tools and servers. */
import type { CommandMap, ReplayReport } from '../../shared/protocol/control-protocol.js';
import { requireRecording } from '../../shared/recording/recording-checks.js';
import type { Recording } from '../../shared/recording/recording.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import { DEFAULT_QUEUES } from '../../shared/memory/layout.js';
import { EventReporter } from '../events/event-reporter.js';
import { HeldAssets } from './held-assets.js';
import { ReplayScript, requireCommands } from './replay-script.js';
import { requireSameEngine, restoreRun } from './saved-run.js';
import { SimulationRun } from './simulation-run.js';
import { requireInteger } from '../../shared/util/validate.js';
import type { Simulation } from '../api/simulation.js';
import { createOwnTurn } from '../thread/event-loop-turn.js';

/** Options of {@link replay}. */
export interface ReplayOptions {
  /**
   * Called after every tick, with its number and a function that hashes the state after it. Default: nothing is called.
   */
  readonly onTick?: (tick: number, hash: () => string) => void;
  /** Awaited after every 60 ticks, with the number of the last one. Default: nothing is called. */
  readonly onProgress?: (tick: number) => Promise<void>;
  /**
   * Most ticks to run: a longer recording is refused before its first tick. 1 to 2^53 - 1. Default 20,000,000, which
   * are 92 hours at 60 Hz. Protects against small files that request huge numbers of ticks: 300 bytes are enough.
   */
  readonly maxTicks?: number;
  /**
   * Ends the replay between two ticks, at most 60 ticks after the current one. With it, the event loop gets a turn after
   * every 60 ticks, so that a timer or a message can abort it. Default: the replay runs to its end without a pause.
   */
  readonly signal?: AbortSignal;
}

const DEFAULT_MAX_TICKS = 20_000_000;

const PROGRESS_TICKS = 60;
/** Time step in the context before the first tick, in s; the recording contains that of each tick. */
const DEFAULT_STEP_SECONDS = 1 / 60;

/**
 * Runs a recording from its start to its last tick and compares the state hashes.
 *
 * @param simulation A new one: its `init` is called, and finally its `dispose`.
 * @throws Error if the recording is from another engine, build or version, or calls commands that are missing.
 * @throws TypeError, RangeError naming what is impossible in the recording, and if it has more ticks than `maxTicks`.
 * @throws The reason of `signal`.
 */
export async function replay<C extends CommandMap, E extends EventMap, Q extends CommandMap>(
  simulation: Simulation<C, E, Q>,
  recording: Recording,
  options: ReplayOptions = {},
): Promise<ReplayReport> {
  const { run: description, start, entries, lastTick, assets } = requireRecording(recording);
  const { onTick, onProgress, signal, maxTicks = DEFAULT_MAX_TICKS } = options;
  requireInteger('maxTicks', maxTicks, 1, Number.MAX_SAFE_INTEGER);
  const ticks = lastTick - (start?.tick ?? 0);
  if (ticks > maxTicks) {
    throw new RangeError(
      `the recording has ${ticks} ticks, and at most ${maxTicks} are run: a higher maxTicks allows more`,
    );
  }
  signal?.throwIfAborted();
  const script = new ReplayScript(entries, lastTick);
  const run = new SimulationRun({
    simulation: simulation as Simulation,
    options: {
      capacity: description.capacity,
      seed: description.seed,
      setup: description.setup,
      dt: script.dtOf((start?.tick ?? 0) + 1) ?? DEFAULT_STEP_SECONDS,
      invalidPosePolicy: description.invalidPoses,
      generation: description.generation,
      valueCount: description.values ?? 0,
    },
    assets: new HeldAssets(assets),
    // Events that did not fit into a queue of the default size were refused in the run as well.
    events: new EventReporter(undefined, DEFAULT_QUEUES.eventWords - 1),
  });
  await run.initialize();
  const turn = signal && createOwnTurn();
  try {
    requireSameEngine(run.simulation, description.engine);
    requireCommands(run.simulation, entries);
    if (start !== undefined) restoreRun(run, start);
    const hash = (): string => run.hash();
    while (run.tick < lastTick) {
      script.runTick(run);
      const { tick } = run;
      onTick?.(tick, hash);
      if (tick % PROGRESS_TICKS !== 0) continue;
      await onProgress?.(tick);
      await turn?.take();
      signal?.throwIfAborted();
    }
    return script.report(run.tick);
  } finally {
    turn?.close();
    run.dispose();
  }
}
