/** A pile of instances of all sizes, which a key blasts: the impulse of each is its mass times a speed. */
import {
  InstancedRigidBodies,
  RigidBody,
  type InstancedRigidBodyProps,
  type RapierRigidBody,
} from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useMemo, useRef, type JSX } from 'react';
import { BoxGeometry, Vector3 } from 'three';
import { held } from '../common/held.js';
import { Instances } from '../common/instances.js';
import { Plate } from '../common/meshes.js';
import { range, spread } from '../common/spread.js';
import type { Scene } from '../scene.js';

const COUNT = 48;
const keys = range(COUNT);
/** Below the pile. */
const CENTER = new Vector3(0, -1, 0);
const SPEED = 7;
const away = new Vector3();

function Content(): JSX.Element {
  const bodies = useRef<(RapierRigidBody | null)[]>(null);
  const geometry = useMemo(() => new BoxGeometry(0.6, 0.6, 0.6), []);
  const instances = useMemo(
    () =>
      keys.map((key): InstancedRigidBodyProps => ({
        key,
        position: [(key % 4) - 1.5, 0.5 + Math.floor(key / 16), (Math.floor(key / 4) % 4) - 1.5],
        scale: 0.6 + spread(key) * 0.8,
      })),
    [],
  );
  const wasHeld = useRef(false);
  useFrame(() => {
    const isHeld = held.has('KeyE');
    const isPressed = isHeld && !wasHeld.current;
    wasHeld.current = isHeld;
    if (!isPressed) return;
    for (const body of bodies.current ?? []) {
      if (body === null) continue;
      away
        .copy(body.translation())
        .sub(CENTER)
        .setLength(SPEED * body.mass());
      body.applyImpulse(away, true);
    }
  });
  return (
    <>
      <InstancedRigidBodies ref={bodies} instances={instances} colliders="cuboid">
        <Instances geometry={geometry} keys={keys} most={COUNT} />
      </InstancedRigidBodies>
      <RigidBody type="fixed">
        <Plate size={30} />
      </RigidBody>
    </>
  );
}

export const scene: Scene = {
  camera: { position: [0, 7, 14], target: [0, 1, 0], aspect: 1.1 },
  keys: 'E',
  Content,
};
