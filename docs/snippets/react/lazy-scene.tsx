'use client';
import { Canvas } from '@react-three/fiber';
import { Physics, RigidBody } from 'betwixt/react';

/** A page without a server's part: what a server renders of it is an empty canvas. */
export const Scene = () => (
  <Canvas>
    <Physics
      worker={() => new Worker(new URL('../world.worker.ts', import.meta.url), { type: 'module' })}
    >
      <RigidBody>
        <mesh>
          <boxGeometry />
        </mesh>
      </RigidBody>
    </Physics>
  </Canvas>
);
