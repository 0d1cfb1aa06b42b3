/**
 * A run of a simulation, tick by tick: the part of the worker in which nothing depends on when things happen.
 *
 * Given the same description and the same inputs, commands and steps, it goes the same way: in the loop of a worker, in a
 * replay, in a browser or in Node. So it knows no clock and no page; who runs it says what each tick is given.
 *
 *     inputs ─▶ journal ─▶ commands ─▶ step ─▶ hash, saved state ─▶ journal
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import { requireJson, type Json } from '../../shared/util/json.js';
import { LIMITS } from '../../shared/util/limits.js';
import { Random } from '../../shared/recording/random.js';
import type {
  InvalidPosePolicy,
  RunDescription,
  SavedState,
} from '../../shared/recording/recording.js';
import { requireInteger } from '../../shared/util/validate.js';
import { StateHash } from '../../shared/recording/state-hash.js';
import {
  NO_TICK_INPUTS,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import { BodyRegistry, noBodies } from '../bodies/body-registry.js';
import type { SavedBodies } from '../bodies/saved-bodies.js';
import type { EventReporter } from '../events/event-reporter.js';
import { requireDistinctNames, runCommand, type CommandOutcome } from './commands.js';
import { type Journal, type JournalIntervals, RunJournal } from './journal.js';
import { requireDone } from './require-done.js';
import { hashRun } from './run-hash.js';
import type { RestartOptions, Simulation, SimulationContext } from '../api/simulation.js';

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

/** Where a run stands, but for what the simulation has of it. */
export interface RunCheckpoint {
  readonly tick: number;
  /** Simulated time after the tick, in s. */
  readonly simulatedSeconds: number;
  /** Simulated seconds of the last step. */
  readonly dt: number;
  /** State of the random source. */
  readonly random: number;
  readonly seed: number;
  readonly setup: Json;
  readonly bodies: SavedBodies;
}

/** What decides the beginning of a run. */
export type RunBeginning = Pick<RunDescription, 'seed' | 'setup' | 'generation'>;

export interface RunParts {
  readonly simulation: Simulation;
  readonly options: RunOptions;
  readonly events: EventReporter;
  /** Undefined: nobody is told. */
  readonly journal?: Journal | undefined;
  /** How states for the journal are saved; undefined: none are. */
  readonly save?: ((run: SimulationRun) => SavedState) | undefined;
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
  readonly simulation: Simulation;
  readonly #hash = new StateHash();
  readonly #context: SimulationContext;
  /** What is done with bodies that go bad. A replay does what was done in the run. */
  invalidPosePolicy: InvalidPosePolicy;
  readonly #journal: RunJournal;
  // Made once: nothing is allocated for a tick.
  readonly #takeHash = (): string => this.hash();
  readonly #recordState: (() => SavedState) | undefined;
  #seed: number;
  #setup: Json;
  #tick = 0;
  #dt: number;
  /** Simulated time is counted in whole steps from here, so that it does not sum up rounding. */
  #anchorTick = 0;
  #anchorSeconds = 0;
  #isInTick = false;
  #restarts: number;
  #isFresh = true;

  constructor(parts: RunParts) {
    const { simulation, options, events, journal, save } = parts;
    this.#parts = parts;
    this.simulation = simulation;
    this.#recordState = save && (() => save(this));
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

  /** It is as `init` made it. */
  get isFresh(): boolean {
    return this.#isFresh;
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
      engine: this.simulation.engine?.() ?? '',
      invalidPoses: this.invalidPosePolicy,
      generation: this.bodies.generation,
    };
  }

  get canSave(): boolean {
    return this.simulation.save !== undefined && this.simulation.restore !== undefined;
  }

  /** @throws TypeError if a name is one of a command and of a query. */
  async initialize(): Promise<void> {
    requireDistinctNames(this.simulation);
    await this.simulation.init(this.#context);
    // Some have their names only now.
    requireDistinctNames(this.simulation);
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
      for (const command of tickInputs.commands) {
        const outcome = runCommand(this.simulation, command);
        this.#parts.onCommand?.(command, outcome);
      }
      requireDone(this.simulation.step(dt, tick, tickInputs.inputs), 'step');
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
    return hashRun(this.#hash, this.bodies, this.random, this.simulation);
  }

  /** Where it stands, in memory of its own. */
  checkpoint(): RunCheckpoint {
    return {
      tick: this.#tick,
      simulatedSeconds: this.simulatedSeconds,
      dt: this.#dt,
      random: this.random.state,
      seed: this.#seed,
      setup: this.#setup,
      bodies: this.bodies.save(),
    };
  }

  /**
   * Goes to another position, of this run or another.
   *
   * @param build Has the simulation build its part. If it throws, all is as it was.
   */
  goTo(position: RunCheckpoint, build: () => void): void {
    const before = this.checkpoint();
    // What is built now is another run, and not what a query has changed.
    this.bodies.beforeNextChange(undefined);
    this.#isFresh = false;
    this.#stand(position);
    try {
      build();
    } catch (error) {
      this.#stand(before);
      throw error;
    }
    this.#journal.forgetStep();
    this.events.clear();
  }

  /** Where a run stands that begins. */
  beginningOf({ seed, setup, generation }: RunBeginning): RunCheckpoint {
    return {
      tick: 0,
      simulatedSeconds: 0,
      dt: this.#dt,
      random: seed,
      seed,
      setup,
      bodies: noBodies(generation),
    };
  }

  dispose(): void {
    this.simulation.dispose?.();
  }

  #stand(position: Omit<RunCheckpoint, 'bodies'> & { bodies: SavedBodies | undefined }): void {
    const { tick, simulatedSeconds, dt, random, seed, setup, bodies } = position;
    if (bodies !== undefined) this.bodies.restore(bodies);
    this.random.state = random;
    this.#seed = seed;
    this.#setup = setup;
    this.#tick = tick;
    this.#anchorAt(simulatedSeconds);
    this.#dt = dt;
  }

  #anchorAt(simulatedSeconds: number): void {
    this.#anchorTick = this.#tick;
    this.#anchorSeconds = simulatedSeconds;
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
    const { reset } = this.simulation;
    const position = this.beginningOf(beginning);
    if (reset !== undefined) {
      this.goTo(position, () => requireDone(reset.call(this.simulation), 'reset'));
    } else {
      // What the simulation has built by itself is the beginning; no replay can build it.
      this.#stand({ ...position, bodies: undefined });
      this.#isFresh = false;
      this.events.clear();
    }
    // It is the page's run, also where a recording's was shown or gone through.
    this.invalidPosePolicy = this.#parts.options.invalidPosePolicy;
    this.#journal.setOn(true);
    this.#restarts += 1;
    this.#journal.recordRestart(this.description, this.#restarts);
    this.#parts.onRestart?.();
  }

  /** Keeps bodies that have gone bad from spoiling others. Part of the run: a replay does the same. */
  #handleInvalidPoses(): void {
    const { onInvalidPose } = this.#parts;
    const policy = this.invalidPosePolicy;
    for (const body of this.bodies.takeInvalid()) {
      if (policy !== 'stop') this.simulation.onInvalidPose?.(body, policy);
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
