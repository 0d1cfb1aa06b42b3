/** What a file in `scenes` exports. */
import type { PhysicsProps } from 'betwixt/react';
import type { JSX } from 'react';

type Triple = readonly [x: number, y: number, z: number];

export interface Scene {
  readonly camera: {
    readonly position: Triple;
    /** What it looks at and turns about. Default: the origin. */
    readonly target?: Triple;
  };
  /** Props of `<Physics>`. */
  readonly physics?: Partial<Omit<PhysicsProps, 'children'>>;
  /** What is in `<Physics>`. */
  readonly Content: () => JSX.Element;
}
