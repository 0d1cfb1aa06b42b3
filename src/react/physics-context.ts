/** How components find their `<Physics>`. */
import { createContext, useContext } from 'react';
import type { SavedState } from '../shared/recording/recording.js';
import type { World } from '../world/page/index.js';
import type { PhysicsScope, WorldStepCallback } from './physics-scope.js';
import type { rapier } from './rapier-values.js';
import type { RigidBodyAutoCollider } from './types.js';

/** The result of {@link useRapier}. */
export interface RapierContext {
  /** The classes and enumerations of `betwixt/world`, with Rapier's names, and its `Vector3` and `Quaternion`. */
  readonly rapier: typeof rapier;
  /** The world. Reading it creates the worker, if nothing has done so before. */
  readonly world: World;
  /**
   * Replaces the state of the world by a saved one: `setWorld(await sim.save())`.
   *
   * @returns When the state is there.
   */
  readonly setWorld: (saved: SavedState) => Promise<void>;
  /** Whether the prop `paused` is set. */
  readonly isPaused: boolean;
  /** Whether the prop `debug` is set. */
  readonly isDebug: boolean;
  /**
   * Advances a paused world.
   *
   * @param deltaTime Seconds: rounded to ticks, at least one.
   * @returns When the ticks are done. A frame shows them.
   */
  readonly step: (deltaTime: number) => Promise<void>;
  /** Props of `<Physics>` that bodies look at. */
  readonly physicsOptions: { readonly colliders: RigidBodyAutoCollider };
  /** The callbacks of `useBeforePhysicsStep`. */
  readonly beforeStepCallbacks: Set<{ readonly current: WorldStepCallback }>;
  /** The callbacks of `useAfterPhysicsStep`. */
  readonly afterStepCallbacks: Set<{ readonly current: WorldStepCallback }>;
  /** Empty: what it holds elsewhere is internal here. */
  readonly rigidBodyStates: ReadonlyMap<number, never>;
  /** Empty: what it holds elsewhere is internal here. */
  readonly colliderStates: ReadonlyMap<number, never>;
  /** Empty: what it holds elsewhere is internal here. */
  readonly rigidBodyEvents: ReadonlyMap<number, never>;
  /** Empty: what it holds elsewhere is internal here. */
  readonly colliderEvents: ReadonlyMap<number, never>;
  /** Empty: filters run in the worker, as systems, or are internal. */
  readonly filterContactPairHooks: ReadonlySet<never>;
  /** Empty: filters run in the worker, as systems, or are internal. */
  readonly filterIntersectionPairHooks: ReadonlySet<never>;
}

/** The part of `<Physics>` that its components use. It stays the same while the simulation runs. */
export interface PhysicsValue {
  readonly scope: PhysicsScope;
  /** The prop of `<Physics>`, for bodies without one. */
  readonly colliders: RigidBodyAutoCollider;
}

export const PhysicsContext = createContext<PhysicsValue | undefined>(undefined);

/** The value that applications read with `useRapier`. */
export const ApiContext = createContext<RapierContext | undefined>(undefined);

/** @param name Of the component or hook, for the message. @throws Error outside of `<Physics>`. */
export function usePhysics(name: string): PhysicsValue {
  return required(name, useContext(PhysicsContext));
}

/**
 * The world and what belongs to it.
 *
 * @throws Error outside of `<Physics>`.
 */
export const useRapier = (): RapierContext => required('useRapier', useContext(ApiContext));

function required<T>(name: string, value: T | undefined): T {
  if (value !== undefined) return value;
  throw new Error(
    `${name} was used outside of <Physics>: put the component that uses it into <Physics>…</Physics>, which has the world`,
  );
}
