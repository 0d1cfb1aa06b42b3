/** Balls with masses on their bodies, and on a collider, which jump by the same impulse after a second. */
import { BallCollider, CuboidCollider, Physics, RigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef } from 'react';

function Ball({ name, x, children, ...props }) {
  const body = useRef(null);
  const seconds = useRef(0);
  useFrame((_, delta) => {
    const before = seconds.current;
    seconds.current += delta;
    if (before < 1 && seconds.current >= 1) body.current.applyImpulse({ x: 0, y: 8, z: 0 }, true);
  });
  return (
    <RigidBody ref={body} colliders="ball" position={[x, 1, 0]} {...props}>
      <mesh name={name}>
        <sphereGeometry args={[0.5]} />
      </mesh>
      {children}
    </RigidBody>
  );
}

export function App() {
  return (
    <Physics transport="local">
      <CuboidCollider args={[20, 0.5, 20]} position={[0, -0.5, 0]} />
      <Ball name="plain" x={-4} />
      <Ball name="heavy body" x={0} mass={5} />
      <Ball name="heavy collider" x={4} colliders={false}>
        <BallCollider args={[0.5]} mass={2} />
      </Ball>
    </Physics>
  );
}
