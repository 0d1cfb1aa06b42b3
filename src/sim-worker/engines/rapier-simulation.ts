/** A simulation on Rapier, for which the application writes only the scene. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { Simulation } from '../api/simulation.js';
import type { AnyRapier } from './any-rapier.js';
import { engineSimulation } from './engine-simulation.js';
import { loadRapier } from './load-rapier.js';
import type { Rapier, RapierBuild } from './rapier-builds.js';
import type { RapierScene, RapierTools } from './rapier-scene.js';

/**
 * Options of {@link rapierSimulation}.
 *
 * @typeParam N The build.
 */
export interface RapierSimulationOptions<N extends RapierBuild = RapierBuild> {
  /** The WebAssembly build of Rapier to load. Its package must be installed. Default `simd`. */
  readonly build?: N;
  /** In m/s², or the simulation's own unit: three numbers, finite in 32 bits. Default { x: 0, y: -9.81, z: 0 }. */
  readonly gravity?: { readonly x: number; readonly y: number; readonly z: number };
  /**
   * Awaited before the first scene is built, while the engine loads: for files that `build` needs. Default: nothing.
   */
  readonly load?: () => Promise<void>;
}

/**
 * A simulation created by {@link rapierSimulation}. Before `init`, it has no commands and no queries.
 *
 * @typeParam C Its commands.
 * @typeParam E Its custom events.
 * @typeParam Q Its queries.
 * @typeParam T The tags of its bodies.
 */
export interface RapierSimulation<
  C extends CommandMap = CommandMap,
  E extends EventMap = Record<never, never>,
  Q extends CommandMap = CommandMap,
  T extends Json = Json,
> extends Simulation<C, E, Q, T> {
  /** Those of the current scene. */
  readonly commands: C;
  /** Those of the current scene. */
  readonly queries: Q;
  /** Builds another scene from the context's setup and seed. */
  reset(): void;
  /** Saves the world, the held inputs, and what the scene saves. */
  save(): Uint8Array;
  /**
   * Restores what `save` returned, in this simulation or another one.
   *
   * @throws RangeError if the bytes are not a saved state, are damaged, or are from another engine. Nothing changes
   *   then.
   */
  restore(bytes: Uint8Array): void;
}

/** Without an annotation, nothing is known of the events. */
export type DeclaredEvents<T extends EventMap> = string extends keyof T ? Record<never, never> : T;

/**
 * Creates a simulation from a function that builds a scene in Rapier. It loads the engine, steps, reports events,
 * saves, restores, hashes, restarts, handles bodies with invalid poses, and frees the engine's memory.
 *
 *     runSimulation(rapierSimulation(({ rapier, physics }) => {
 *       const ball = physics.world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(0, 5, 0));
 *       physics.world.createCollider(rapier.ColliderDesc.ball(0.5), ball);
 *       const id = physics.add(ball);
 *       return { queries: { id: () => id } };
 *     }));
 *
 * @param build Builds a scene in an empty world, only from the context's setup, seed and random source. Called at the
 *   start, for each restart, and for each restored state, so its variables belong to one scene. Must not emit events.
 * @param options Checked in `init`, so that `connect` rejects if they are invalid.
 * @typeParam C Its commands.
 * @typeParam T What `build` emits: the events of its annotation, `({ context }: RapierTools<{ goal: number }>) => …`.
 * @typeParam E What the page receives: the events of the scene's `events`. Default: those of the annotation.
 * @typeParam Q Its queries.
 * @typeParam S What the scene saves.
 * @typeParam B The tags of its bodies.
 * @typeParam N The build of Rapier, from the options. The scene gets its types.
 * @throws TypeError if `build` is not a function.
 */
export function rapierSimulation<
  C extends CommandMap = Record<never, never>,
  T extends EventMap = EventMap,
  E extends EventMap = DeclaredEvents<T>,
  Q extends CommandMap = Record<never, never>,
  S extends Json = Json,
  B extends Json = Json,
  N extends RapierBuild = 'simd',
>(
  build: (tools: RapierTools<T, Rapier<N>>) => RapierScene<C, E, Q, S, B>,
  options: RapierSimulationOptions<N> = {},
): RapierSimulation<C, E, Q, B> {
  return engineSimulation(build, options, loadRapier as (build?: N) => Promise<AnyRapier>);
}
