/** Vectors of which only some components are set: the others are NaN. */
import type { Vector } from '../../shared/util/vectors.js';

export type Axis = keyof Vector;
export const AXES = ['x', 'y', 'z'] as const;

export const UNSET: Readonly<Vector> = { x: Number.NaN, y: Number.NaN, z: Number.NaN };

export const isUnset = ({ x, y, z }: Readonly<Vector>): boolean =>
  Number.isNaN(x) && Number.isNaN(y) && Number.isNaN(z);

/** Whether all components are set. */
export const isWhole = ({ x, y, z }: Readonly<Vector>): boolean => !Number.isNaN(x + y + z);

/** The vector, with the components of another one for those that are not set. */
export function filled(value: Readonly<Vector>, other: () => Readonly<Vector>): Readonly<Vector> {
  if (isWhole(value)) return value;
  const { x, y, z } = other();
  return {
    x: Number.isNaN(value.x) ? x : value.x,
    y: Number.isNaN(value.y) ? y : value.y,
    z: Number.isNaN(value.z) ? z : value.z,
  };
}
