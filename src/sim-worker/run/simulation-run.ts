/**
 * A run of a simulation, tick by tick: the part of the worker that does not depend on real time.
 *
 * With the same description, inputs, commands and time steps, it always produces the same result: in a worker's loop,
 * in a replay, in a browser or in Node. So it has no clock and no page; its caller provides the inputs of each tick.
 *
 *     inputs ─▶ journal ─▶ commands ─▶ step ─▶ hash, saved state ─▶ journal
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Json } from '../../shared/util/json.js';
import { Random } from '../../shared/recording/random.js';
import type { InvalidPosePolicy, RunDescription } from '../../shared/recording/recording.js';
import {
  NO_TICK_INPUTS,
  type TickBatch,
  type TickCommand,
  type TickInputs,
} from '../../shared/input/tick-inputs.js';
import { BodyRegistry } from '../bodies/body-registry.js';
import type { EventReporter } from '../events/event-reporter.js';
import { requireDistinctNames, runCommand, type CommandOutcome } from './commands.js';
import { HeldAssets } from './held-assets.js';
import type { RunJournal } from './journal.js';
import { requireDone } from './require-done.js';
import { hashRun } from './run-hash.js';
import { restartRun, type RunCheckpoint } from './checkpoint.js';
import type { Simulation, SimulationContext } from '../api/simulation.js';

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

export class SimulationRun {
  readonly bodies: BodyRegistry;
  /** The simulation's own, for the display. */
  readonly values: Float32Array;
  readonly random: Random;
  readonly events: EventReporter;
  readonly #parts: RunParts;
  readonly simulation: Simulation;
  readonly #assets: HeldAssets;
  readonly #context: SimulationContext;
  /** What to do with invalid bodies. A replay does the same as the run. */
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
  isFresh = true;

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
    this.values = new Float32Array(options.valueCount ?? 0);
    this.bodies.onDespawn = (id) => events.despawned(id);
    this.random = new Random(options.seed);
    this.#seed = options.seed;
    this.#setup = options.setup;
    this.#dt = options.dt;
    this.restarts = options.restarts ?? 0;
    this.#context = this.#createContext();
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
    this.isFresh = false;
    this.#handleInvalidPoses();
    onStepped?.();
    if (tickInputs.commands.length > 0) this.#parts.onCommandsDone?.();
    this.journal?.recordState(this);
  }

  /** Hash of the current state. */
  hash(): string {
    return hashRun(this);
  }

  dispose(): void {
    this.simulation.dispose?.();
  }

  /** Takes over everything but the bodies. */
  setPosition({ tick, simulatedSeconds, dt, random, seed, setup }: RunCheckpoint): void {
    this.random.state = random;
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

  /** The page's own run begins again, even if a recording was shown or a seek was in progress. */
  beginAgain(): void {
    this.invalidPosePolicy = this.#parts.options.invalidPosePolicy;
    this.journal?.setOn(true);
    this.restarts += 1;
    this.journal?.recordRestart(this.description, this.restarts);
    this.#parts.onRestart?.();
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

  #createContext(): SimulationContext {
    const run = this as SimulationRun;
    return {
      bodies: run.bodies,
      capacity: run.bodies.capacity,
      values: run.values,
      random: run.random,
      events: run.events,
      assets: run.#assets,
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
        restartRun(run, options);
      },
    };
  }
}
