/**
 * Holding a rigid body that has gone bad.
 *
 * Measured with Rapier 0.20 and 0.21: a step switches off (`isEnabled`) whatever has a NaN or an infinity in it,
 * without its velocity, and others fall through it from then on. A pose or velocity that was set so costs that body
 * alone. When a force, a mass or the gravity's scale was the cause, the whole island goes: everything that the body
 * touches or is joined to, put back to where it was before the step. Nothing else is affected in either case.
 */
import type { RigidBody, RigidBodyType } from '@dimforge/rapier3d-simd-compat';
import type { Pose } from '../api/bodies.js';

/** Rapier's number for it; its own enumeration would have to be imported, and a build chosen with it. */
const FIXED = 1 as RigidBodyType;
const STILL = { x: 0, y: 0, z: 0 };

/** Makes it a solid, immovable thing in that place. What held it before, such as joints, is held by it now. */
export function freezeAt(rigidBody: RigidBody, { x, y, z, qx, qy, qz, qw }: Pose): void {
  rigidBody.resetForces(false);
  rigidBody.resetTorques(false);
  rigidBody.setLinvel(STILL, false);
  rigidBody.setAngvel(STILL, false);
  rigidBody.setTranslation({ x, y, z }, false);
  rigidBody.setRotation({ x: qx, y: qy, z: qz, w: qw }, false);
  // Last: switched on with the bad number still in it, it would be switched off again.
  rigidBody.setBodyType(FIXED, true);
  rigidBody.setEnabled(true);
}
