/** Keeps a reference to a rigid body across a restored state, which has other objects under the same handles. */
import type { BodyId } from '../shared/memory/body-meta.js';
import type { Bodies } from '../sim-worker/api/bodies.js';
import { registryOf } from '../sim-worker/bodies/body-registry.js';
import { bodyCalled } from '../sim-worker/bodies/body-tag.js';
import type { AnyRigidBody, AnyWorld, RigidBodyOf } from './any-rapier.js';
import type { RapierWorldOf } from './rapier-builds.js';

/**
 * A reference to a rigid body that stays valid when the world is restored. Created by `RapierWorld.ref`.
 *
 * @typeParam B The type of the rigid body.
 */
export interface RigidBodyRef<B extends AnyRigidBody = RigidBodyOf<RapierWorldOf>> {
  /** The engine's number for it. */
  readonly handle: number;
  /** The current rigid body; undefined after it was removed. Read it again after the world may have changed. */
  readonly body: B | undefined;
}

/** @param owner The owner of the world, which may replace it. */
export function refTo<W extends AnyWorld>(
  owner: { readonly world: W },
  rigidBody: RigidBodyOf<W>,
): RigidBodyRef<RigidBodyOf<W>> {
  const { handle } = rigidBody;
  let { world } = owner;
  let body: AnyRigidBody | undefined = rigidBody;
  return {
    handle,
    get body() {
      if (owner.world !== world) {
        world = owner.world;
        body = (world.getRigidBody(handle) as AnyRigidBody | null | undefined) ?? undefined;
      }
      // Also checks that the handle still belongs to this body: indices are reused, generations are not.
      if (body === undefined || body.handle !== handle || !body.isValid()) return undefined;
      return body as RigidBodyOf<W>;
    },
  };
}

/** @throws Error that names the body, if its rigid body is gone: the engine would panic, and name nothing. */
export function requireValid(rigidBody: AnyRigidBody, id: BodyId, bodies: Bodies): void {
  if (rigidBody.isValid()) return;
  throw new Error(
    `the rigid body of ${bodyCalled(id, registryOf(bodies).tagOf(id))} was removed from Rapier's world: call physics.remove(id) instead of ` +
      'world.removeRigidBody(…)',
  );
}
