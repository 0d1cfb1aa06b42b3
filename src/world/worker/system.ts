/** The application's own code in a world: what runs with every tick in the worker. */
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { InputState } from '../../shared/input/input-state.js';
import type { TickInput } from '../../shared/input/tick-inputs.js';
import type { Random } from '../../shared/recording/random.js';
import type { Json } from '../../shared/util/json.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';

/** A body of Rapier's. */
type RigidBody = InstanceType<Rapier['RigidBody']>;
/** A collider of Rapier's. */
type Collider = InstanceType<Rapier['Collider']>;

/**
 * The argument of a system. Rapier's objects belong to it until it is made again: for a restored state, every system is
 * made with the objects of the restored world.
 *
 * @typeParam E The events that it emits: names and values. Default: any.
 */
export interface WorkerWorld<E extends EventMap = EventMap> {
  /** The engine's module. */
  readonly rapier: Rapier;
  /** The engine's world, `physics.world`, and the publisher of its bodies. */
  readonly physics: RapierWorld;
  /** The keys and pointers that the player holds and has pressed, including the inputs of the current tick. */
  readonly input: InputState;
  /** Random numbers that are the same in every replay. */
  readonly random: Random;
  /**
   * The engine's body; undefined if it was removed.
   *
   * @param handle The page's: `RigidBody.handle`, from 1.
   */
  bodyOf(handle: number): RigidBody | undefined;
  /** The page's handle of a body, a whole number from 1; undefined if the page has not made it. */
  handleOf(body: RigidBody): number | undefined;
  /**
   * The engine's collider; undefined if it was removed. Ask for it in each step: one that touches something and gets another
   * shape is made again.
   *
   * @param handle The page's: `Collider.handle`, from 1.
   */
  colliderOf(handle: number): Collider | undefined;
  /** The page's handle of a collider, a whole number from 1; undefined if the page has not made it. */
  handleOfCollider(collider: Collider): number | undefined;
  /**
   * Emits an event: the page receives it with `(await world.ready).on(name, handler)`.
   *
   * @throws TypeError if JSON cannot hold the value.
   * @throws RangeError if the name is empty or that of an event of the library, or the event is larger than the queue.
   */
  emit<Name extends keyof E & string>(name: Name, value: E[Name]): void;
}

/** The tick that is computed. */
export interface SystemStep {
  /** Simulated seconds. */
  readonly dt: number;
  /** The tick's number, 1 for the first. */
  readonly tick: number;
  /** The inputs of its input window, in order; `WorkerWorld.input` includes them. */
  readonly inputs: readonly TickInput[];
}

/** Two colliders that may touch, by the page's handles: whole numbers from 1. Undefined: the page has not made it. */
export interface FilteredPair {
  /** The first collider's handle, from 1. */
  readonly collider1: number | undefined;
  /** The second collider's handle, from 1. */
  readonly collider2: number | undefined;
  /** The handle of the first collider's body, from 1; undefined also if it has none. */
  readonly body1: number | undefined;
  /** The handle of the second collider's body, from 1; undefined also if it has none. */
  readonly body2: number | undefined;
}

/**
 * A system, made by the function that `defineSystem` was given. All parts are optional.
 *
 * Filters are only asked of pairs of which a collider has `ActiveHooks`. They run inside the engine's step and may not
 * touch its world: what they need of it, `beforeStep` stores.
 *
 * @typeParam P Its props.
 */
export interface System<P extends Json = Json> {
  /** Runs before each step of the engine, with the page's changes applied. */
  beforeStep?(props: P, step: SystemStep): void;
  /** Runs after each step of the engine, before the bodies are published: what it moves is drawn in the same tick. */
  afterStep?(props: P, step: SystemStep): void;
  /**
   * Decides whether two colliders touch.
   *
   * @returns 32 bits of Rapier's `SolverFlags`, or null if they do not. Undefined leaves it to the next system, and in
   *   the end they do.
   */
  filterContact?(pair: FilteredPair, props: P): number | null | undefined;
  /** Decides whether a sensor notices a collider: it does if no system says false. */
  filterIntersection?(pair: FilteredPair, props: P): boolean;
  /** Returns what it has to remember, as plain data. Default: nothing. */
  save?(): Json;
  /** Restores what `save` returned, in a system that was just made. */
  restore?(saved: never): void;
  /** The page has removed it. */
  onRemove?(): void;
}

/**
 * Makes a system of a world.
 *
 * @typeParam P The props that the page gives it.
 * @typeParam E The events that it emits.
 */
export interface SystemDefinition<P extends Json = Json, E extends EventMap = EventMap> {
  /** Makes one. */
  (world: WorkerWorld<E>): System<P>;
}

/** Systems by the names that the page uses. */
export type SystemMap = Readonly<Record<string, SystemDefinition<never, never>>>;

/** All of several types at once. */
type Intersected<U> = (U extends unknown ? (part: U) => void : never) extends (
  whole: infer I,
) => void
  ? I
  : never;

/** The props of systems, by their names. */
export type PropsOf<M extends SystemMap> = {
  readonly [Name in keyof M]: M[Name] extends SystemDefinition<infer P, never> ? P : never;
};

/** Without an annotation, nothing is known of the events. */
type DeclaredEvents<D> =
  D extends SystemDefinition<never, infer E>
    ? string extends keyof E
      ? Record<never, never>
      : E
    : never;

/** The events of all systems. */
export type SystemEventsOf<M extends SystemMap> = keyof M extends never
  ? Record<never, never>
  : Intersected<{ [Name in keyof M]: DeclaredEvents<M[Name]> }[keyof M]> & EventMap;

/**
 * Defines a system: code that runs with every tick in the worker, for what has to be exact. Its module becomes part of a
 * worker script, and the page creates it with `World.system`.
 *
 *     const wind = defineSystem(({ bodyOf }) => ({
 *       beforeStep({ bodies, x }: { bodies: number[]; x: number }, { dt }) {
 *         for (const handle of bodies) bodyOf(handle)?.applyImpulse({ x: x * dt, y: 0, z: 0 }, true);
 *       },
 *     }));
 *     export const simulation = runWorld({ wind });
 *
 * @param make Called when the page creates the system, and again for each restored state. Its variables belong to one
 *   system; those that change from tick to tick are saved and restored, or replays and recovery go another way.
 * @typeParam P The props: those that the methods are annotated with.
 * @typeParam E The events: those of the annotation `(world: WorkerWorld<{ gust: number }>) => …`.
 * @returns The function.
 * @throws TypeError if it is not a function.
 */
export function defineSystem<P extends Json = null, E extends EventMap = EventMap>(
  make: SystemDefinition<P, E>,
): SystemDefinition<P, E> {
  if (typeof make !== 'function') throw new TypeError('a system must be a function that makes it');
  return make;
}
