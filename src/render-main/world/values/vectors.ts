/** Sums of vectors, torques, and scales. */
import type { Vector } from '../../../shared/world/fields.js';

export const ORIGIN: Readonly<Vector> = { x: 0, y: 0, z: 0 };

/** Whether what is scaled so has no volume. */
export const isFlat = ({ x, y, z }: Readonly<Vector>): boolean => x * y * z === 0;

export function addTo(sum: Vector, { x, y, z }: Readonly<Vector>): void {
  sum.x += x;
  sum.y += y;
  sum.z += z;
}

/** Of a force or impulse at a point, about a center. */
export function torqueAbout(center: Vector, force: Vector, point: Vector): Vector {
  const [x, y, z] = [point.x - center.x, point.y - center.y, point.z - center.z];
  return {
    x: y * force.z - z * force.y,
    y: z * force.x - x * force.z,
    z: x * force.y - y * force.x,
  };
}
