/** Reads the points and triangles of a geometry. */
import type { BufferGeometry } from 'three';
import type { Vector } from '../../shared/world/fields.js';

type Triple = readonly [number, number, number];

/** Where the points of a geometry are. */
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

/** The triangles of a geometry. */
export interface Triangles {
  /** Three numbers for each point, at the scale of the mesh. */
  readonly points: Float32Array;
  /** Three for each triangle. */
  readonly indices: Uint32Array;
}

/**
 * Reads what is drawn of a geometry, with or without an index.
 *
 * @throws TypeError if there are no points that the page can read.
 */
export function trianglesOf(geometry: BufferGeometry, scale: Readonly<Vector>): Triangles {
  // Types say that it is always there.
  const position = geometry.getAttribute('position') as
    | ReturnType<BufferGeometry['getAttribute']>
    | undefined;
  if (position === undefined || !('getX' in position) || position.count === 0) {
    throw new TypeError(
      `a geometry of the type ${geometry.type} has no position attribute with points that the page can read: add a ` +
        'collider with a ColliderDesc of your own',
    );
  }
  const { index, drawRange } = geometry;
  const total = index?.count ?? position.count;
  const start = Math.min(drawRange.start, total);
  const end = Math.min(drawRange.start + drawRange.count, total);
  const indices = new Uint32Array(Math.floor((end - start) / 3) * 3);
  for (let at = 0; at < indices.length; at++) {
    indices[at] = index === null ? start + at : index.getX(start + at);
  }
  const isWhole = start === 0 && end === total;
  // Points that are not drawn may be anywhere.
  const used = isWhole ? undefined : indices.slice();
  const points = new Float32Array(3 * (used?.length ?? position.count));
  for (let at = 0; 3 * at < points.length; at++) {
    const point = used === undefined ? at : (used[at] as number);
    points[3 * at] = position.getX(point) * scale.x;
    points[3 * at + 1] = position.getY(point) * scale.y;
    points[3 * at + 2] = position.getZ(point) * scale.z;
    if (used !== undefined) indices[at] = at;
  }
  return { points, indices };
}

export function extentsOf(points: Float32Array): Extents {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  let [nearest, farthest, round] = [Infinity, 0, 0];
  eachOf(points, (x, y, z) => {
    min[0] = Math.min(min[0], x);
    min[1] = Math.min(min[1], y);
    min[2] = Math.min(min[2], z);
    max[0] = Math.max(max[0], x);
    max[1] = Math.max(max[1], y);
    max[2] = Math.max(max[2], z);
    const distance = Math.hypot(x, y, z);
    nearest = Math.min(nearest, distance);
    farthest = Math.max(farthest, distance);
    round = Math.max(round, Math.hypot(x, z));
  });
  const center: Triple = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
  let radius = 0;
  eachOf(points, (x, y, z) => {
    radius = Math.max(radius, Math.hypot(x - center[0], y - center[1], z - center[2]));
  });
  return { min, max, center, radius, nearest, farthest, round };
}

function eachOf(points: Float32Array, callback: (x: number, y: number, z: number) => void): void {
  for (let at = 0; at < points.length; at += 3) {
    callback(points[at] as number, points[at + 1] as number, points[at + 2] as number);
  }
}
