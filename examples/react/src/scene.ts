/** What a file in `scenes` exports. */
import type { PhysicsProps } from 'betwixt/react';
import type { JSX } from 'react';

type Triple = readonly [x: number, y: number, z: number];

export interface Scene {
  readonly title: string;
  /** What to watch, in one or two sentences. */
  readonly about: string;
  readonly camera: {
    readonly position: Triple;
    /** What it looks at and turns about. Default: the origin. */
    readonly target?: Triple;
  };
  /** Props of `<Physics>`. */
  readonly physics?: Partial<Omit<PhysicsProps, 'children'>>;
  /** Why it cannot run on `@react-three/rapier`, if it cannot. */
  readonly onlyBetwixt?: string;
  /** What is in `<Physics>`. */
  readonly Content: () => JSX.Element;
}
