/** As much of `@react-three/cannon` as the example of what to replace needs. */
declare module '@react-three/cannon' {
  import type { RefObject } from 'react';
  import type { Object3D } from 'three';

  type Triple = [x: number, y: number, z: number];
  interface BodyProps {
    readonly mass?: number;
    readonly position?: Triple;
    readonly args?: Triple;
  }
  interface Api {
    readonly velocity: { subscribe(callback: (velocity: Triple) => void): () => void };
    applyImpulse(impulse: Triple, point: Triple): void;
  }
  export const useBox: <O extends Object3D>(
    describe: (index: number) => BodyProps,
  ) => [RefObject<O | null>, Api];
}
