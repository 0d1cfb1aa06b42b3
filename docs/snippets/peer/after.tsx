import { useFrame } from '@react-three/fiber';
import {
  CuboidCollider,
  RigidBody,
  useProbe,
  useSystem,
  type RapierCollider,
  type RapierRigidBody,
} from 'betwixt/react';
import { ActiveHooks, ProbeDesc } from 'betwixt/world';
import { useEffect, useRef, useState } from 'react';
import type { simulation } from '../wind.worker.js';

// #region ground
const DOWN = ProbeDesc.ray({ x: 0, y: 0, z: 0 }, { x: 0, y: -1, z: 0 }, 1.1);

function Hopper() {
  const body = useRef<RapierRigidBody>(null);
  const ground = useProbe(DOWN, body);
  useFrame(() => {
    if (ground.current?.hit) body.current?.applyImpulse({ x: 0, y: 5, z: 0 }, true);
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
