/**
 * The scene of the comparison as plain data: every contestant builds its world from identical
 * numbers.
 */

/** x y z qx qy qz qw, in m. */
export type PoseNumbers = readonly [number, number, number, number, number, number, number];

// Type aliases have an index signature, which the setup of a simulation must have.
export type PeerScene = {
  readonly gravityY: number;
  /** Unit boxes of density 1 that never sleep, settled in a heap. */
  readonly boxes: readonly PoseNumbers[];
  /** Boxes that do not move: pose and half sizes. */
  readonly statics: readonly {
    readonly pose: PoseNumbers;
    readonly half: readonly [number, number, number];
  }[];
};

export const FRICTION = 0.5;
export const DENSITY = 1;
/**
 * The solver's iterations in cannon-es. Rapier's settings are its defaults, which the peer sets as
 * well.
 */
export const CANNON_ITERATIONS = 5;
export const CANNON_TOLERANCE = 0.001;
/** The material that use-cannon's worker gives to all contacts, with this scene's friction. */
export const CANNON_CONTACTS = {
  contactEquationStiffness: 1e6,
  friction: FRICTION,
  restitution: 0,
} as const;
export const MAX_SUB_STEPS = 10;

/**
 * Balls that touch nothing and fly at 1 m/s along x: one drawn as an object, one as an instance.
 */
export const PROBE_RADIUS = 0.5;
export const PROBE_SPEED = 1;
export const SINGLE_PROBE_Y = 60;
export const INSTANCED_PROBE_Y = 65;
