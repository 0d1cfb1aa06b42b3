/** As much of `@react-three/cannon` as the examples of what to replace need. */
declare module '@react-three/cannon' {
  import type { ReactNode, RefObject } from 'react';
  import type { InstancedMesh, Object3D } from 'three';

  type Triple = [x: number, y: number, z: number];
  interface BodyProps {
    readonly mass?: number;
    readonly position?: Triple;
    readonly rotation?: Triple;
    readonly args?: Triple;
    readonly type?: 'Dynamic' | 'Static' | 'Kinematic';
    readonly isTrigger?: boolean;
    readonly onCollide?: (event: { readonly contact: { readonly impactVelocity: number } }) => void;
  }
  interface Api {
    readonly position: { set(x: number, y: number, z: number): void };
    readonly velocity: {
      set(x: number, y: number, z: number): void;
      subscribe(callback: (velocity: Triple) => void): () => void;
    };
    applyImpulse(impulse: Triple, point: Triple): void;
    at(index: number): Api;
  }
  type UseBody = <O extends Object3D = Object3D>(
    describe: (index: number) => BodyProps,
    ref?: RefObject<O | null>,
  ) => [RefObject<O | null>, Api];
  export const useBox: UseBody;
  export const usePlane: UseBody;
  export const useHingeConstraint: (
    body1: RefObject<Object3D | null>,
    body2: RefObject<Object3D | null>,
    options: {
      readonly pivotA: Triple;
      readonly pivotB: Triple;
      readonly axisA: Triple;
      readonly axisB: Triple;
    },
  ) => unknown;
  export const useRaycastClosest: (
    ray: { readonly from: Triple; readonly to: Triple },
    callback: (hit: { readonly hasHit: boolean; readonly distance: number }) => void,
  ) => void;
  export const Physics: (props: { readonly children?: ReactNode }) => ReactNode;
  export type Instances = InstancedMesh;
}
