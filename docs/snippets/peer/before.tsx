import { useFrame } from '@react-three/fiber';
import {
  RigidBody,
  useFilterContactPair,
  useRapier,
  type RapierRigidBody,
} from '@react-three/rapier';
import { useRef } from 'react';

// #region ground
function Hopper() {
  const body = useRef<RapierRigidBody>(null);
  const { world, rapier } = useRapier();
  useFrame(() => {
    if (body.current === null) return;
    const ray = new rapier.Ray(body.current.translation(), { x: 0, y: -1, z: 0 });
    const hit = world.castRay(ray, 1.1, true, undefined, undefined, undefined, body.current);
    if (hit !== null) body.current.applyImpulse({ x: 0, y: 5, z: 0 }, true);
  });
  return <RigidBody ref={body} />;
}
// #endregion

// #region filter
function Platform({ handle }: { handle: number }) {
  const { world } = useRapier();
  useFilterContactPair((collider1, collider2, body1, body2) => {
    if (collider1 !== handle && collider2 !== handle) return null;
    const other = world.getRigidBody(collider1 === handle ? body2 : body1);
    return other.linvel().y > 0 ? 0 : 1;
  });
  return null;
}
// #endregion

export const BEFORE = { Hopper, Platform };
