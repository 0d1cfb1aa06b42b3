/** Boxes around shapes, to tell cheaply what cannot touch. */
import type { Vector } from '../../shared/world/fields.js';
import type { Rapier } from '../engines/rapier-builds.js';

type Shape = InstanceType<Rapier['Shape']>;

/** What the engine's shapes have of their sizes. */
interface Sizes {
  readonly radius?: number;
  readonly halfHeight?: number;
  readonly halfExtents?: Vector;
  readonly borderRadius?: number;
  readonly vertices?: Float32Array;
}

/** Thousands of points are looked at once. */
const ofPoints = new WeakMap<Float32Array, Vector>();
const UNKNOWN = { x: Infinity, y: Infinity, z: Infinity } as const;

/** Half of a box that a shape is in, around its origin and along its own axes. Infinite if the shape does not say. */
export function halfSizesOf(shape: Shape): Vector {
  const { radius, halfHeight, halfExtents, borderRadius = 0, vertices } = shape as Sizes;
  if (halfExtents !== undefined) return padded(halfExtents, borderRadius);
  if (vertices !== undefined) return padded(extentOf(vertices), borderRadius);
  if (radius === undefined) return UNKNOWN;
  // A capsule has half balls at its ends; a cylinder is shorter.
  return padded({ x: 0, y: halfHeight ?? 0, z: 0 }, radius + borderRadius);
}

const padded = ({ x, y, z }: Vector, by: number): Vector => ({ x: x + by, y: y + by, z: z + by });

function extentOf(vertices: Float32Array): Vector {
  const known = ofPoints.get(vertices);
  if (known !== undefined) return known;
  const [x, y, z] = [0, 1, 2].map((axis) =>
    vertices.reduce(
      (max, value, at) => (at % 3 === axis ? Math.max(max, Math.abs(value)) : max),
      0,
    ),
  ) as [number, number, number];
  const extent = { x, y, z };
  ofPoints.set(vertices, extent);
  return extent;
}
