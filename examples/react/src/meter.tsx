/** Shows what the physics and the components of a canvas take of the main thread. */
import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useState, type RefObject } from 'react';
import { FrameMeter } from './frame-meter.js';

/** Before all other callbacks of a frame. */
const FIRST = -1000;
const FRAMES_PER_TEXT = 30;

export function Meter({ output }: { output: RefObject<HTMLOutputElement | null> }): null {
  const [meter] = useState(() => new FrameMeter());
  const scene = useThree((state) => state.scene);
  useFrame(() => meter.begin(performance.now()), FIRST);
  useEffect(() => {
    scene.onBeforeRender = () => {
      meter.end(performance.now());
      if (meter.frames % FRAMES_PER_TEXT !== 1 || output.current === null) return;
      output.current.textContent = `${meter.meanMs.toFixed(2)} ms a frame on the main thread, ${meter.tooLong} over the display’s period`;
    };
    return () => {
      scene.onBeforeRender = () => {};
    };
  }, [meter, scene, output]);
  return null;
}
