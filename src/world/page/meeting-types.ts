/** Which colliders meet by the types of their bodies. */
import type { Collider } from './collider.js';
import { ActiveCollisionTypes, RigidBodyType } from './constants.js';

/** Dynamic, fixed, kinematic: a collider without a body is fixed. */
function kindOf(collider: Collider): number {
  const type = collider.parent()?.bodyType() ?? RigidBodyType.Fixed;
  return Math.min(type, RigidBodyType.KinematicPositionBased);
}

const { DYNAMIC_DYNAMIC, DYNAMIC_FIXED, DYNAMIC_KINEMATIC } = ActiveCollisionTypes;
const { FIXED_FIXED, KINEMATIC_FIXED, KINEMATIC_KINEMATIC } = ActiveCollisionTypes;
const BITS = [
  [DYNAMIC_DYNAMIC, DYNAMIC_FIXED, DYNAMIC_KINEMATIC],
  [DYNAMIC_FIXED, FIXED_FIXED, KINEMATIC_FIXED],
  [DYNAMIC_KINEMATIC, KINEMATIC_FIXED, KINEMATIC_KINEMATIC],
] as const;

/** Whether one of them asks for contacts between such bodies. */
export function meets(collider1: Collider, collider2: Collider): boolean {
  const bits = BITS[kindOf(collider1)]?.[kindOf(collider2)] ?? 0;
  return ((collider1.activeCollisionTypes() | collider2.activeCollisionTypes()) & bits) !== 0;
}
