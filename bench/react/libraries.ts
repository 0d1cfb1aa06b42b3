/** The two libraries, with what the application uses of them. */
import type { ComponentType, ReactNode } from 'react';
import type { LibraryName } from './figures.js';

/** Props of a body that both libraries have. */
export interface BodyProps {
  readonly position: [number, number, number];
  readonly quaternion?: [number, number, number, number];
  readonly type?: 'fixed';
  readonly colliders?: 'cuboid';
  readonly canSleep?: boolean;
  readonly friction?: number;
  readonly restitution?: number;
  readonly density?: number;
}

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface WorldOfBodies {
  readonly bodies: { len(): number };
  readonly colliders: { len(): number };
  gravity: Vector;
  castRay(ray: object, maxToi: number, solid: boolean): object | null;
}

export interface Components {
  readonly Physics: ComponentType<{
    gravity: [number, number, number];
    timeStep: number;
    /** The peer has none. */
    queries?: boolean;
    children: ReactNode;
  }>;
  readonly RigidBody: ComponentType<BodyProps & { children: ReactNode }>;
  readonly InstancedRigidBodies: ComponentType<
    Omit<BodyProps, 'position' | 'quaternion'> & {
      instances: (BodyProps & { key: number })[];
      children: ReactNode;
    }
  >;
  useRapier(): {
    readonly world: WorldOfBodies;
    readonly rapier: { readonly Ray: new (origin: Vector, dir: Vector) => object };
  };
}

const LOADERS: Readonly<Record<LibraryName, () => Promise<unknown>>> = {
  betwixt: () => import('../../src/react/index.js'),
  rapier: () => import('@react-three/rapier'),
};

/** Both modules have these names. */
export const loadLibrary = async (name: LibraryName): Promise<Components> =>
  (await LOADERS[name]()) as Components;
