/** Keeps hold of a rigid body over a restored state, which has other objects under the same handles. */
import type { RigidBody, World } from '@dimforge/rapier3d-simd-compat';

/** A rigid body that stays the same one when the world is restored. Made by `RapierWorld.ref`. */
export interface RigidBodyRef {
  /** The engine's number for it. */
  readonly handle: number;
  /** The rigid body as it is now; undefined once it was removed. Ask again after the world may have changed. */
  readonly body: RigidBody | undefined;
}

/** @param owner Who has the world, whichever it is at the time. */
export function refTo(owner: { readonly world: World }, rigidBody: RigidBody): RigidBodyRef {
  const { handle } = rigidBody;
  let { world } = owner;
  let body: RigidBody | undefined = rigidBody;
  return {
    handle,
    get body() {
      if (owner.world !== world) {
        world = owner.world;
        body = world.getRigidBody(handle) ?? undefined;
      }
      // Also tells whether the handle is still this body's: an index is used again, a generation is not.
      return body?.handle === handle && body.isValid() ? body : undefined;
    },
  };
}
