/** Gems that fall on a plate, glow when they are hit, and fly when they are pressed. */
import { useFrame, type ThreeEvent } from '@react-three/fiber';
import {
  CuboidCollider,
  CylinderCollider,
  RigidBody,
  type IntersectionEnterPayload,
  type RapierRigidBody,
} from 'betwixt/react';
import { useRef } from 'react';
import type { MeshStandardMaterial } from 'three';

const COLORS = ['#e4572e', '#17a398', '#f3a712', '#7a6ff0'];
const PLATE_RADIUS_M = 4;
/** Speed of a gem that is pressed, in m/s. */
const THROW = 6;

/** In a spiral: each falls next to the one before. */
const GEMS = Array.from({ length: 28 }, (_, index) => ({
  name: `gem-${index}`,
  radius: 0.35 + 0.1 * (index % 3),
  position: [1.6 * Math.cos(2.4 * index), 1 + 0.5 * index, 1.6 * Math.sin(2.4 * index)] as const,
  color: COLORS[index % COLORS.length] as string,
}));
type GemProps = (typeof GEMS)[number];

export const Gems = () => (
  <>
    {GEMS.map((gem) => (
      <Gem key={gem.name} {...gem} />
    ))}
    <Plate />
    {/* Gems that fall off the plate come back from above. */}
    <CuboidCollider sensor args={[50, 1, 50]} position={[0, -8, 0]} onIntersectionEnter={putBack} />
  </>
);

function Gem({ name, radius, position, color }: GemProps) {
  const body = useRef<RapierRigidBody>(null);
  const material = useRef<MeshStandardMaterial>(null);

  useFrame((_, seconds) => {
    if (material.current) material.current.emissiveIntensity *= Math.exp(-3 * seconds);
  });
  function glow() {
    if (material.current) material.current.emissiveIntensity = 0.8;
  }

  /** Away from the camera, and up. */
  function fly(event: ThreeEvent<PointerEvent>) {
    // Only the first gem under the pointer.
    event.stopPropagation();
    const { x, z } = event.ray.direction.clone().setY(0).normalize();
    body.current?.setLinvel({ x: THROW * 0.5 * x, y: THROW, z: THROW * 0.5 * z }, true);
  }

  return (
    <RigidBody ref={body} name={name} colliders="hull" position={position} onCollisionEnter={glow}>
      <mesh castShadow receiveShadow onPointerDown={fly}>
        <icosahedronGeometry args={[radius]} />
        <meshStandardMaterial
          ref={material}
          color={color}
          emissive={color}
          emissiveIntensity={0}
          roughness={0.25}
          flatShading
        />
      </mesh>
    </RigidBody>
  );
}

const Plate = () => (
  <RigidBody type="fixed" colliders={false} position={[0, -0.2, 0]}>
    <CylinderCollider args={[0.2, PLATE_RADIUS_M]} />
    <mesh receiveShadow>
      <cylinderGeometry args={[PLATE_RADIUS_M, PLATE_RADIUS_M, 0.4, 96]} />
      <meshStandardMaterial color="#4b4557" roughness={0.8} />
    </mesh>
  </RigidBody>
);

function putBack({ other }: IntersectionEnterPayload) {
  other.rigidBody?.setTranslation({ x: 0, y: 6, z: 0 }, true);
  other.rigidBody?.setLinvel({ x: 0, y: 0, z: 0 }, true);
}
