/** Two thousand bodies drawn by one mesh. Any of them may go, and others come. */
import { InstancedRigidBodies, RigidBody, type InstancedRigidBodyProps } from 'betwixt/react';
import type { ThreeEvent } from '@react-three/fiber';
import { useMemo, useRef, useState, type JSX } from 'react';
import { DodecahedronGeometry } from 'three';
import { Instances } from '../common/instances.js';
import { Plate } from '../common/meshes.js';
import { range, spread } from '../common/spread.js';
import type { Scene } from '../scene.js';

const FIRST = 2000;
const MOST = 2100;
const COLUMNS = 50;

const gem = (key: number, x: number, y: number, z: number): InstancedRigidBodyProps => ({
  key,
  position: [x, y, z],
  rotation: [spread(key) * 6, spread(key, 2) * 6, 0],
  scale: 0.7 + spread(key, 3) * 0.6,
});

function Content(): JSX.Element {
  const geometry = useMemo(() => new DodecahedronGeometry(0.35), []);
  const nextKey = useRef(FIRST);
  const [instances, setInstances] = useState(() =>
    range(FIRST).map((key) =>
      gem(
        key,
        ((key % COLUMNS) - (COLUMNS - 1) / 2) * 1.1,
        1 + spread(key, 4) * 6,
        (Math.floor(key / COLUMNS) - (FIRST / COLUMNS - 1) / 2) * 1.1,
      ),
    ),
  );
  const keys = useMemo(() => instances.map(({ key }) => Number(key)), [instances]);
  const remove = (event: ThreeEvent<MouseEvent>): void => {
    event.stopPropagation();
    setInstances((all) => all.filter((_, index) => index !== event.instanceId));
  };
  const add = (event: ThreeEvent<MouseEvent>): void => {
    event.stopPropagation();
    const { x, z } = event.point;
    const key = nextKey.current++;
    setInstances((all) => (all.length < MOST ? [...all, gem(key, x, 6, z)] : all));
  };
  return (
    <>
      <group onClick={add}>
        <RigidBody type="fixed">
          <Plate size={80} />
        </RigidBody>
      </group>
      <InstancedRigidBodies instances={instances} colliders="hull" restitution={0.4}>
        <Instances name="gems" geometry={geometry} keys={keys} most={MOST} onClick={remove} />
      </InstancedRigidBodies>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [0, 22, 44], target: [0, 0, 4] },
  Content,
};
