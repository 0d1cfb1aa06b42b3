/** Where many points are. Loops over them make no arrays and call no callbacks. */

export type Triple = readonly [number, number, number];

/** Where points are. */
export interface Extents {
  readonly min: Triple;
  readonly max: Triple;
  readonly center: Triple;
  /** Of the smallest ball around the center that contains them. */
  readonly radius: number;
  /** Distance of the nearest and the farthest from the origin. */
  readonly nearest: number;
  readonly farthest: number;
  /** Distance of the farthest from the y axis. */
  readonly round: number;
}

export function extentsOf(points: Float32Array): Extents {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let [nearest, farthest, round] = [Infinity, 0, 0];
  for (let at = 0; at < points.length; at += 3) {
    const x = points[at] as number;
    const y = points[at + 1] as number;
    const z = points[at + 2] as number;
    min[0] = Math.min(min[0], x);
    min[1] = Math.min(min[1], y);
    min[2] = Math.min(min[2], z);
    max[0] = Math.max(max[0], x);
    max[1] = Math.max(max[1], y);
    max[2] = Math.max(max[2], z);
    const flat = x * x + z * z;
    round = Math.max(round, flat);
    nearest = Math.min(nearest, flat + y * y);
    farthest = Math.max(farthest, flat + y * y);
  }
  const center: Triple = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  return {
    min,
    max,
    center,
    radius: radiusAround(points, center, [1, 1, 1]),
    nearest: Math.sqrt(nearest),
    farthest: Math.sqrt(farthest),
    round: Math.sqrt(round),
  };
}

/** Of the smallest ball around a point that contains all of them, all scaled. */
export function radiusAround(points: Float32Array, center: Triple, scale: Triple): number {
  const [centerX, centerY, centerZ] = center;
  const [scaleX, scaleY, scaleZ] = scale;
  let radius = 0;
  for (let at = 0; at < points.length; at += 3) {
    const x = ((points[at] as number) - centerX) * scaleX;
    const y = ((points[at + 1] as number) - centerY) * scaleY;
    const z = ((points[at + 2] as number) - centerZ) * scaleZ;
    radius = Math.max(radius, x * x + y * y + z * z);
  }
  return Math.sqrt(radius);
}
