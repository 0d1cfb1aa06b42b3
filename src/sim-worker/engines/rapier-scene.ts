/** What an application writes of a simulation on Rapier, and what it is given for that. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { InputState } from '../../shared/input/input-state.js';
import type { TickInput } from '../../shared/input/input-event.js';
import type { Json } from '../../shared/util/json.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { StateHash } from '../../shared/recording/state-hash.js';
import type { SimulationContext } from '../api/simulation.js';
import type { Rapier } from './rapier-builds.js';
import type { RapierEvents } from './rapier-events.js';
import type { RapierWorld } from './rapier-world.js';

/** Handed to the `build` of `rapierSimulation`: what a scene is built with. */
export interface RapierTools {
  /** The simulation's context: seed, setup, random source, its own events. */
  readonly context: SimulationContext;
  /** The engine's module, for its descriptions: `rapier.RigidBodyDesc.dynamic()`. */
  readonly rapier: Rapier;
  /** A new world, empty, and what publishes its bodies: `physics.add(physics.world.createRigidBody(…))`. */
  readonly physics: RapierWorld;
  /**
   * Tells the page of contacts, forces, sensors and sleep. Made when it is read first: a scene that does not read it
   * tells of none of these, and pays for none. It is drained after each step.
   */
  readonly events: RapierEvents;
  /** What the player holds and has pressed, with the inputs of the tick whose step runs. */
  readonly input: InputState;
}

/**
 * What `build` returns: what the scene does.
 *
 * @typeParam C Its commands.
 * @typeParam E Its own events.
 * @typeParam Q Its queries.
 * @typeParam S What it saves.
 */
export interface RapierScene<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
  S extends Json = Json,
> {
  /**
   * Advances by one tick, and has to step the world for that: `physics.step(dt)`. Default: that alone.
   *
   * @param dt Simulated seconds.
   * @param tick Number of the tick that this makes, 1 for the first.
   * @param inputs What happened in the tick's input window, in order; `input` has them already.
   */
  step?(dt: number, tick: number, inputs: readonly TickInput[]): void;
  /** Change the scene: each is applied right before a tick, and recorded. The same names in every scene. Default none. */
  readonly commands?: C;
  /** Ask the scene, between two ticks, and change nothing. The same names in every scene. Default none. */
  readonly queries?: Q;
  /** Never read: its type tells the page which events of its own there are. */
  readonly events?: E;
  /**
   * What has changed since the scene was built and neither Rapier nor the bodies' poses know, as plain data. Default:
   * there is nothing such.
   */
  save?(): S;
  /**
   * Takes back what `save` gave, in a scene that was built anew. The world is the saved one already: objects of Rapier that
   * were made in `build`, such as rigid bodies and controllers, are of another one. `physics.ref` and `physics.rigidBodyOf`
   * give those of this world; vehicle and character controllers have to be made anew.
   */
  restore?(saved: S): void;
  /** Adds to the state hash what neither poses nor velocities say. Default nothing. */
  hash?(hash: StateHash): void;
  /** Called when the scene is replaced by another, and when the worker stops. The world is freed afterwards. It must not throw. */
  dispose?(): void;
}

/** Builds a scene in an empty world. */
export type BuildRapierScene<Scene extends RapierScene> = (tools: RapierTools) => Scene;
