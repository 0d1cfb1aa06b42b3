/** The two libraries, with what the application uses of them. */
import type { ComponentType, ReactNode } from 'react';
import type { LibraryName } from './figures.js';

/** Props of a body that both libraries have. */
export interface BodyProps {
  readonly position: [number, number, number];
  readonly quaternion: [number, number, number, number];
  readonly type?: 'fixed';
  readonly colliders?: 'cuboid';
  readonly canSleep?: boolean;
  readonly friction?: number;
  readonly restitution?: number;
  readonly density?: number;
}

export interface WorldOfBodies {
  readonly bodies: { len(): number };
  readonly colliders: { len(): number };
}

export interface Components {
  readonly Physics: ComponentType<{
    gravity: [number, number, number];
    timeStep: number;
    children: ReactNode;
  }>;
  readonly RigidBody: ComponentType<BodyProps & { children: ReactNode }>;
  readonly InstancedRigidBodies: ComponentType<
    Omit<BodyProps, 'position' | 'quaternion'> & {
      instances: (BodyProps & { key: number })[];
      children: ReactNode;
    }
  >;
  useRapier(): { readonly world: WorldOfBodies };
}

const LOADERS: Readonly<Record<LibraryName, () => Promise<unknown>>> = {
  betwixt: () => import('../../src/render-main/react/index.js'),
  rapier: () => import('@react-three/rapier'),
};

/** What is loaded has the names of both. */
export const loadLibrary = async (name: LibraryName): Promise<Components> =>
  (await LOADERS[name]()) as Components;
