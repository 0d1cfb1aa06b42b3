/** Components on a world in a real worker, drawn by fiber: the tests show them, and read what is there. */
import { Canvas, useThree } from '@react-three/fiber';
import { StrictMode, useEffect, useState, type JSX } from 'react';
import { createRoot } from 'react-dom/client';
import {
  CuboidCollider,
  Physics,
  RigidBody,
  type RapierRigidBody,
} from '../../../src/react/index.js';

let ball: RapierRigidBody | null = null;
let isAsleep = false;
let drawnHeight = (): number | undefined => undefined;

function Scene(): JSX.Element {
  const scene = useThree((state) => state.scene);
  drawnHeight = () => scene.getObjectByName('ball')?.position.y;
  return (
    <>
      <RigidBody type="fixed">
        <CuboidCollider args={[5, 0.5, 5]} position={[0, -0.5, 0]} />
      </RigidBody>
      <RigidBody
        name="ball"
        colliders="ball"
        position={[0, 6, 0]}
        ref={(body) => {
          ball = body;
        }}
        onSleep={() => {
          isAsleep = true;
        }}
      >
        <mesh>
          <sphereGeometry args={[0.5]} />
        </mesh>
      </RigidBody>
    </>
  );
}

function App(): JSX.Element {
  const [isShown, show] = useState(false);
  // A test may call as soon as this is there: not before there is something that it changes.
  useEffect(() => {
    globalThis.components = { show, ...reported };
  }, []);
  return (
    <>
      {isShown && (
        <Canvas>
          <StrictMode>
            <Physics>
              <Scene />
            </Physics>
          </StrictMode>
        </Canvas>
      )}
    </>
  );
}

const reported = {
  isAsleep: () => isAsleep,
  /** Heights of the ball: in the newest state, and as drawn. */
  heights: () => [ball?.translation().y, drawnHeight()],
};
declare global {
  var components: typeof reported & { show(isShown: boolean): void };
}

createRoot(document.getElementById('root') as HTMLElement).render(<App />);
