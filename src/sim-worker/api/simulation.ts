/** What an application gives to the worker, and what it gets there. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { TickInput } from '../../shared/input/input-event.js';
import type { Random } from '../../shared/recording/random.js';
import type { Json } from '../../shared/util/json.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { StateHash } from '../../shared/recording/state-hash.js';
import type { Bodies } from './bodies.js';
import type { Events } from './events.js';

/** How a run starts over. */
export interface RestartOptions {
  /** What the run is built from, for replays: plain data. As it was when left out. */
  readonly setup?: Json;
  /** Seed of the run's random source, a whole number of 32 bits without sign. As it was when left out. */
  readonly seed?: number;
}

/** Handed to `init`, and valid for the simulation's life. */
export interface SimulationContext {
  /** The bodies: spawn, move, remove. Everything drawn is one. */
  readonly bodies: Bodies;
  /** Most bodies at any time: the option `capacity` of `connect`. */
  readonly capacity: number;
  /** Simulated seconds of one tick at this moment; the tick rate can change while it runs. */
  readonly dt: number;
  /** The run's seed, a whole number of 32 bits without sign. */
  readonly seed: number;
  /** What the run is to be built from: the option `setup` of `connect`, or of {@link restart}. Null: nothing was given. */
  readonly setup: Json;
  /**
   * The run's only source of chance: seeded anew when a run starts, saved and restored with its state. With
   * `Math.random` a replay goes another way.
   */
  readonly random: Random;
  /** Tells the page what happens: contacts, sensors, and the simulation's own events. */
  readonly events: Events;
  /**
   * Starts over: tick 0, no states before this one, and a recording that begins here. With a `reset`, the bodies are
   * taken away, the random source is seeded and `reset` is called to build the beginning; without one, the
   * simulation builds it itself, before the call. Nothing is drawn between the old scene and the new one. To be
   * called from a query, which may build another run by that, and change nothing otherwise. A recording that is shown, and a `seek` that is under way, end by it.
   *
   * @throws Error in a step or a command. @throws TypeError, RangeError for a wrong option. @throws What `reset` throws: bodies and context are then as before.
   */
  restart(options?: RestartOptions): void;
}

/**
 * A simulation. The worker calls `init` once, `step` for every tick, commands right before a step and queries between
 * two ticks.
 *
 * For a run to be reproducible, what `init` or `reset` and the steps do may depend on nothing but the context's
 * seed, setup and random source, the inputs, the commands and the step.
 *
 * @typeParam C Its commands, which the page can call by name. Arguments and results are cloned.
 * @typeParam E Its own events, by name, with what they carry.
 * @typeParam Q Its queries, which the page can call by name, too.
 */
export interface Simulation<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
> {
  /** Builds the first scene. Anything that it throws rejects `connect` on the page. */
  init(context: SimulationContext): void | Promise<void>;
  /**
   * Advances by one tick, and writes the poses of the bodies that moved. Must be done when it returns: one that returns a
   * promise fails the simulation, and so do `reset` and `restore`.
   *
   * @param dt Simulated seconds: 1 / tick rate, whatever the time scale.
   * @param tick Number of the tick that this makes, 1 for the first.
   * @param inputs What happened in the tick's input window, in order. Read it before `step` returns.
   */
  step(dt: number, tick: number, inputs: readonly TickInput[]): void;
  /**
   * What the page can have done. Each call goes through the queue of inputs, is applied right before the tick whose
   * input window covers the moment of the call, and is recorded: a replay does it again, in the same tick.
   *
   * Its arguments must be plain data that JSON can hold, and it must be done when it returns: the call of one that
   * returns a promise rejects.
   */
  readonly commands?: C;
  /**
   * What the page can ask. Each call runs between two ticks, as soon as it arrives, and is not recorded: so a query must
   * leave the simulation as it is. It may return a promise. No query has the name of a command.
   *
   * A query that spawns, removes or moves a body, or draws from the context's random source, is undone there, and
   * its call rejects with an error that names it. What it does to the simulation's own variables or to an engine is not
   * seen, nor what an async query does after its first `await`: nobody could tell that from the ticks that run then.
   *
   * One exception: a query that calls {@link SimulationContext.restart} before it returns (or first awaits) begins another
   * run, and may build it.
   */
  readonly queries?: Q;
  /** Never read: its type tells the page which events there are. `events: {} as { goal: { team: number } }`. */
  readonly events?: E;
  /** Name, build and version of the engine, for recordings. Asked for after `init`. */
  engine?(): string;
  /**
   * Builds the beginning of a run anew, from the context's setup and seed, as `init` did. The old bodies are taken
   * away already and the random source is seeded; the simulation's own state and what it holds of an engine are its
   * own to bring back, the engine's world by freeing it before another is built. Without it a recording that begins at
   * tick 0 can be shown only once, in a worker that has not run yet: see `replay` of the page.
   */
  reset?(): void;
  /** The whole state as bytes, but for the bodies' poses and the context, which the library saves. */
  save?(): Uint8Array;
  /** Goes back to a saved state. The bodies are back already. If it throws, nothing may have changed. */
  restore?(bytes: Uint8Array): void;
  /** Adds to the state hash what poses do not say, such as velocities. */
  hash?(hash: StateHash): void;
  /**
   * A body's pose has a NaN or an infinity. The engine is to take it out of the simulation (`remove`), or to hold
   * it where it last was well (`freeze`).
   *
   * @returns False if it cannot.
   */
  onInvalidPose?(id: BodyId, how: 'freeze' | 'remove'): boolean;
  /** Called when the worker stops: frees what the engine holds. */
  dispose?(): void;
}
