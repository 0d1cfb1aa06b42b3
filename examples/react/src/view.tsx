/** The camera, which can be turned, and sky and light. */
import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useLayoutEffect } from 'react';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { furnish } from '../../stage/stage.js';
import type { Scene } from './scene.js';

const ORIGIN = [0, 0, 0] as const;

export function View(props: NonNullable<Scene['camera']>): null {
  const { position, target = ORIGIN, aspect: needed = 1.5 } = props;
  const scene = useThree((state) => state.scene);
  const camera = useThree((state) => state.camera);
  const canvas = useThree((state) => state.gl.domElement);
  const set = useThree((state) => state.set);
  const aspect = useThree((state) => state.size.width / state.size.height);
  useLayoutEffect(() => {
    camera.position.set(...position);
    camera.lookAt(...target);
  }, [camera, position, target]);
  useLayoutEffect(() => {
    // A narrower picture has the same width.
    camera.zoom = Math.min(1, aspect / needed);
    camera.updateProjectionMatrix();
  }, [camera, aspect, needed]);
  useLayoutEffect(() => {
    const { ground, dispose } = furnish(scene, 20);
    // Scenes have their own, and some have none.
    ground.visible = false;
    return dispose;
  }, [scene]);
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
  return null;
}
