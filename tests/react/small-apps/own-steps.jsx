/** A paused world that the app steps itself, two ticks in each frame. */
import { CuboidCollider, Physics, RigidBody, useRapier } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';

function Steps() {
  const { step } = useRapier();
  useFrame(() => {
    step(1 / 60);
    step(1 / 60);
  });
  return null;
}

export function App() {
  return (
    <Physics transport="local" paused>
      <Steps />
      <CuboidCollider args={[50, 0.5, 50]} position={[0, -0.5, 0]} />
      <RigidBody colliders="ball" position={[0, 5, 0]} restitution={0.8} linearVelocity={[3, 0, 0]}>
        <mesh name="ball">
          <sphereGeometry args={[0.5]} />
        </mesh>
      </RigidBody>
    </Physics>
  );
}
