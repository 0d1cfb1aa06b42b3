/**
 * A run of a simulation, tick by tick: the part of the worker in which nothing depends on when things happen.
 *
 * Given the same description and the same inputs, commands and steps, it goes the same way: in the loop of a worker, in a
 * replay, in a browser or in Node. So it knows no clock and no page; who runs it says what each tick is given.
 *
 *     inputs ─▶ journal ─▶ commands ─▶ step ─▶ hash, saved state ─▶ journal
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import { RecordingFormatError } from '../../shared/util/errors.js';
import { requireJson } from '../../shared/util/json.js';
import { LIMITS } from '../../shared/util/limits.js';
import { Random } from '../../shared/recording/random.js';
import type {
  InvalidPosePolicy,
  RecordingEntry,
  RunDescription,
  SavedState,
} from '../../shared/recording/recording.js';
import type { Json } from '../../shared/util/json.js';
import { requireInteger } from '../../shared/util/validate.js';
import { StateHash } from '../../shared/recording/state-hash.js';
import {
  NO_TICK_INPUTS,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import { BodyRegistry } from '../bodies/body-registry.js';
import type { EventReporter } from '../events/event-reporter.js';
import { type Journal, type JournalIntervals, RunJournal } from './journal.js';
import { requireDone } from './require-done.js';
import { decodeRunState, encodeRunState, hashRun, type RunState } from './run-state.js';
import type { RestartOptions, Simulation, SimulationContext } from '../api/simulation.js';

/** How a command ended. */
export type CommandOutcome = { readonly value: unknown } | { readonly error: unknown };

export interface RunOptions extends JournalIntervals {
  readonly capacity: number;
  readonly seed: number;
  readonly setup: Json;
  /** Simulated seconds of a tick at the start. */
  readonly dt: number;
  readonly invalidPosePolicy: InvalidPosePolicy;
  /** Generation of all bodies' slots at the start; 0 when left out. */
  readonly generation?: number;
  /** How often queries had started the run over before; 0 when left out. */
  readonly restarts?: number | undefined;
}

/** What decides the beginning of a run. */
type RunBeginning = Pick<RunDescription, 'seed' | 'setup' | 'generation'>;

export interface RunParts {
  readonly simulation: Simulation;
  readonly options: RunOptions;
  readonly events: EventReporter;
  /** Undefined: nobody is told. */
  readonly journal?: Journal | undefined;
  /** Called when the run has started over. */
  readonly onRestart?: () => void;
  /** Called when a command has run. The step after it may still fail. */
  readonly onCommand?: (command: TickCommand, outcome: CommandOutcome) => void;
  /** Called when a tick that was given commands is done. */
  readonly onCommandsDone?: () => void;
  /** Called after a tick for every body whose pose could not be drawn, once it went bad. */
  readonly onInvalidPose?: (body: BodyId) => void;
}

export class SimulationRun {
  readonly bodies: BodyRegistry;
  readonly random: Random;
  readonly events: EventReporter;
  readonly #parts: RunParts;
  readonly #simulation: Simulation;
  readonly #hash = new StateHash();
  readonly #context: SimulationContext;
  /** What is done with bodies that go bad. A replay does what was done in the run. */
  invalidPosePolicy: InvalidPosePolicy;
  readonly #journal: RunJournal;
  // Made once: nothing is allocated for a tick.
  readonly #takeHash = (): string => this.hash();
  readonly #recordState = (): SavedState => this.save();
  #seed: number;
  #setup: Json;
  #tick = 0;
  #dt: number;
  /** Simulated time is counted in whole steps from here, so that it does not sum up rounding. */
  #anchorTick = 0;
  #anchorSeconds = 0;
  #isInTick = false;
  #restarts: number;
  /** It is as `init` made it. */
  #isFresh = true;

