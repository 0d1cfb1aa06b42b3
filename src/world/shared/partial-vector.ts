/** Vectors of which only some components are set: the others are NaN. */
import type { Vector } from '../../shared/util/vectors.js';

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
