/** The exports of a file in `scenes`. */
import type { PhysicsProps } from 'betwixt/react';
import type { JSX } from 'react';

type Triple = readonly [x: number, y: number, z: number];

export interface Scene {
  readonly camera: {
    readonly position: Triple;
    /** The point that it looks at and turns about. Default: the origin. */
    readonly target?: Triple;
  };
  /** The letters of keys that it reads. */
  readonly keys?: string;
  /** Props of `<Physics>`. */
  readonly physics?: Partial<Omit<PhysicsProps, 'children'>>;
  /** The children of `<Physics>`. */
  readonly Content: () => JSX.Element;
}