  constructor(parts: RunParts) {
    const { simulation, options, events, journal } = parts;
    this.#parts = parts;
    this.#simulation = simulation;
    this.#journal = new RunJournal(journal, options);
    this.events = events;
    this.invalidPosePolicy = options.invalidPosePolicy;
    this.bodies = new BodyRegistry(options.capacity);
    this.bodies.begin(options.generation ?? 0);
    this.bodies.onDespawn = (id) => events.despawned(id);
    this.random = new Random(options.seed);
    this.#seed = options.seed;
    this.#setup = options.setup;
    this.#dt = options.dt;
    this.#restarts = options.restarts ?? 0;
    this.#context = this.#createContext();
  }

  /** How often queries have started it over. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Messages to the page so far that tell what decides it. */
  get journals(): number {
    return this.#journal.sent;
  }

  /** Number of the last tick, 0 before the first. */
  get tick(): number {
    return this.#tick;
  }

  /** Simulated time after the last tick, in s. */
  get simulatedSeconds(): number {
    return this.#anchorSeconds + (this.#tick - this.#anchorTick) * this.#dt;
  }

  /** Simulated seconds of a tick, as the simulation is told between two ticks. Set by whoever paces the run. */
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
      engine: this.#simulation.engine?.() ?? '',
      invalidPoses: this.invalidPosePolicy,
      generation: this.bodies.generation,
    };
  }

  get canSave(): boolean {
    return this.#simulation.save !== undefined && this.#simulation.restore !== undefined;
  }

  /** @throws TypeError if a name is one of a command and of a query. */
  async initialize(): Promise<void> {
    requireDistinctNames(this.#simulation);
    await this.#simulation.init(this.#context);
    // Some have their names only now.
    requireDistinctNames(this.#simulation);
    this.#journal.recordRestart(this.description, this.#restarts);
  }

  /** No journal from now on, or one again: what a replay does is known already. */
  setJournaling(isOn: boolean): void {
    this.#journal.setOn(isOn);
  }

  /**
   * Makes the next tick.
   *
   * @param dt Simulated seconds.
   * @param tickInputs What it is given.
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
    this.#journal.recordTick(tick, dt, tickInputs);
    this.events.beginTick(tick, virtualMs);
    this.#isInTick = true;
    try {
      for (const command of tickInputs.commands) this.#runCommand(command);
      requireDone(this.#simulation.step(dt, tick, tickInputs.inputs), 'step');
    } finally {
      this.#isInTick = false;
    }
    this.events.endTick();
    this.#tick = tick;
    this.#isFresh = false;
    this.#handleInvalidPoses();
    onStepped?.();
    if (tickInputs.commands.length > 0) this.#parts.onCommandsDone?.();
    const save = this.canSave ? this.#recordState : undefined;
    this.#journal.recordState(this.#tick, this.#takeHash, save);
  }

  /** Of the state as it is now: poses, sleep, chance, and what the simulation adds. 16 hexadecimal digits. */
  hash(): string {
    return hashRun(this.#hash, this.bodies, this.random, this.#simulation);
  }

  /** @throws Error if the simulation cannot be saved. */
  save(): SavedState {
    const { save } = this.#simulation;
    if (save === undefined) throw new Error(CANNOT_SAVE);
    return {
      tick: this.#tick,
      bytes: encodeRunState({
        tick: this.#tick,
        simulatedSeconds: this.simulatedSeconds,
        dt: this.#dt,
        random: this.random.state,
        run: this.description,
        bodies: this.bodies.save(),
        simulation: save.call(this.#simulation),
      }),
    };
  }

  /**
   * Goes back, or on, to a saved state.
   *
   * @throws RecordingFormatError if the bytes are not a state, or one of another tick. @throws Error if the simulation
   *   cannot be restored,
   *   or if the state is another engine's. Nothing has changed then.
   */
  restore(state: SavedState): void {
    const { restore } = this.#simulation;
    if (restore === undefined) throw new Error(CANNOT_SAVE);
    const saved = decodeRunState(state.bytes);
    if (saved.tick !== state.tick) {
      throw new RecordingFormatError(
        `this state is of tick ${saved.tick}, and is said to be of tick ${state.tick}`,
      );
    }
    this.requireSameEngine(saved.run.engine);
    const before = {
      bodies: this.bodies.save(),
      random: this.random.state,
      run: this.description,
    };
    try {
      this.#setBasis(saved);
      requireDone(restore.call(this.#simulation, saved.simulation), 'restore');
    } catch (error) {
      this.#setBasis(before);
      throw isDamage(error) ? new RecordingFormatError(error.message, { cause: error }) : error;
    }
    this.#isFresh = false;
    this.#tick = saved.tick;
    this.#anchorAt(saved.simulatedSeconds);
    this.#dt = saved.dt;
    this.#journal.forgetStep();
    this.events.clear();
  }

  /**
   * Builds the beginning of a run.
   *
   * @throws Error if the simulation has no `reset`.
   */
  reset(run: RunBeginning): void {
    const { reset } = this.#simulation;
    // A new worker was built from them just now.
    if (this.#isFresh && this.#isOf(run)) return;
    if (reset === undefined) {
      throw new Error(
        'the simulation cannot start a recorded run in a worker that has run already: give it a reset()',
      );
    }
    this.#rebuild(run, () => requireDone(reset.call(this.#simulation), 'reset'));
  }

  /**
   * Checks that the simulation has the commands that a recording calls: without one of them it would be another run.
   *
   * @throws Error naming those that this simulation does not have.
   */
  requireCommands(entries: readonly RecordingEntry[]): void {
    const commands: CommandMap = this.#simulation.commands ?? {};
    const strange = new Set<string>();
    for (const entry of entries) {
      if (entry.kind === 'command' && commandNamed(commands, entry.name) === undefined) {
        strange.add(entry.name);
      }
    }
    if (strange.size === 0) return;
    const names = [...strange]
      .slice(0, 5)
      .map((name) => `"${name}"`)
      .join(', ');
    throw new Error(
      `the recording calls ${names}, and this simulation has no such command: it is of another simulation, ` +
        'or of another version of it',
    );
  }

  /** @throws Error if a state or recording of another engine would be used. */
  requireSameEngine(engine: string): void {
    const own = this.description.engine;
    if (engine === own) return;
    throw new Error(
      `it was made with the engine "${engine}", and this simulation runs on "${own}": choose that engine and ` +
        'its version',
    );
  }

  dispose(): void {
    this.#simulation.dispose?.();
  }

  /** What a simulation finds in its context when it restores itself. */
  #setBasis({ bodies, random, run }: Pick<RunState, 'bodies' | 'random' | 'run'>): void {
    this.bodies.restore(bodies);
    this.random.state = random;
    this.#seed = run.seed;
    this.#setup = run.setup;
  }

  #isOf({ seed, setup, generation }: RunBeginning): boolean {
    const isSameSetup = JSON.stringify(setup) === JSON.stringify(this.#setup);
    return seed === this.#seed && isSameSetup && generation === this.bodies.generation;
  }

  #anchorAt(simulatedSeconds: number): void {
    this.#anchorTick = this.#tick;
    this.#anchorSeconds = simulatedSeconds;
  }

  /** Begins a run and builds it. If that throws, bodies and context are as they were. */
  #rebuild(beginning: RunBeginning, build: () => void): void {
    const before = {
      bodies: this.bodies.save(),
      random: this.random.state,
      run: this.description,
      tick: this.#tick,
      simulatedSeconds: this.simulatedSeconds,
    };
    // What is built now is another run, and not what a query has changed.
    this.bodies.beforeNextChange(undefined);
    this.bodies.begin(beginning.generation);
    this.#begin(beginning);
    try {
      build();
    } catch (error) {
      this.#setBasis(before);
      this.#tick = before.tick;
      this.#anchorAt(before.simulatedSeconds);
      throw error;
    }
    this.events.clear();
  }

  #begin({ seed, setup }: RunBeginning): void {
    this.#seed = seed;
    this.#setup = setup;
    this.random.state = seed;
    this.#tick = 0;
    this.#isFresh = false;
    this.#anchorAt(0);
    this.#journal.forgetStep();
  }

  #restart(options: RestartOptions): void {
    if (this.#isInTick) {
      throw new Error('restart() may not be called in a step or a command: use a query');
    }
    const { seed = this.#seed, setup = this.#setup } = options;
    // As it comes out of a recording: JSON makes 0 of −0, for one.
    const beginning = {
      seed: requireInteger('seed', seed, ...LIMITS.seed),
      setup: JSON.parse(JSON.stringify(requireJson('setup', setup))) as Json,
      generation: this.bodies.unusedGeneration,
    };
    const { reset } = this.#simulation;
    if (reset !== undefined) {
      this.#rebuild(beginning, () => requireDone(reset.call(this.#simulation), 'reset'));
    } else {
      // What the simulation has built by itself is the beginning; no replay can build it.
      this.#begin({ ...beginning, generation: this.bodies.generation });
      this.events.clear();
    }
    // It is the page's run, also where a recording's was shown or gone through.
    this.invalidPosePolicy = this.#parts.options.invalidPosePolicy;
    this.#journal.setOn(true);
    this.#restarts += 1;
    this.#journal.recordRestart(this.description, this.#restarts);
    this.#parts.onRestart?.();
  }

  #runCommand(command: TickCommand): void {
    const { onCommand } = this.#parts;
    const commands: CommandMap = this.#simulation.commands ?? {};
    const run = commandNamed(commands, command.name);
    try {
      if (run === undefined) throw new RangeError(`there is no command "${command.name}"`);
      const value: unknown = run.apply(commands, JSON.parse(command.args) as never[]);
      requireDone(value, `the command "${command.name}"`);
      onCommand?.(command, { value });
    } catch (error) {
      // What the page asked for was wrong; the run goes on, here and in a replay alike.
      onCommand?.(command, { error });
    }
  }

  /** Keeps bodies that have gone bad from spoiling others. Part of the run: a replay does the same. */
  #handleInvalidPoses(): void {
    const { onInvalidPose } = this.#parts;
    const policy = this.invalidPosePolicy;
    for (const body of this.bodies.takeInvalid()) {
      if (policy !== 'stop') this.#simulation.onInvalidPose?.(body, policy);
      // Without an engine that could do it, the display at least does not show it any more.
      if (policy === 'remove') this.bodies.despawn(body);
      onInvalidPose?.(body);
    }
  }

  #createContext(): SimulationContext {
    const run = this as SimulationRun;
    return {
      bodies: run.bodies,
      capacity: run.bodies.capacity,
      random: run.random,
      events: run.events,
      get dt() {
        return run.#dt;
      },
      get seed() {
        return run.#seed;
      },
      get setup() {
        return run.#setup;
      },
      restart: (options = {}) => run.#restart(options),
    };
  }
}

/** Undefined where there is none of that name. */
function commandNamed(commands: CommandMap, name: string): CommandMap[string] | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined;
}

function requireDistinctNames({ commands = {}, queries = {} }: Simulation): void {
  const name = Object.keys(commands).find((command) => Object.hasOwn(queries, command));
  if (name === undefined) return;
  throw new TypeError(
    `the simulation has "${name}" among its commands and among its queries: it can be only one of them`,
  );
}

const CANNOT_SAVE =
  'the simulation cannot be saved: give it save() and restore(), or use an engine adapter that has them';

/** Bodies and engines refuse bytes that are none of theirs by a RangeError. */
function isDamage(error: unknown): error is RangeError {
  return error instanceof RangeError;
}
