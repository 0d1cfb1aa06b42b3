import type { AnyCollider, AnyRigidBody } from './any-rapier.js';

/** The rigid body that a collider is part of. In a restored world, Rapier's `parent()` returns the first for one without. */
export function parentOf(collider: AnyCollider): AnyRigidBody | null {
  return collider.translationWrtParent() === null ? null : collider.parent();
}
