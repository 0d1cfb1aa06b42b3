/** Instances of which each has several colliders. */
import {
  BallCollider,
  CapsuleCollider,
  InstancedRigidBodies,
  RigidBody,
  type InstancedRigidBodyProps,
  type RapierRigidBody,
} from 'betwixt/react';
import type { ThreeEvent } from '@react-three/fiber';
import { useMemo, useRef, type JSX } from 'react';
import { CapsuleGeometry, SphereGeometry } from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import { Instances } from '../common/instances.js';
import { Box, Plate } from '../common/meshes.js';
import { WOOD } from '../common/palette.js';
import { range, spread } from '../common/spread.js';
import type { Scene } from '../scene.js';

const COUNT = 80;
const KEYS = range(COUNT);

const COLLIDERS = [
  <CapsuleCollider key="bar" args={[0.6, 0.12]} />,
  <BallCollider key="upper" args={[0.35]} position={[0, 0.7, 0]} />,
  <BallCollider key="lower" args={[0.25]} position={[0, -0.7, 0]} density={4} />,
];

function Content(): JSX.Element {
  const bodies = useRef<(RapierRigidBody | null)[]>(null);
  const geometry = useMemo(
    () =>
      mergeGeometries([
        new CapsuleGeometry(0.12, 1.2, 2, 8),
        new SphereGeometry(0.35, 12, 8).translate(0, 0.7, 0),
        new SphereGeometry(0.25, 12, 8).translate(0, -0.7, 0),
      ]),
    [],
  );
  const instances = useMemo(
    () =>
      KEYS.map((key): InstancedRigidBodyProps => ({
        key,
        position: [(spread(key) - 0.5) * 6, 2 + key * 0.15, (spread(key, 2) - 0.5) * 6],
        rotation: [spread(key, 3) * 6, 0, spread(key, 4) * 6],
      })),
    [],
  );
  const toss = (event: ThreeEvent<MouseEvent>): void => {
    event.stopPropagation();
    const body = bodies.current?.[event.instanceId ?? -1];
    body?.applyImpulse({ x: 0, y: body.mass() * 9, z: 0 }, true);
  };
  return (
    <>
      <RigidBody type="fixed">
        <Plate size={10} />
        {[-1, 1].map((side) => (
          <Box key={`x ${side}`} color={WOOD} args={[0.3, 2.5, 10]} position={[side * 5, 1, 0]} />
        ))}
        {[-1, 1].map((side) => (
          <Box key={`z ${side}`} color={WOOD} args={[10, 2.5, 0.3]} position={[0, 1, side * 5]} />
        ))}
      </RigidBody>
      <InstancedRigidBodies
        ref={bodies}
        instances={instances}
        colliders={false}
        colliderNodes={COLLIDERS}
      >
        <Instances name="clubs" geometry={geometry} keys={KEYS} most={COUNT} onClick={toss} />
      </InstancedRigidBodies>
    </>
  );
}

export const scene: Scene = {
  title: 'Compound instances',
  about:
    '80 clubs of a bar and two balls, one of them heavy: each instance has three colliders. Click one to toss it.',
  camera: { position: [0, 9, 15], target: [0, 1, 0] },
  Content,
};
