/** The camera, which can be turned, and the light. */
import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useLayoutEffect, type JSX } from 'react';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Scene } from './scene.js';

const ORIGIN = [0, 0, 0] as const;

export function View({ position, target = ORIGIN }: Scene['camera']): JSX.Element {
  const camera = useThree((state) => state.camera);
  const canvas = useThree((state) => state.gl.domElement);
  const set = useThree((state) => state.set);
  const aspect = useThree((state) => state.size.width / state.size.height);
  useLayoutEffect(() => {
    camera.position.set(...position);
    camera.lookAt(...target);
  }, [camera, position, target]);
  useLayoutEffect(() => {
    // Scenes are made for 3:2. What is narrower has the same width.
    camera.zoom = Math.min(1, aspect / 1.5);
    camera.updateProjectionMatrix();
  }, [camera, aspect]);
  useEffect(() => {
    const controls = new OrbitControls(camera, canvas);
    controls.target.set(...target);
    // Scenes find them there, to stop them while something is dragged.
    set({ controls });
    return () => {
      set({ controls: null });
      controls.dispose();
    };
  }, [camera, canvas, set, target]);
  useFrame(({ controls }) => void (controls as OrbitControls | null)?.update());
  return (
    <>
      <hemisphereLight args={['#dde6ff', '#554433', 1.2]} />
      <directionalLight
        castShadow
        position={[8, 18, 10]}
        intensity={2.4}
        shadow-mapSize={[1024, 1024]}
        shadow-camera-left={-20}
        shadow-camera-right={20}
        shadow-camera-top={20}
        shadow-camera-bottom={-20}
        shadow-bias={-0.0005}
        shadow-normalBias={0.03}
      />
    </>
  );
}
