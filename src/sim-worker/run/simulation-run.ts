/**
 * A run of a simulation, tick by tick: the part of the worker that does not depend on real time.
 *
 * With the same description, inputs, commands and time steps, it always produces the same result: in a worker's loop,
 * in a replay, in a browser or in Node. So it has no clock and no page; its caller provides the inputs of each tick.
 *
 *     inputs ─▶ journal ─▶ commands ─▶ step ─▶ hash, saved state ─▶ journal
 *
 * Between two ticks, it can be saved, and go to a saved state, to a checkpoint or to the beginning of a run.
 */
import { isDevelopment } from '../../shared/util/development.js';
import {
  BODY_ALIVE,
  BODY_ASLEEP,
  GENERATION_MASK,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import { copyOfJson, type Json } from '../../shared/util/json.js';
import * as LIMITS from '../../shared/util/limits.js';
import { RecordingFormatError } from '../../shared/util/errors.js';
import { requireBytes, requireInteger } from '../../shared/util/validate.js';
import { InputState } from '../../shared/input/input-state.js';
import { Random } from '../../shared/recording/random.js';
import type {
  InvalidPosePolicy,
  RunDescription,
  SavedState,
} from '../../shared/recording/recording.js';
import { StateHash } from '../../shared/recording/state-hash.js';
import {
  NO_TICK_INPUTS,
  type TickBatch,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import { HeldAssets } from '../api/assets.js';
import {
  requireDone,
  type RestartOptions,
  type RunContext,
  type Simulation,
  type SimulationContext,
} from '../api/simulation.js';
import { StateValues } from '../bodies/state-values.js';
import { BodyRegistry, noBodies, type SavedBodies } from '../bodies/body-registry.js';
import {
  readSavedBodies,
  writeSavedBodies,
  decodeRunState,
  encodeRunState,
  type RunState,
} from './run-state.js';
import type { EventReporter } from '../events/event-reporter.js';
import type { RunJournal } from './journal.js';
import { requireDistinctNames, runCommand, type CommandOutcome } from './simulation-calls.js';

export interface RunOptions {
  readonly capacity: number;
  /** Whether bodies have velocities, for the display. Default false. */
  readonly hasVelocities?: boolean;
  /** How many values the simulation has for the display. Default 0. */
  readonly valueCount?: number;
  readonly seed: number;
  readonly setup: Json;
  /** Initial simulated seconds per tick. */
  readonly dt: number;
  readonly invalidPosePolicy: InvalidPosePolicy;
  /** Initial generation of all slots; 0 when left out. */
  readonly generation?: number;
  /** Number of earlier restarts by queries; 0 when left out. */
  readonly restarts?: number | undefined;
}

export interface RunParts {
  readonly simulation: Simulation;
  readonly options: RunOptions;
  readonly events: EventReporter;
  /** Default: none. */
  readonly assets?: HeldAssets;
  /** Records what determines the run. Undefined: nothing is recorded. */
  readonly journal?: RunJournal | undefined;
  /** Called when a query has restarted the run. Undefined: none may. */
  readonly onRestart?: (() => void) | undefined;
  /** Called when a command has run, or a batch was applied. The step after it may still fail. */
  readonly onCommand?: (command: TickCommand | TickBatch, outcome: CommandOutcome) => void;
  /** Called when a tick with commands is done. */
  readonly onCommandsDone?: () => void;
  /** Called after a tick for every body that became invalid in it. */
  readonly onInvalidPose?: (body: BodyId, tag: Json) => void;
}

/** The part of a description that determines the beginning of a run. */
export type RunBeginning = Pick<RunDescription, 'seed' | 'setup' | 'generation'>;

/** The position of a run in this thread's memory, except for the simulation's part. */
export interface RunCheckpoint extends Pick<
  RunState,
  'tick' | 'simulatedSeconds' | 'dt' | 'random' | 'input' | 'values'
> {
  readonly seed: number;
  readonly setup: Json;
  readonly bodies: SavedBodies;
}

const CANNOT_SAVE =
  'the simulation cannot be saved: give it save() and restore(), or use an engine adapter that has them';

/** Saved by a run without inputs. */
const NO_INPUT = new InputState().save();

/** Reused: a hash is complete when {@link SimulationRun.hash} returns. */
const stateHash = new StateHash();

export class SimulationRun {
  readonly bodies: BodyRegistry;
  readonly stateValues: StateValues;
  readonly random: Random;
  readonly input = new InputState();
  readonly events: EventReporter;
  readonly #parts: RunParts;
  readonly simulation: Simulation;
  readonly #assets: HeldAssets;
  readonly #context: SimulationContext;
  /** How to treat invalid bodies. A replay does the same as the run. */
  invalidPosePolicy: InvalidPosePolicy;
  readonly journal: RunJournal | undefined;
  #seed: number;
  #setup: Json;
  #tick = 0;
  #dt: number;
  /** Simulated time is computed in whole steps from here, so that rounding errors do not add up. */
  #anchorTick = 0;
  #anchorSeconds = 0;
  #isInTick = false;
  /** Number of restarts by queries so far. */
  restarts: number;
  /** Whether the run is still as `init` built it. */
  #isFresh = true;
  #isRestoringNewCode = false;
  #isReplaying = false;
  /** The batches that the current tick has applied within its step. */
  #batches: Uint8Array[] = [];

  constructor(parts: RunParts) {
    const { simulation, options, events } = parts;
    this.#parts = parts;
    this.simulation = simulation;
    this.journal = parts.journal;
    this.events = events;
    this.#assets = parts.assets ?? new HeldAssets();
    this.invalidPosePolicy = options.invalidPosePolicy;
    this.bodies = new BodyRegistry(options.capacity, options.hasVelocities);
    this.bodies.begin(options.generation ?? 0);
    this.stateValues = new StateValues(options.valueCount);
    this.bodies.onDespawn = (id) => events.despawned(id);
    this.random = new Random(options.seed);
    this.#seed = options.seed;
    this.#setup = options.setup;
    this.#dt = options.dt;
    this.restarts = options.restarts ?? 0;
    this.#context = this.#createContext();
  }

  /** The simulation's own, for the display. */
  get values(): Float32Array {
    return this.stateValues.numbers;
  }

  /** Number of the last tick, 0 before the first. */
  get tick(): number {
    return this.#tick;
  }

  /** Simulated time after the last tick, in s. */
  get simulatedSeconds(): number {
    return this.#anchorSeconds + (this.#tick - this.#anchorTick) * this.#dt;
  }

  /** Simulated seconds per tick, as the simulation sees them between two ticks. Set by the code that paces the run. */
  get dt(): number {
    return this.#dt;
  }

  set dt(dt: number) {
    if (dt === this.#dt) return;
    this.#anchorAt(this.simulatedSeconds);
    this.#dt = dt;
  }

  get description(): RunDescription {
    return {
      seed: this.#seed,
      setup: this.#setup,
      capacity: this.bodies.capacity,
      engine: this.simulation.engine?.() ?? '',
      invalidPoses: this.invalidPosePolicy,
      generation: this.bodies.generation,
      ...(this.values.length > 0 && { values: this.values.length }),
    };
  }

  get canSave(): boolean {
    return this.simulation.save !== undefined && this.simulation.restore !== undefined;
  }

  async initialize(): Promise<void> {
    requireDistinctNames(this.simulation);
    if (isDevelopment && this.simulation.engine === undefined) {
      const { watchPoses } = await import('../bodies/body-warnings.js');
      watchPoses(this.bodies);
    }
    await this.simulation.init(this.#context);
    // Some simulations know the names only now.
    requireDistinctNames(this.simulation);
    this.journal?.recordRestart(this.description, this.restarts);
  }

  /**
   * Runs the next tick.
   *
   * @param virtualMs Virtual time at which it was due, for the stamps of its events.
   * @param onStepped Called when the tick is done, before its state is hashed and saved, which may take longer.
   */
  runTick(
    dt: number,
    tickInputs: TickInputs = NO_TICK_INPUTS,
    virtualMs = 0,
    onStepped?: () => void,
  ): void {
    const tick = this.#tick + 1;
    this.dt = dt;
    this.journal?.recordTick(tick, dt, tickInputs);
    this.bodies.tick = tick;
    this.events.beginTick(tick, virtualMs);
    this.#isInTick = true;
    this.#isReplaying = tickInputs.isReplayed === true;
    // Batches of a step that has thrown.
    if (this.#batches.length > 0) this.#batches = [];
    try {
      for (const command of tickInputs.commands) {
        const outcome = runCommand(this.simulation, command);
        this.#parts.onCommand?.(command, outcome);
      }
      this.input.apply(tickInputs.inputs);
      requireDone(this.simulation.step(dt, tick, tickInputs.inputs), 'step');
    } finally {
      this.#isInTick = false;
    }
    this.events.endTick();
    this.#tick = tick;
    this.#isFresh = false;
    this.#handleInvalidPoses();
    if (this.#batches.length > 0) this.journal?.recordBatches(tick, this.#batches);
    onStepped?.();
    if (tickInputs.commands.length > 0) this.#parts.onCommandsDone?.();
    this.journal?.recordState(this);
  }

  /** Hash of the current state: pose and sleep of all living bodies by slot, random source, what the simulation adds. */
  hash(): string {
    const { lanes, bodyLimit } = this.bodies;
    stateHash.reset();
    stateHash.addWord(this.random.state);
    for (let slot = 0; slot < bodyLimit; slot++) {
      const at = slot * BODY_LANES;
      const meta = lanes[at + LANE.meta] ?? 0;
      if ((meta & BODY_ALIVE) === 0) continue;
      // Without generations and teleports: they count past changes and are not part of the state.
      stateHash.addWord(slot);
      stateHash.addWord(meta & BODY_ASLEEP);
      stateHash.addWords(lanes, at, at + LANE.meta);
      stateHash.addWords(lanes, at + LANE.qx, at + BODY_LANES);
    }
    this.simulation.hash?.(stateHash);
    return stateHash.digest();
  }

  dispose(): void {
    this.simulation.dispose?.();
  }

  /** The current position, in separate memory. */
  checkpoint(): RunCheckpoint {
    return {
      tick: this.#tick,
      simulatedSeconds: this.simulatedSeconds,
      dt: this.#dt,
      random: this.random.state,
      input: this.input.save(),
      seed: this.#seed,
      setup: this.#setup,
      bodies: this.bodies.save(),
      values: this.values.slice(),
    };
  }

  /**
   * Goes to another position, of this run or another.
   *
   * @param build Makes the simulation build its part. If it throws, nothing changes.
   */
  moveTo(position: RunCheckpoint, build: () => void): void {
    const before = this.checkpoint();
    const wasFresh = this.#isFresh;
    // The following changes build another run; a query may make them.
    this.bodies.beforeNextChange(undefined);
    this.#isFresh = false;
    this.bodies.restore(position.bodies);
    this.values.set(position.values);
    this.#setPosition(position);
    try {
      build();
    } catch (error) {
      this.bodies.restore(before.bodies);
      this.values.set(before.values);
      this.#setPosition(before);
      this.#isFresh = wasFresh;
      throw error;
    }
    this.journal?.forgetStep();
    this.events.clear();
  }

  /** @throws Error if the simulation cannot be saved. */
  save(): SavedState {
    const { simulation } = this;
    if (simulation.save === undefined) throw new Error(CANNOT_SAVE);
    const position = this.checkpoint();
    const bytes = encodeRunState({
      ...position,
      run: this.description,
      bodies: writeSavedBodies(position.bodies),
      simulation: requireBytes('what save() returns', simulation.save()),
    });
    return { tick: position.tick, bytes };
  }

  /**
   * Goes to a saved state.
   *
   * @param isNewCode See `isRestoringNewCode`.
   * @throws RecordingFormatError if the bytes are not a state, or are the state of another tick.
   * @throws Error if the simulation cannot be restored, or if the state is from another engine. Nothing changes then.
   */
  restore(state: SavedState, isNewCode = false): void {
    const { simulation } = this;
    if (simulation.restore === undefined) throw new Error(CANNOT_SAVE);
    const saved = decodeRunState(state.bytes);
    if (saved.tick !== state.tick) {
      throw new RecordingFormatError(
        `this state is of tick ${saved.tick}, and is said to be of tick ${state.tick}`,
      );
    }
    const { seed, setup, engine } = saved.run;
    this.requireEngine(engine);
    this.#isRestoringNewCode = isNewCode;
    try {
      const { length } = saved.values;
      if (length !== this.values.length) {
        throw new RangeError(
          `the saved state has ${length} values, and this run has ${this.values.length}: the option ` +
            'display.values must be the same',
        );
      }
      const bodies = readSavedBodies(saved.bodies, this.bodies.capacity);
      this.moveTo({ ...saved, seed, setup, bodies }, () =>
        requireDone(simulation.restore?.(saved.simulation), 'restore'),
      );
    } catch (error) {
      // Bodies and engines reject invalid bytes with a RangeError.
      if (!(error instanceof RangeError)) throw error;
      throw new RecordingFormatError(error.message, { cause: error });
    } finally {
      this.#isRestoringNewCode = false;
    }
  }

  /** @throws Error if a state or recording of this engine is of another than the simulation's. */
  requireEngine(engine: string): void {
    const own = this.simulation.engine?.() ?? '';
    if (engine === own) return;
    throw new Error(
      `it was made with the engine "${engine}", and this simulation runs on "${own}": choose that engine and ` +
        'its version',
    );
  }

  /** Goes to the beginning of a run. @throws Error if the simulation has no `reset`. */
  reset(beginning: RunBeginning): void {
    const { simulation, description } = this;
    const isOwn =
      beginning.seed === description.seed &&
      beginning.generation === description.generation &&
      JSON.stringify(beginning.setup) === JSON.stringify(description.setup);
    // The run is new and already built from this beginning.
    if (this.#isFresh && isOwn) return;
    if (simulation.reset === undefined) {
      throw new Error(
        'the simulation cannot start a recorded run in a worker that has run already: give it a reset()',
      );
    }
    this.moveTo(this.#atBeginning(beginning), () => requireDone(simulation.reset?.(), 'reset'));
  }

  /** For `context.restart`. */
  #restart({ seed = this.#seed, setup = this.#setup }: RestartOptions): void {
    const { simulation } = this;
    const position = this.#atBeginning({
      seed: requireInteger('seed', seed, ...LIMITS.seed),
      setup: copyOfJson('setup', setup),
      generation: unusedGeneration(this.bodies.save()),
    });
    if (simulation.reset !== undefined) {
      this.moveTo(position, () => requireDone(simulation.reset?.(), 'reset'));
    } else {
      // The simulation has already built the new run; no replay can build it.
      this.#setPosition(position);
      this.#isFresh = false;
      this.events.clear();
    }
    // Even if a recording was shown or a seek was in progress.
    this.invalidPosePolicy = this.#parts.options.invalidPosePolicy;
    this.journal?.setOn(true);
    this.restarts += 1;
    this.journal?.recordRestart(this.description, this.restarts);
    this.#parts.onRestart?.();
  }

  #atBeginning({ seed, setup, generation }: RunBeginning): RunCheckpoint {
    return {
      tick: 0,
      simulatedSeconds: 0,
      dt: this.#dt,
      random: seed,
      input: NO_INPUT,
      seed,
      setup,
      bodies: noBodies(generation),
      values: new Float32Array(this.values.length),
    };
  }

  /** Takes over everything but the bodies. */
  #setPosition({ tick, simulatedSeconds, dt, random, input, seed, setup }: RunCheckpoint): void {
    this.random.state = random;
    this.input.restore(input);
    this.#seed = seed;
    this.#setup = setup;
    this.#tick = tick;
    this.bodies.tick = tick;
    this.#anchorAt(simulatedSeconds);
    this.#dt = dt;
  }

  #anchorAt(simulatedSeconds: number): void {
    this.#anchorTick = this.#tick;
    this.#anchorSeconds = simulatedSeconds;
  }

  /** Keeps invalid bodies from affecting others. Part of the run: a replay does the same. */
  #handleInvalidPoses(): void {
    const { onInvalidPose } = this.#parts;
    const policy = this.invalidPosePolicy;
    for (const body of this.bodies.takeInvalid()) {
      const tag = this.bodies.tag(body) ?? null;
      if (policy !== 'stop') this.simulation.onInvalidPose?.(body, policy);
      // If the engine cannot remove the body, at least the display no longer shows it.
      if (policy === 'remove') this.bodies.despawn(body);
      onInvalidPose?.(body, tag);
    }
  }

  #createContext(): RunContext {
    const run = this as SimulationRun;
    return {
      bodies: run.bodies,
      capacity: run.bodies.capacity,
      values: run.values,
      cutValues: (start, count) => run.stateValues.cut(start, count),
      random: run.random,
      input: run.input,
      events: run.events,
      assets: run.#assets,
      get isRestoringNewCode() {
        return run.#isRestoringNewCode;
      },
      get isReplaying() {
        return run.#isReplaying;
      },
      recordBatch: (bytes) => void run.#batches.push(bytes),
      get dt() {
        return run.#dt;
      },
      get seed() {
        return run.#seed;
      },
      get setup() {
        return run.#setup;
      },
      restart(options = {}) {
        if (run.#isInTick || run.#parts.onRestart === undefined) {
          throw new Error('restart() may not be called in a step or a command: use a query');
        }
        run.#restart(options);
      },
    };
  }
}

/** A generation that no id of this run has, 0 to 4095. */
function unusedGeneration({ generation, lanes }: SavedBodies): number {
  let max = 0;
  for (let at: number = LANE.meta; at < lanes.length; at += BODY_LANES) {
    max = Math.max(max, ((lanes[at] ?? 0) - generation) & GENERATION_MASK);
  }
  return (generation + max + 1) & GENERATION_MASK;
}
