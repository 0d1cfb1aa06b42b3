/** The page: the scene in its world, a hint and a button. */
import { Canvas } from '@react-three/fiber';
import { Physics } from 'betwixt/react';
import { watchContext } from 'betwixt/three';
import { useState, type JSX } from 'react';
import { Lights } from './lights.js';
import { Scene } from './scene.js';

export function App(): JSX.Element {
  const [round, setRound] = useState(0);
  const [failure, setFailure] = useState<Error>();
  return (
    <>
      <Canvas
        shadows="percentage"
        camera={{ position: [0, 5, 12], fov: 35 }}
        onCreated={({ gl }) => void watchContext(gl.domElement)}
      >
        <color attach="background" args={['#e9e4da']} />
        <Lights />
        <Physics
          onFailure={setFailure}
          onReady={(world, sim) => Object.assign(globalThis, { world, sim })}
        >
          {/* Another key: other bodies, in the same world. */}
          <Scene key={round} />
        </Physics>
      </Canvas>
      <p id="hint">Click or tap boxes to push them.</p>
      <button type="button" onClick={() => setRound(round + 1)}>
        Reset
      </button>
      {failure !== undefined && (
        <p id="message" role="alert">
          {failure.message}
        </p>
      )}
    </>
  );
}
