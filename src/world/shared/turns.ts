/** Vectors and rotations, with additions, products and roots only: the same bits in every browser. */
import type { Rotation, Vector } from './fields.js';

export const dot = (a: Readonly<Vector>, b: Readonly<Vector>): number =>
  a.x * b.x + a.y * b.y + a.z * b.z;

/** a + b × factor. */
export const plus = (a: Readonly<Vector>, b: Readonly<Vector>, factor = 1): Vector => ({
  x: a.x + b.x * factor,
  y: a.y + b.y * factor,
  z: a.z + b.z * factor,
});

export const scaled = ({ x, y, z }: Readonly<Vector>, factor: number): Vector => ({
  x: x * factor,
  y: y * factor,
  z: z * factor,
});

export const cross = (a: Readonly<Vector>, b: Readonly<Vector>): Vector => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});

/** Of length 1; a vector without a direction stays as it is. */
export function unit(vector: Readonly<Vector>): Vector {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 ? scaled(vector, 1 / length) : { ...vector };
}

/** Not `rotated` of rotations.ts, whose sums are in another order: the last bits of recorded runs would differ. */
export function turned(q: Readonly<Rotation>, v: Readonly<Vector>): Vector {
  const t = scaled(cross(q, v), 2);
  return plus(plus(v, t, q.w), cross(q, t));
}

export const inverse = ({ x, y, z, w }: Readonly<Rotation>): Rotation => ({
  x: -x,
  y: -y,
  z: -z,
  w,
});

/**
 * A rotation about an axis of length 1. `Math.sin` and `Math.cos` differ between browsers, so it is a Taylor series: exact
 * to 32 bits within a turn.
 *
 * @param angle In radians, −2π to 2π.
 */
export function rotationAbout(axis: Readonly<Vector>, angle: number): Rotation {
  const half = angle / 2;
  const square = half * half;
  let [sin, cos] = [0, 0];
  for (let n = TERMS; n > 0; n--) {
    sin = 1 - (sin * square) / (2 * n * (2 * n + 1));
    cos = 1 - (cos * square) / ((2 * n - 1) * 2 * n);
  }
  return { ...scaled(axis, sin * half), w: cos };
}

const TERMS = 12;
