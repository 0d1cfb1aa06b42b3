/** A lamp that hovers 2 m above a box, by a ray without a length. */
import { CuboidCollider, Physics, RigidBody, useRapier, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef } from 'react';

function Lamp() {
  const { rapier, world } = useRapier();
  const lamp = useRef<RapierRigidBody>(null);
  useFrame(() => {
    const body = lamp.current;
    if (body === null) return;
    const ray = new rapier.Ray(body.translation(), { x: 0, y: -1, z: 0 });
    const hit = world.castRay(ray, undefined as never, true, undefined, undefined, undefined, body);
    if (hit !== null) body.setLinvel({ x: 0, y: 2 - hit.timeOfImpact, z: 0 }, true);
  });
  return (
    <RigidBody ref={lamp} position={[0, 5, 0]} gravityScale={0} colliders="ball">
      <mesh name="lamp">
        <sphereGeometry args={[0.2]} />
      </mesh>
    </RigidBody>
  );
}

export function App() {
  return (
    <Physics transport="local">
      <CuboidCollider args={[20, 0.5, 20]} position={[0, -0.5, 0]} />
      <RigidBody position={[0, 0.5, 0]}>
        <mesh name="box">
          <boxGeometry args={[1, 1, 1]} />
        </mesh>
      </RigidBody>
      <Lamp />
    </Physics>
  );
}
