'use client';
/** The scene in its world: canvas, camera and light. */
import { Canvas, useThree } from '@react-three/fiber';
import { Physics } from 'betwixt/react';
import { watchContext } from 'betwixt/three';
import { useLayoutEffect } from 'react';
import { Gems } from './gems';

export const Game = () => (
  <Canvas
    shadows="percentage"
    camera={{ position: [0, 6, 11], fov: 40 }}
    onCreated={({ gl }) => void watchContext(gl.domElement)}
  >
    <FitWidth />
    <color attach="background" args={['#191720']} />
    <hemisphereLight args={['#cfd6ff', '#4a3c58', 1.9]} />
    <directionalLight
      color="#ffe9cc"
      intensity={2.4}
      position={[4, 9, 5]}
      castShadow
      shadow-mapSize={[1024, 1024]}
      shadow-normalBias={0.02}
    >
      <orthographicCamera attach="shadow-camera" args={[-5, 5, 5, -5]} />
    </directionalLight>
    <Physics onReady={(world, sim) => Object.assign(globalThis, { world, sim })}>
      <Gems />
    </Physics>
  </Canvas>
);

/** On a narrow screen, too, the whole plate is seen. */
function FitWidth() {
  const camera = useThree((state) => state.camera);
  const { width, height } = useThree((state) => state.size);
  useLayoutEffect(() => {
    camera.zoom = Math.min(1, width / height);
    camera.updateProjectionMatrix();
  }, [camera, width, height]);
  return null;
}
