import { Canvas } from '@react-three/fiber';
import { Physics, RigidBody } from 'betwixt/react'; // instead of '@react-three/rapier'

export const App = () => (
  <Canvas camera={{ position: [0, 5, 10] }}>
    <directionalLight position={[2, 5, 3]} />
    <Physics>
      <RigidBody position={[0, 5, 0]} rotation={[1, 1, 0]} restitution={0.5}>
        <mesh>
          <boxGeometry />
          <meshStandardMaterial color="tomato" />
        </mesh>
      </RigidBody>
      <RigidBody type="fixed">
        <mesh>
          <boxGeometry args={[10, 0.5, 10]} />
          <meshStandardMaterial />
        </mesh>
      </RigidBody>
    </Physics>
  </Canvas>
);
