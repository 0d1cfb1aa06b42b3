/** The little vector arithmetic that building a scene takes. */
import type { Rotation, Vector } from '../contract/scene-contract.js';

/** A vector as the engine takes it. */
export interface Xyz {
  x: number;
  y: number;
  z: number;
}

export interface Xyzw extends Xyz {
  w: number;
}

export const IDENTITY: Rotation = [0, 0, 0, 1];
export const X: Vector = [1, 0, 0];
export const Y: Vector = [0, 1, 0];
export const Z: Vector = [0, 0, 1];

export const xyz = ([x, y, z]: Vector): Xyz => ({ x, y, z });
export const xyzw = ([x, y, z, w]: Rotation): Xyzw => ({ x, y, z, w });

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vector, k: number): Vector => [a[0] * k, a[1] * k, a[2] * k];
export const lengthOf = (a: Vector): number => Math.hypot(a[0], a[1], a[2]);

/** @param axis A unit vector. @param angle In radians. */
export function rotationAbout(axis: Vector, angle: number): Rotation {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** Turns the y axis into a horizontal direction, by the shortest way. */
export function yInto([x, , z]: Vector): Rotation {
  const length = Math.hypot(x, z) || 1;
  return rotationAbout([z / length, 0, -x / length], Math.PI / 2);
}

/** First `b`, then `a`. */
export function combine(a: Rotation, b: Rotation): Rotation {
  const [ax, ay, az, aw] = a;
  const [bx, by, bz, bw] = b;
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** The vector turned by the rotation. */
export function turned([x, y, z, w]: Rotation, v: Vector): Vector {
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + y * tz - z * ty,
    v[1] + w * ty + z * tx - x * tz,
    v[2] + w * tz + x * ty - y * tx,
  ];
}
