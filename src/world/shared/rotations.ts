/** Arithmetic with unit quaternions. */
import type { Rotation, Vector } from './fields.js';

/** v + 2 w (q × v) + 2 q × (q × v), for a unit quaternion. */
export function rotated({ x, y, z }: Readonly<Vector>, q: Readonly<Rotation>): Vector {
  const tx = 2 * (q.y * z - q.z * y);
  const ty = 2 * (q.z * x - q.x * z);
  const tz = 2 * (q.x * y - q.y * x);
  return {
    x: x + q.w * tx + q.y * tz - q.z * ty,
    y: y + q.w * ty + q.z * tx - q.x * tz,
    z: z + q.w * tz + q.x * ty - q.y * tx,
  };
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
