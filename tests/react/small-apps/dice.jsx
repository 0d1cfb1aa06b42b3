/** A die falls into a world, and after two seconds another into a new one. */
import { CuboidCollider, Physics, RigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef, useState } from 'react';

export function App() {
  const [roll, setRoll] = useState(0);
  const seconds = useRef(0);
  useFrame((_, delta) => {
    seconds.current += delta;
    if (seconds.current > 2 && roll === 0) setRoll(1);
  });
  return (
    <Physics transport="local" key={roll}>
      <CuboidCollider args={[20, 0.5, 20]} position={[0, -0.5, 0]} />
      <RigidBody position={[roll, 2, 0]}>
        <mesh name={`die ${roll}`}>
          <boxGeometry args={[1, 1, 1]} />
        </mesh>
      </RigidBody>
    </Physics>
  );
}
