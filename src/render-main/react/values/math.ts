/** Small helpers with the names that `@react-three/rapier` gives them. */
import { Euler, Quaternion, Vector3 } from 'three';
import type { Quaternion as QuaternionProp, Vector3 as Vector3Prop } from '@react-three/fiber';
import type { Rotation, Vector } from '../../../shared/world/fields.js';

/** A Vector3 of three.js. @param value What has x, y and z. Default 0. */
export const vec3 = ({ x, y, z }: Vector = { x: 0, y: 0, z: 0 }): Vector3 => new Vector3(x, y, z);

/** A Quaternion of three.js. @param value What has x, y, z and w. Default: not turned. */
export const quat = ({ x, y, z, w }: Rotation = { x: 0, y: 0, z: 0, w: 1 }): Quaternion =>
  new Quaternion(x, y, z, w);

/** An Euler of three.js. @param value Radians about x, y and z. Default 0. */
export const euler = ({ x, y, z }: Vector = { x: 0, y: 0, z: 0 }): Euler => new Euler(x, y, z);

/** What a prop of fiber may be: three numbers, one for all axes, or an object. */
export function vectorOf(value: Vector3Prop): Vector {
  if (typeof value === 'number') return { x: value, y: value, z: value };
  if (!Array.isArray(value)) return value as Vector;
  const [x, y, z] = value as [number, number, number];
  return { x, y, z };
}

export function rotationOf(value: QuaternionProp): Rotation {
  if (!Array.isArray(value)) return value as Rotation;
  const [x, y, z, w] = value as [number, number, number, number];
  return { x, y, z, w };
}
