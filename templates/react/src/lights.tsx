import type { JSX } from 'react';

export const Lights = (): JSX.Element => (
  <>
    <hemisphereLight args={['#ffffff', '#d8cbb4', 1.9]} />
    <directionalLight
      color="#fff1dc"
      intensity={2.1}
      position={[4, 9, 5]}
      castShadow
      shadow-mapSize={[1024, 1024]}
      shadow-normalBias={0.02}
    >
      <orthographicCamera attach="shadow-camera" args={[-6, 6, 6, -6]} />
    </directionalLight>
  </>
);
