/** The scene: boxes that fall on a plate. It needs no page, so the tests run it in Node. */
import type { ThreeEvent } from '@react-three/fiber';
import {
  CuboidCollider,
  CylinderCollider,
  RigidBody,
  type IntersectionEnterPayload,
  type RapierRigidBody,
} from 'betwixt/react';
import { useRef, useState, type JSX } from 'react';
import { BOXES, type BoxLook } from './boxes.js';

/** How hard a click pushes, in N s. */
const PUSH = 4;
const PLATE_RADIUS_M = 4;

export const Scene = (): JSX.Element => (
  <>
    {BOXES.map((box) => (
      <Box key={box.name} {...box} />
    ))}
    <Plate />
    {/* Bodies that fall off the plate come back from above. */}
    <CuboidCollider sensor args={[50, 1, 50]} position={[0, -8, 0]} onIntersectionEnter={putBack} />
  </>
);

function Box({ name, position, color }: BoxLook): JSX.Element {
  const body = useRef<RapierRigidBody>(null);
  const [isAwake, setAwake] = useState(true);

  /** Away from the camera, and a little up. */
  function push({ ray, point, stopPropagation }: ThreeEvent<PointerEvent>): void {
    // Only the first box under the pointer.
    stopPropagation();
    const { x, y, z } = ray.direction.clone().setY(0.5).normalize().multiplyScalar(PUSH);
    body.current?.applyImpulseAtPoint({ x, y, z }, point, true);
  }

  return (
    <RigidBody
      ref={body}
      name={name}
      position={position}
      onSleep={() => setAwake(false)}
      onWake={() => setAwake(true)}
    >
      <mesh castShadow receiveShadow onPointerDown={push}>
        <boxGeometry />
        <meshStandardMaterial color={color} roughness={isAwake ? 0.3 : 0.9} />
      </mesh>
    </RigidBody>
  );
}

const Plate = (): JSX.Element => (
  <RigidBody type="fixed" colliders={false} position={[0, -0.2, 0]}>
    <CylinderCollider args={[0.2, PLATE_RADIUS_M]} />
    <mesh receiveShadow>
      <cylinderGeometry args={[PLATE_RADIUS_M, PLATE_RADIUS_M, 0.4, 96]} />
      <meshStandardMaterial color="#f4efe6" roughness={0.9} />
    </mesh>
  </RigidBody>
);

function putBack({ other }: IntersectionEnterPayload): void {
  other.rigidBody?.setTranslation({ x: 0, y: 6, z: 0 }, true);
  other.rigidBody?.setLinvel({ x: 0, y: 0, z: 0 }, true);
}
