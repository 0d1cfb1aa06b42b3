/** The interface between an application's simulation and the worker. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { InputState } from '../../shared/input/input-state.js';
import type { TickInput } from '../../shared/input/tick-inputs.js';
import type { Random } from '../../shared/recording/random.js';
import type { Json } from '../../shared/util/json.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { StateHash } from '../../shared/recording/state-hash.js';
import type { Assets } from './assets.js';
import type { Bodies } from './bodies.js';
import type { Events } from './events.js';

/** How a run restarts. */
export interface RestartOptions {
  /** The data that the run is built from, for replays: plain data. Unchanged when left out. */
  readonly setup?: Json;
  /** Seed of the run's random source, an integer, 0 to 2^32 - 1. Unchanged when left out. */
  readonly seed?: number;
}

/**
 * Passed to `init`, and valid for the lifetime of the simulation.
 *
 * @typeParam E The simulation's custom events: names and payloads. Default: any.
 */
export interface SimulationContext<E extends EventMap = EventMap> {
  /** The bodies: spawn, move, remove. Everything that is drawn is a body. */
  readonly bodies: Bodies;
  /** Most bodies at any time: the option `capacity` of `connect`. */
  readonly capacity: number;
  /**
   * Numbers for the page, as many as the option `display.values` of `connect` says: the points of a rope, the angle of a
   * needle, a score. Each state has them as it has poses. On the page, `frame.writeValues` gives them as the frame shows
   * them, between two states, and `frame.newestValues` as they are in the newest state. They begin as zeros and keep
   * what was written.
   *
   * They are saved with the bodies, and restored before `restore`; before `reset` they are zeros. They are no part of a
   * run's hash. A value that is NaN or infinite is not published: the page keeps the last one, and
   * `stats().invalidValues` counts it.
   */
  readonly values: Float32Array;
  /**
   * Like a teleport of values: in the next state, these are not blended with those of the state before. The page shows
   * the old values until it reaches that state, and then the new ones. Call it in the step in which values jump, before or
   * after they are written.
   *
   * Values that `display.values` leaves out are ignored, as what is written to them is.
   *
   * @param start Index of the first value, 0 to 65,536. Default 0.
   * @param count How many. Default: all that follow.
   * @throws TypeError, RangeError for another start or count.
   */
  cutValues(start?: number, count?: number): void;
  /**
   * The keys, pointers and gamepads that the player holds and has pressed. It has the inputs of a tick when `step` is
   * called; the tick's commands find it as the tick before has left it. It is saved with the bodies, and restored before
   * `restore`; before `reset` nothing is held. When the page has made the run jump, the next tick begins with inputs that
   * release all of it. It is no part of a run's hash.
   */
  readonly input: InputState;
  /** Simulated seconds per tick. Changes when the tick rate changes. */
  readonly dt: number;
  /** The run's seed, an integer, 0 to 2^32 - 1. */
  readonly seed: number;
  /**
   * The data that the run is built from: the option `setup` of `connect` or of {@link restart}. Null if none was given.
   */
  readonly setup: Json;
  /**
   * The run's only source of randomness: seeded when a run starts, saved with its state. `Math.random` breaks replays.
   */
  readonly random: Random;
  /** Bytes that the page has added and that commands name, such as the vertices of a mesh. */
  readonly assets: Assets;
  /** Reports events to the page: contacts, sensors, and custom events. */
  readonly events: Events<E>;
  /**
   * Restarts the run: tick 0, no earlier states, and a new recording. If the simulation has a `reset`, the bodies are
   * removed, the random source is seeded, and `reset` is called to build the new run. Otherwise the simulation builds
   * it before this call. Nothing is interpolated between the old scene and the new one. Ends any replay or `seek`.
   *
   * Call it from a query, which may then build the new run but change nothing else. An async query restarts the run also
   * when its call on the page has rejected by a limit in the meantime.
   *
   * @throws Error in a step or a command.
   * @throws TypeError, RangeError for an invalid option.
   * @throws whatever `reset` throws. Bodies and context are then unchanged.
   */
  restart(options?: RestartOptions): void;
}

/** A state that a simulation has kept in its own memory. */
export interface KeptState {
  /** The memory that it takes, in bytes. */
  readonly bytes: number;
  /** Whether {@link restore} can return to it now. */
  canRestore(): boolean;
  /**
   * Returns to this state, any number of times. The bodies are already restored. States that were kept later stay usable.
   *
   * @throws Anything the simulation throws. It is then in no usable state: another one must be restored.
   */
  restore(): void;
}

/**
 * A simulation. The worker calls `init` once, `step` in every tick, commands before it, and queries between two ticks.
 *
 * To be reproducible, `init`, `reset` and the steps must depend only on the context's seed, setup and random source,
 * the inputs, the commands and the time step.
 *
 * @typeParam C Its commands, which the page can call by name. Arguments and results are cloned.
 * @typeParam E Its custom events: names and payloads.
 * @typeParam Q Its queries, which the page can call by name.
 * @typeParam T The tags of its bodies.
 */
export interface Simulation<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
  T extends Json = Json,
