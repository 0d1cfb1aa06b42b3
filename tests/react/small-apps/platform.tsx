/** A lift that goes up a little further in each frame, with a box on it. */
import { Physics, RigidBody, type RapierRigidBody } from 'betwixt/react';
import { useFrame } from '@react-three/fiber';
import { useRef } from 'react';

function Lift() {
  const body = useRef<RapierRigidBody>(null);
  useFrame(() => {
    const at = body.current?.translation();
    if (at !== undefined) body.current?.setNextKinematicTranslation({ ...at, y: at.y + 0.02 });
  });
  return (
    <RigidBody ref={body} type="kinematicPosition">
      <mesh name="lift">
        <boxGeometry args={[4, 0.2, 4]} />
      </mesh>
    </RigidBody>
  );
}

export function App() {
  return (
    <Physics transport="local">
      <Lift />
      <RigidBody position={[0, 0.6, 0]}>
        <mesh name="box">
          <boxGeometry args={[1, 1, 1]} />
        </mesh>
      </RigidBody>
    </Physics>
  );
}
