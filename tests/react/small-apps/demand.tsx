/** A crate that falls, sleeps, and is thrown after four seconds, in a canvas with `frameloop="demand"`. */
import { CuboidCollider, Physics, RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useThree } from '@react-three/fiber';
import { useEffect, useRef } from 'react';

function Crate() {
  const body = useRef<RapierRigidBody>(null);
  const invalidate = useThree((state) => state.invalidate);
  useEffect(() => {
    const timer = setTimeout(() => {
      body.current?.applyImpulse({ x: 3, y: 8, z: 0 }, true);
      // The other library asks for no frame when code wakes a body.
      invalidate();
    }, 4000);
    return () => clearTimeout(timer);
  }, [invalidate]);
  return (
    <RigidBody ref={body} position={[0, 3, 0]} lockRotations>
      <mesh name="crate">
        <boxGeometry args={[1, 1, 1]} />
      </mesh>
    </RigidBody>
  );
}

export function App() {
  return (
    <Physics transport="local">
      <CuboidCollider args={[20, 0.5, 20]} position={[0, -0.5, 0]} />
      <Crate />
    </Physics>
  );
}
