/**
 * Freezes a rigid body with an invalid pose.
 *
 * Measured with Rapier 0.20 and 0.21: a step disables (`isEnabled`) any body with a NaN or infinite number and clears
 * its velocity; other bodies then fall through it. If a pose or velocity was set to such a number, only that body is
 * affected. If a force, a mass or the gravity scale caused it, the whole island is disabled: everything that the body
 * touches or is joined to, moved back to where it was before the step. Nothing else is affected in either case.
 */
import type { Pose } from '../sim-worker/api/bodies.js';
import type { AnyRigidBody } from './any-rapier.js';

/** Rapier's value. Importing its enumeration would select a build. */
const FIXED = 1;
const STILL = { x: 0, y: 0, z: 0 };

/** Makes a body solid and immovable at a pose. Joints and other connections stay attached to it. */
export function freezeAt(rigidBody: AnyRigidBody, { x, y, z, qx, qy, qz, qw }: Pose): void {
  rigidBody.resetForces(false);
  rigidBody.resetTorques(false);
  rigidBody.setLinvel(STILL, false);
  rigidBody.setAngvel(STILL, false);
  rigidBody.setTranslation({ x, y, z }, false);
  rigidBody.setRotation({ x: qx, y: qy, z: qz, w: qw }, false);
  // Last: a body that is enabled while it still has an invalid number would be disabled again.
  rigidBody.setBodyType(FIXED, true);
  rigidBody.setEnabled(true);
}
