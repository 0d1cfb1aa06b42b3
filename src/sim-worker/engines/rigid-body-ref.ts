/** Keeps a reference to a rigid body across a restored state, which has other objects under the same handles. */
import type { RigidBody, World } from '@dimforge/rapier3d-simd-compat';
import type { BodyId } from '../../shared/memory/body-meta.js';

/** A reference to a rigid body that stays valid when the world is restored. Created by `RapierWorld.ref`. */
export interface RigidBodyRef {
  /** The engine's number for it. */
  readonly handle: number;
  /** The current rigid body; undefined after it was removed. Read it again after the world may have changed. */
  readonly body: RigidBody | undefined;
}

/** @param owner The owner of the world, which may replace it. */
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
      // Also checks that the handle still belongs to this body: indices are reused, generations are not.
      return body?.handle === handle && body.isValid() ? body : undefined;
    },
  };
}

/** @throws Error that names the body, if its rigid body is gone: the engine would panic, and name nothing. */
export function requireValid(rigidBody: RigidBody, id: BodyId): void {
  if (rigidBody.isValid()) return;
  throw new Error(
    `the rigid body of body ${id} was removed from Rapier's world: call physics.remove(id) instead of ` +
      'world.removeRigidBody(…)',
  );
}
