/** A thousand balls, each pushed towards the middle in every frame. */
import {
  InstancedRigidBodies,
  type InstancedRigidBodyProps,
  type RapierRigidBody,
} from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useMemo, useRef, type JSX } from 'react';
import { IcosahedronGeometry } from 'three';
import { Instances } from '../common/instances.js';
import { range, spread } from '../common/spread.js';
import type { Scene } from '../scene.js';

const COUNT = 1000;
const RADIUS_M = 0.25;
const KEYS = range(COUNT);
/** Of the distance, in each frame. */
const PULL = 0.004;

function Content(): JSX.Element {
  const bodies = useRef<(RapierRigidBody | null)[]>(null);
  const geometry = useMemo(() => new IcosahedronGeometry(RADIUS_M, 1), []);
  const instances = useMemo(
    () =>
      KEYS.map((key): InstancedRigidBodyProps => {
        // Evenly over a ball: the direction by its height and longitude, and the cube root of the volume.
        const height = spread(key) * 2 - 1;
        const longitude = spread(key, 2) * 2 * Math.PI;
        const distance = 5 + 9 * Math.cbrt(spread(key, 3));
        const flat = Math.sqrt(1 - height * height) * distance;
        return {
          key,
          position: [Math.cos(longitude) * flat, height * distance, Math.sin(longitude) * flat],
        };
      }),
    [],
  );
  useFrame(() => {
    for (const body of bodies.current ?? []) {
      if (body === null) continue;
      const { x, y, z } = body.translation();
      body.applyImpulse({ x: -x * PULL, y: -y * PULL, z: -z * PULL }, true);
    }
  });
  const explode = (): void => {
    for (const body of bodies.current ?? []) {
      const { x, y, z } = body?.translation() ?? { x: 0, y: 0, z: 0 };
      body?.applyImpulse({ x: x * 0.2, y: y * 0.2, z: z * 0.2 }, true);
    }
  };
  return (
    <InstancedRigidBodies
      ref={bodies}
      instances={instances}
      colliders="ball"
      linearDamping={0.5}
      angularDamping={0.5}
    >
      <Instances
        geometry={geometry}
        keys={KEYS}
        most={COUNT}
        onClick={(event) => {
          event.stopPropagation();
          explode();
        }}
      />
    </InstancedRigidBodies>
  );
}

export const scene: Scene = {
  title: 'Cluster',
  about:
    'In every frame, the page reads the places of 1,000 balls and pushes each to the middle. Click the cluster to blow it up.',
  camera: { position: [0, 0, 24] },
  physics: { gravity: [0, 0, 0] },
  Content,
};
