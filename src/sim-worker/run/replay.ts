/** Replays of recordings: what each tick receives, and `replay`, which needs no worker and no page. */
import type { CommandMap, ReplayReport } from '../../shared/protocol/control-protocol.js';
import { requireRecording } from '../../shared/recording/recording-checks.js';
import type { Recording, RecordingEntry, SavedState } from '../../shared/recording/recording.js';
import { differenceOf } from '../../shared/recording/state-difference.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import { DEFAULT_QUEUES } from '../../shared/memory/layout.js';
import { EventReporter } from '../events/event-reporter.js';
import { HeldAssets } from '../api/assets.js';
import { SimulationRun } from './simulation-run.js';
import { requireInteger } from '../../shared/util/validate.js';
import { batchesOf, type BatchSimulation, type Simulation } from '../api/simulation.js';
import { createOwnTurn } from '../thread/host.js';
import {
  type TickInput,
  NO_TICK_INPUTS,
  type TickBatch,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import { functionNamed } from './simulation-calls.js';

const NOTHING_RECORDED: TickInputs = { ...NO_TICK_INPUTS, isReplayed: true };

/** The inputs that a recording has for each tick, and whether the result matches the recording. */
export class ReplayScript {
  /** Number of the last tick with inputs. */
  readonly lastTick: number;
  readonly #tickInputs = new Map<
    number,
    { inputs: TickInput[]; commands: (TickCommand | TickBatch)[]; isReplayed: true }
  >();
  readonly #hashes = new Map<number, string>();
  /** Ticks at which the time step changes, in ascending order, and the time steps. */
  readonly #steps: { readonly tick: number; readonly dt: number }[] = [];
  readonly #isAnswered: boolean;
  #compared = 0;
  #equalUpTo = 0;
  #differsAt: number | undefined;
  /** Ticks of saved states of the recording, and what is called at the first one that differs. */
  checkpoints:
    | { readonly ticks: readonly number[]; readonly onDiffering: (differsAt: number) => void }
    | undefined;

  /**
   * @param entries In the order of their ticks. Entries beyond `lastTick` are ignored.
   * @param isAnswered The page may wait for answers to the commands. Not for recordings, which may be of another page.
   */
  constructor(entries: readonly RecordingEntry[], lastTick: number, isAnswered = false) {
    this.lastTick = lastTick;
    this.#isAnswered = isAnswered;
    for (const entry of entries) if (entry.tick <= lastTick) this.#note(entry);
  }

  tickInputsOf(tick: number): TickInputs {
    return this.#tickInputs.get(tick) ?? NOTHING_RECORDED;
  }

  /** Simulated seconds of a tick's step; undefined before the first recorded one. */
  dtOf(tick: number): number | undefined {
    // By bisection: a recording may have one per tick, and this is called in each.
    let low = 0;
    let high = this.#steps.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#steps[middle]?.tick ?? Infinity) <= tick) low = middle + 1;
      else high = middle;
    }
    return this.#steps[low - 1]?.dt;
  }

  /** Runs the next tick as it was recorded, and compares the result. */
  runTick(run: SimulationRun): void {
    const tick = run.tick + 1;
    run.runTick(this.dtOf(tick) ?? run.dt, this.tickInputsOf(tick));
    this.check(run);
  }

  /** Compares the run's hash with the one recorded for its tick. Returns false, without hashing, if there is none. */
  check(run: Pick<SimulationRun, 'tick' | 'hash'>): boolean {
    const { tick } = run;
    const recorded = this.#hashes.get(tick);
    if (recorded !== undefined) {
      this.#compared += 1;
      if (run.hash() !== recorded) this.#differsAt ??= tick;
      else if (this.#differsAt === undefined) this.#equalUpTo = tick;
    }
    const { checkpoints } = this;
    if (this.#differsAt !== undefined && checkpoints?.ticks.includes(tick) === true) {
      this.checkpoints = undefined;
      checkpoints.onDiffering(this.#differsAt);
    }
    return recorded !== undefined;
  }

  /** The comparison so far. `tick` is the number of the last tick. */
  report(tick: number): ReplayReport {
    return {
      tick,
      hashes: this.#compared,
      differsAt: this.#differsAt,
      equalUpTo: this.#equalUpTo,
    };
  }

  #note(entry: RecordingEntry): void {
    if (entry.kind === 'hash') {
      this.#hashes.set(entry.tick, entry.hash);
    } else if (entry.kind === 'step') {
      this.#steps.push(entry);
    } else {
      const tickInputs = this.#tickInputs.get(entry.tick) ?? {
        inputs: [],
        commands: [],
        isReplayed: true,
      };
      this.#tickInputs.set(entry.tick, tickInputs);
      if (entry.kind === 'input') tickInputs.inputs.push(entry.input);
      else {
        const call = this.#isAnswered ? (entry.call ?? 0) : 0;
        tickInputs.commands.push({ ...entry, call });
      }
    }
  }
}

/**
 * @throws Error naming the commands that a recording calls and the simulation does not have, or if it has no world, or lacks
 *   code of the page.
 */
export function requireCommands(simulation: Simulation, entries: readonly RecordingEntry[]): void {
  if (batchesOf(simulation) === undefined && entries.some(({ kind }) => kind === 'batch')) {
    throw new Error(
      'the recording is of a world that a page has made, and this simulation has none',
    );
  }
  const strange = new Set<string>();
  const { requireBatch } = simulation as Partial<BatchSimulation>;
  for (const entry of entries) {
    if (entry.kind === 'batch') requireBatch?.(entry.bytes);
    if (entry.kind === 'command' && functionNamed(simulation.commands, entry.name) === undefined) {
      strange.add(entry.name);
    }
  }
  if (strange.size === 0) return;
  const names = [...strange]
    .slice(0, 5)
    .map((name) => `"${name}"`)
    .join(', ');
  throw new Error(
    `the recording calls ${names}, but this simulation has no such command: the recording is from another simulation ` +
      'or version',
  );
}

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
/** Time step in the context before the first recorded one, in s. */
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
  const {
    run: description,
    start,
    entries,
    states,
    lastTick,
    assets,
  } = requireRecording(recording);
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
  let difference: string | undefined;
  script.checkpoints = run.canSave
    ? {
        ticks: states.map(({ tick }) => tick),
        onDiffering() {
          const recorded = states.find(({ tick }) => tick === run.tick) as SavedState;
          difference = differenceOf(recorded, run.save());
        },
      }
    : undefined;
  try {
    run.requireEngine(description.engine);
    requireCommands(run.simulation, entries);
    if (start !== undefined) run.restore(start);
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
    const report = script.report(run.tick);
    return difference === undefined ? report : { ...report, difference };
  } finally {
    turn?.close();
    run.dispose();
  }
}
