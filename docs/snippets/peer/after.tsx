import { useFrame } from '@react-three/fiber';
import {
  CuboidCollider,
  RigidBody,
  useRapier,
  useSystem,
  type RapierCollider,
  type RapierRigidBody,
} from 'betwixt/react';
import { ActiveHooks } from 'betwixt/world';
import { useEffect, useRef, useState } from 'react';
import type { simulation } from '../wind.worker.js';

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

// #region one-way
const Floor = () => <CuboidCollider args={[2, 0.1, 2]} oneWay={{}} />;
// #endregion

// #region filter
function Platform() {
  const [platform, setPlatform] = useState<RapierCollider | null>(null);
  useEffect(() => platform?.setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS), [platform]);
  return (
    <>
      <CuboidCollider ref={setPlatform} args={[2, 0.1, 2]} />
      {platform && <OneWay platform={platform.handle} />}
    </>
  );
}

function OneWay({ platform }: { platform: number }) {
  useSystem<typeof simulation>('oneWay', { platform });
  return null;
}
// #endregion

export const AFTER = { Hopper, Floor, Platform };
