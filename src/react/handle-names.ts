/** The names that `@react-three/rapier` gives to handles. */
import { Collider, RigidBody } from '../world/page/index.js';

/** The body of a `<RigidBody>`: a handle of `betwixt/world`. Its class is for `instanceof`. */
export type RapierRigidBody = RigidBody;
export const RapierRigidBody = RigidBody;

/** The collider of a component: a handle of `betwixt/world`. Its class is for `instanceof`. */
export type RapierCollider = Collider;
export const RapierCollider = Collider;