> {
  /** Builds the first scene. Errors that it throws reject `connect` on the page. */
  init(context: SimulationContext<NoInfer<E>>): void | Promise<void>;
  /**
   * Advances by one tick and writes the poses of the bodies that moved. Must be synchronous: returning a promise fails
   * the simulation. The same holds for `reset` and `restore`.
   *
   * @param dt Simulated seconds: 1 / tick rate, independent of the time scale.
   * @param tick Number of this tick, 1 for the first.
   * @param inputs The inputs of the tick's input window, in order. Read them before `step` returns. `context.input` already
   *   includes them.
   */
  step(dt: number, tick: number, inputs: readonly TickInput[]): void;
  /**
   * Functions that the page can call to change the simulation. A call goes through the input queue, runs right before
   * the tick whose input window covers the time of the call, and is recorded: a replay runs it again in the same tick.
   *
   * Arguments must be plain data that JSON can hold, or typed arrays, which arrive as such and are the command's own. As
   * the last argument, a typed array travels as its bytes; anywhere else, each of its bytes takes two. All waiting calls
   * with their arguments must fit into the input queue: 1 MB, and with a `capacity` over 4,096 256 bytes for
   * each body, up to 16 MB. The call of a command that returns a promise rejects.
   */
  readonly commands?: C;
  /**
   * Functions that the page can call to read the simulation. A call runs between two ticks, as soon as it arrives, and
   * is not recorded, so a query must not change the simulation. It may return a promise. No command may have the same
   * name.
   *
   * If a query spawns, removes or moves a body, or draws from the context's random source, these changes are undone,
   * and the call rejects with an error that names them. Changes to the simulation's own variables or to an engine are
   * not detected, nor is anything that an async query does after its first `await`: ticks run in that time, and their
   * changes could not be distinguished from the query's.
   *
   * One exception: a query may call {@link SimulationContext.restart} before it returns (or first awaits), and build
   * the new run.
   */
  readonly queries?: Q;
  /** Never read: its type declares the custom events. `events: {} as { goal: { team: number } }`. */
  readonly events?: E;
  /** Never read: its type declares the tags of the bodies. `tag: {} as { shape: string }`. */
  readonly tag?: T;
  /** Name, build and version of the engine, for recordings. Called after `init`. */
  engine?(): string;
  /**
   * Builds the beginning of a run again, from the context's setup and seed, as `init` did. The old bodies are already
   * removed and the random source is seeded. The simulation must reset its own state and the engine: free the engine's
   * world before building another. Without `reset`, a recording that begins at tick 0 can be shown only once, in a
   * worker that has not run yet: see `replay` of the page.
   */
  reset?(): void;
  /** Saves the whole state as bytes, except the bodies' poses and the context, which the library saves. */
  save?(): Uint8Array;
  /**
   * Restores a saved state. The bodies are already restored. If it throws, it must not have changed anything.
   *
   * @param bytes The simulation's to keep; they are the whole of their buffer.
   */
  restore?(bytes: Uint8Array): void;
  /**
   * Keeps the whole state in this thread's memory, except the bodies' poses and the context, which the library keeps.
   * Faster than {@link save}, for states that go nowhere else: going back takes them where there are some. Called
   * between two ticks. `rapierSimulation` has it. Default: states are saved.
   *
   * @param used A state of this simulation that is no longer needed: its memory may be used again.
   * @returns Undefined if it cannot be kept.
   */
  keep?(used?: KeptState): KeptState | undefined;
  /** Adds state other than poses, such as velocities, to the state hash. */
  hash?(hash: StateHash): void;
  /**
   * The pose of a body has a NaN or infinite number. The engine should remove the body from the simulation (`remove`),
   * or hold it at its last valid pose (`freeze`).
   *
   * @returns False if it cannot.
   */
  onInvalidPose?(id: BodyId, how: 'freeze' | 'remove'): boolean;
  /** Called when the worker stops. Must free the engine's memory. */
  dispose?(): void;
}

/** The context with what is not public. */
export interface RunContext extends SimulationContext {
  readonly isRestoringNewCode: boolean;
  /** Whether the current tick repeats a recorded one. */
  readonly isReplaying: boolean;
  /** Records a batch that is applied within the current tick. */
  recordBatch(bytes: Uint8Array): void;
}

/** Whether a state is being restored that other code may have saved. Parts that cannot restore theirs begin without it. */
export const isRestoringNewCode = (context: SimulationContext): boolean =>
  (context as RunContext).isRestoringNewCode;

/** The simulation of a world that a page makes. */
export interface BatchSimulation {
  /** Applies what the page has changed. */
  readonly applyBatch: ((bytes: Uint8Array) => unknown) | undefined;
  /** @throws Error if a batch of a recording needs code of the page that is not there. */
  requireBatch(bytes: Uint8Array): void;
}

/** The function that applies batches; undefined if the simulation has no world of a page. */
export const batchesOf = (simulation: object | undefined): BatchSimulation['applyBatch'] =>
  (simulation as Partial<BatchSimulation> | undefined)?.applyBatch;

/**
 * Refuses promises from functions that must be synchronous. TypeScript accepts an async function where one that returns
 * nothing is expected, but the part after its first `await` would run between arbitrary ticks, differently each time.
 *
 * @param what The function that returned the value, such as "step".
 * @throws TypeError if it is a promise, or anything else with a `then`.
 */
export function requireDone(value: unknown, what: string): void {
  // Almost always undefined: this runs in every tick.
  if (typeof value !== 'object' || value === null || !('then' in value)) return;
  // Nothing awaits the promise; an unhandled rejection would end the worker.
  void Promise.resolve(value).catch(() => {});
  throw new TypeError(
    `${what} returned a promise, and must be done when it returns: wait in init, or in a query`,
  );
}
