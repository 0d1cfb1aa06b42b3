/** The types of a simulation on Rapier, for which the application writes only the scene. */
import type { CommandMap } from '../../shared/protocol/control-protocol.js';
import type { Json } from '../../shared/util/json.js';
import type { EventMap } from '../../shared/events/simulation-event.js';
import type { Simulation } from '../api/simulation.js';
import type { RapierScene, RapierTools } from './rapier-scene.js';

/** Options of {@link rapierSimulation}. */
export interface RapierSimulationOptions {
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
 * The type of {@link rapierSimulation}, for a build of Rapier.
 *
 * @typeParam R The type of the build's module. The scene gets its types.
 */
export interface CreateRapierSimulation<R> {
  /** @throws TypeError if `build` is not a function. */
  <
    C extends CommandMap = Record<never, never>,
    T extends EventMap = EventMap,
    E extends EventMap = DeclaredEvents<T>,
    Q extends CommandMap = Record<never, never>,
    S extends Json = Json,
    B extends Json = Json,
  >(
    build: (tools: RapierTools<T, R>) => RapierScene<C, E, Q, S, B>,
    options?: RapierSimulationOptions,
  ): RapierSimulation<C, E, Q, B>;
}
