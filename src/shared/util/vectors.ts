/** Vectors and rotations, with additions, products and roots only: the same bits in every browser. */

/** A vector. */
export interface Vector {
  /** In m, in m/s, or in the unit of what it is a vector of. */
  x: number;
  /** As x. */
  y: number;
  /** As x. */
  z: number;
}

/** A rotation, as a unit quaternion. */
export interface Rotation {
  /** The i component, −1 to 1. */
  x: number;
  /** As x: the j component. */
  y: number;
  /** As x: the k component. */
  z: number;
  /** As x: the real part. */
  w: number;
}

/** A value, or an object that is given instead and gets its components. */
export const written = <T extends object>(target: T | null | undefined, value: T): T =>
  target ? Object.assign(target, value) : value;

export const ZERO: Readonly<Vector> = { x: 0, y: 0, z: 0 };

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

/** The vector at length 1; a vector without a direction stays as it is. */
export function unit(vector: Readonly<Vector>): Vector {
  const length = Math.sqrt(dot(vector, vector));
  return length > 0 ? scaled(vector, 1 / length) : { ...vector };
}

/** v, rotated by the unit quaternion q: v + 2 w (q × v) + 2 q × (q × v). */
export function rotated(q: Readonly<Rotation>, v: Readonly<Vector>): Vector {
  const t = scaled(cross(q, v), 2);
  return plus(plus(v, t, q.w), cross(q, t));
}

/** Turns by b, and then by a. */
export function product(a: Readonly<Rotation>, b: Readonly<Rotation>): Rotation {
  return {
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  };
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
