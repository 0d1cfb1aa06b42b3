/** The scenes of the part `world`, the same for a world of the page and for a hand-written simulation. */

/** Boxes in a heap, and bodies of everything else. */
export const HEAP = 500;
export const BODIES = 1000;
/** Points of each hull. */
export const POINTS = 24;
/** Numbers of a body with a hull in a command: its place, and its points. */
export const HULL_NUMBERS = 3 * (1 + POINTS);
/** Exact in 32 bits, as are sums of thousands of them. */
export const IMPULSE = 1 / 1024;

export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** None meets another one. */
export const placeApart = (index: number): Place => ({
  x: 4 * (index % 32),
  y: 4 * Math.floor(index / 32),
  z: 0,
});

/** Points of a hull, each of another one. */
export function pointsOf(body: number): Float32Array {
  const points = new Float32Array(3 * POINTS);
  for (let index = 0; index < POINTS; index++) {
    const [height, angle] = [1 - (2 * (index + 0.5)) / POINTS, index * 2.4 + body];
    const radius = Math.sqrt(1 - height * height);
    points.set([radius * Math.cos(angle), height, radius * Math.sin(angle)], 3 * index);
  }
  return points;
}

/** The setup of the hand-written simulation. */
export interface OwnSetup {
  readonly heap: number;
  readonly apart: number;
}
