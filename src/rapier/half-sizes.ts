/** Boxes around shapes, to tell cheaply what cannot touch. */
import type { Vector } from '../shared/util/vectors.js';

/** What the engine's shapes have of their sizes. */
interface Sizes {
  readonly radius?: number;
  readonly halfHeight?: number;
  readonly halfExtents?: Vector;
  readonly borderRadius?: number;
  readonly vertices?: Float32Array;
  readonly heights?: Float32Array;
  readonly scale?: Vector;
}

/** Thousands of points are looked at once. */
const ofPoints = new WeakMap<Float32Array, Vector>();
/** Of a plane, for example. Finite, because it is turned. */
const UNKNOWN = { x: 1e9, y: 1e9, z: 1e9 } as const;

/** Half of a box that a shape is in, around its origin and along its own axes. Huge if the shape does not say. */
export function halfSizesOf(shape: object): Vector {
  const { radius, halfHeight, halfExtents, borderRadius = 0, vertices, ...field } = shape as Sizes;
  if (halfExtents !== undefined) return padded(halfExtents, borderRadius);
  if (vertices !== undefined) return padded(extentOf(vertices), borderRadius);
  if (field.heights !== undefined && field.scale !== undefined) {
    const { x, y, z } = field.scale;
    const height = field.heights.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
    return { x: x / 2, y: y * height, z: z / 2 };
  }
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
