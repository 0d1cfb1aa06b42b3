/** The interface between an application's scene and a simulation on Rapier. */
import type { CommandMap } from '../shared/protocol/control-protocol.js';
import type { InputState } from '../shared/input/input-state.js';
import type { TickInput } from '../shared/input/tick-inputs.js';
import type { Json } from '../shared/util/json.js';
import type { EventMap } from '../shared/events/simulation-event.js';
import type { StateHash } from '../shared/recording/state-hash.js';
import type { SimulationContext } from '../sim-worker/api/simulation.js';
import type { Rapier, RapierWorldOf } from './rapier-builds.js';
import type { RapierEvents } from './rapier-events.js';
import type { RapierWorld } from './rapier-world.js';

/**
 * Passed to the `build` of `rapierSimulation`: what a scene is built with.
 *
 * @typeParam E The custom events that `context.events` emits: names and payloads. Default: any.
 * @typeParam R The type of Rapier's module. Default: that of the installed package. An application that has several names
 *   its own: `RapierTools<{ goal: number }, Rapier<'compat'>>`.
 */
export interface RapierTools<E extends EventMap = EventMap, R = Rapier> {
  /** The simulation's context: seed, setup, random source, custom events. */
  readonly context: SimulationContext<E>;
  /** The engine's module, for its descriptions: `rapier.RigidBodyDesc.dynamic()`. */
  readonly rapier: R;
  /** A new, empty world, and the publisher of its bodies: `physics.add(physics.world.createRigidBody(…))`. */
  readonly physics: RapierWorld<RapierWorldOf<R>>;
  /**
   * Reports contacts, forces, sensors and sleep to the page. Created on first read: a scene that never reads it reports
   * none of these and pays nothing for them. It is drained after each step.
   */
  readonly events: RapierEvents;
  /** What the player holds and has pressed, including the inputs of the current tick. */
  readonly input: InputState;
}

/**
 * The result of `build`: the behavior of the scene.
 *
 * @typeParam C Its commands.
 * @typeParam E Its custom events.
 * @typeParam Q Its queries.
 * @typeParam S What it saves.
 * @typeParam T The tags of its bodies.
 */
export interface RapierScene<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
  S extends Json = Json,
  T extends Json = Json,
> {
  /**
   * Advances by one tick. Must step the world: `physics.step(dt)`. Default: only that.
   *
   * @param dt Simulated seconds.
   * @param tick Number of this tick, 1 for the first.
   * @param inputs The inputs of the tick's input window, in order; `input` already includes them.
   */
  step?(dt: number, tick: number, inputs: readonly TickInput[]): void;
  /**
   * Change the scene: each runs right before a tick and is recorded. All scenes must have the same names. Default none.
   */
  readonly commands?: C;
  /** Read the scene between two ticks and change nothing. All scenes must have the same names. Default none. */
  readonly queries?: Q;
  /** Never read: its type declares the custom events. */
  readonly events?: E;
  /** Never read: its type declares the tags of the bodies. */
  readonly tag?: T;
  /** Returns, as plain data, the changed state that is neither in Rapier nor in the bodies' poses. Default: nothing. */
  save?(): S;
  /**
   * Restores what `save` returned, in a newly built scene. The world is already the saved one. Rapier objects from
   * `build`, such as rigid bodies and controllers, belong to another world: `physics.ref` and `physics.rigidBodyOf`
   * return those of this world; vehicle and character controllers must be created again.
   */
  restore?(saved: S): void;
  /**
   * Restores what `save` returned in this scene itself: its world is at that moment again, with the rigid bodies, colliders
   * and joints that it had then, as the same objects. For going back faster in scenes that take long to build. Must leave
   * nothing of what came after. Without it, and if controllers were made or removed since, the scene is built again, and {@link restore} is called.
   */
  restoreInPlace?(saved: S): void;
  /** Adds state other than poses and velocities to the state hash. Default nothing. */
  hash?(hash: StateHash): void;
  /** Called when the scene is replaced and when the worker stops. The world is freed afterwards. Must not throw. */
  dispose?(): void;
}

/** Builds a scene in an empty world, with {@link RapierTools} of the build that it is written for. */
export type BuildRapierScene<Scene extends RapierScene> = (tools: never) => Scene;
