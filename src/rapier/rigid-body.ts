/** Rigid bodies one by one: a reference across restored states, a check that one exists, and freezing one with an invalid pose. */
import type { BodyId } from '../shared/memory/body-meta.js';
import type { Bodies, Pose } from '../sim-worker/api/bodies.js';
import { registryOf } from '../sim-worker/bodies/body-registry.js';
import { bodyCalled } from '../sim-worker/bodies/body-tag.js';
import type { AnyRigidBody, AnyWorld, RigidBodyOf } from './any-rapier.js';
import { ZERO } from '../shared/util/vectors.js';
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

/** Rapier's value. Importing its enumeration would select a build. */
const FIXED = 1;

/**
 * Makes a body solid and immovable at a pose. Joints and other connections stay attached to it.
 *
 * Measured with Rapier 0.20 and 0.21: a step disables (`isEnabled`) any body with a NaN or infinite number and clears
 * its velocity; other bodies then fall through it. If a pose or velocity was set to such a number, only that body is
 * affected. If a force, a mass or the gravity scale caused it, the whole island is disabled: everything that the body
 * touches or is joined to, moved back to where it was before the step. Nothing else is affected in either case.
 */
export function freezeAt(rigidBody: AnyRigidBody, { x, y, z, qx, qy, qz, qw }: Pose): void {
  rigidBody.resetForces(false);
  rigidBody.resetTorques(false);
  rigidBody.setLinvel(ZERO, false);
  rigidBody.setAngvel(ZERO, false);
  rigidBody.setTranslation({ x, y, z }, false);
  rigidBody.setRotation({ x: qx, y: qy, z: qz, w: qw }, false);
  // Last: a body that is enabled while it still has an invalid number would be disabled again.
  rigidBody.setBodyType(FIXED, true);
  rigidBody.setEnabled(true);
}
