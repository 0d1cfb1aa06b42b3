/** Sums and scales of vectors, torques, and vectors that tell of their changes. */
import type { Vector } from '../../shared/util/vectors.js';

export const ORIGIN: Readonly<Vector> = { x: 0, y: 0, z: 0 };

/** Whether what is scaled so has no volume. */
export const isFlat = ({ x, y, z }: Readonly<Vector>): boolean => x * y * z === 0;

export function addTo(sum: Vector, { x, y, z }: Readonly<Vector>): void {
  sum.x += x;
  sum.y += y;
  sum.z += z;
}

/** A copy of a vector whose numbers can also be set one by one, as those of Rapier's own. */
export const settable = (vector: Vector, set: (changed: Vector) => void): Vector =>
  new Proxy(
    { ...vector },
    {
      set(target, axis, value) {
        set({ ...target, [axis]: value });
        return Reflect.set(target, axis, value);
      },
    },
  );

/** Of a force or impulse at a point, about a center. */
export function torqueAbout(center: Vector, force: Vector, point: Vector): Vector {
  const [x, y, z] = [point.x - center.x, point.y - center.y, point.z - center.z];
  return {
    x: y * force.z - z * force.y,
    y: z * force.x - x * force.z,
    z: x * force.y - y * force.x,
  };
}
