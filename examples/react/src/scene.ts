/** The exports of a file in `scenes`. */
import type { PhysicsProps } from 'betwixt/react';
import type { JSX } from 'react';

type Triple = readonly [x: number, y: number, z: number];

export interface Scene {
  /** Default: the scene has its own, and sky and light. */
  readonly camera?: {
    readonly position: Triple;
    /** The point that it looks at and turns about. Default: the origin. */
    readonly target?: Triple;
    /** Width over height of the narrowest picture that has everything in it. Default: 1.5. */
    readonly aspect?: number;
  };
  /** The letters of keys that it reads. */
  readonly keys?: string;
  /** Props of `<Physics>`. */
  readonly physics?: Partial<Omit<PhysicsProps, 'children'>>;
  /** Whether betwixt, too, runs the engine on the page, with callbacks of steps within the ticks. Default: false. */
  readonly isLocal?: boolean;
  /** The children of `<Physics>`. */
  readonly Content: () => JSX.Element;
}
