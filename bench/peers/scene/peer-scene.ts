/** The settings of the comparison, the same for every contestant. Its scene is the heap, settled. */
import { DENSITY, FRICTION } from '../../engines/bench-world.js';
import type { BenchPose } from '../../scenes/index.js';

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

/** The surface of all boxes, as the components of both libraries for React take it. */
export const SURFACE = { friction: FRICTION, restitution: 0, density: DENSITY } as const;

/** A pose as React's components take it. */
export const placed = ({ x, y, z, qx, qy, qz, qw }: BenchPose) => ({
  position: [x, y, z] as [number, number, number],
  quaternion: [qx, qy, qz, qw] as [number, number, number, number],
});
