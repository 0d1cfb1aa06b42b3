/** Small helpers with the names that `@react-three/rapier` gives them. */
import type { Rotation, Vector } from '../shared/util/vectors.js';
import { Euler, Quaternion, Vector3 } from 'three';
import type { Quaternion as QuaternionProp, Vector3 as Vector3Prop } from '@react-three/fiber';
import { finite } from '../world/page/checked-values.js';

function checkNumbers(list: readonly unknown[], name: string | undefined, length: number): void {
  if (name === undefined) return;
  for (let at = 0; at < length; at++) finite(`${name}[${at}]`, list[at] as number);
}

/** A Vector3 of three.js. @param value What has x, y and z. Default 0. */
export const vec3 = ({ x, y, z }: Vector = { x: 0, y: 0, z: 0 }): Vector3 => new Vector3(x, y, z);

/** A Quaternion of three.js. @param value What has x, y, z and w. Default: not turned. */
export const quat = ({ x, y, z, w }: Rotation = { x: 0, y: 0, z: 0, w: 1 }): Quaternion =>
  new Quaternion(x, y, z, w);

/** An Euler of three.js. @param value Radians about x, y and z. Default 0. */
export const euler = ({ x, y, z }: Vector = { x: 0, y: 0, z: 0 }): Euler => new Euler(x, y, z);

/**
 * What a prop of fiber may be: three numbers, one for all axes, or an object.
 *
 * @param name For the error of a list with something else than numbers. Undefined: it is not checked.
 */
export function vectorOf(value: Vector3Prop, name?: string): Vector {
  if (typeof value === 'number') return { x: value, y: value, z: value };
  if (!Array.isArray(value)) return value as Vector;
  checkNumbers(value, name, 3);
  const [x, y, z] = value as [number, number, number];
  return { x, y, z };
}

/** As {@link vectorOf}. */
export function rotationOf(value: QuaternionProp, name?: string): Rotation {
  if (!Array.isArray(value)) return value as Rotation;
  checkNumbers(value, name, 4);
  const [x, y, z, w] = value as [number, number, number, number];
  return { x, y, z, w };
}
