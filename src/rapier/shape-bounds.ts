/** Boxes around shapes, and the colliders around one: to tell cheaply what cannot touch. */
import { type Vector, dot } from '../shared/util/vectors.js';
import type { Rapier, RapierWorldOf } from './rapier-builds.js';

/** Sizes of the engine's shapes: each type has some of them. */
interface ShapeFields {
  readonly radius?: number;
  readonly halfHeight?: number;
  readonly halfExtents?: Vector;
  readonly borderRadius?: number;
  readonly vertices?: Float32Array;
  readonly heights?: Float32Array;
  readonly scale?: Vector;
}

/** Extents by points: of thousands of points, each is looked at once. */
const ofPoints = new WeakMap<Float32Array, Vector>();
/** The box of a shape that does not say how large it is, such as a plane. Finite, because it is turned. */
const UNKNOWN = { x: 1e9, y: 1e9, z: 1e9 } as const;

/** Half of a box that a shape is in, around its origin and along its own axes. Huge if the shape does not say. */
export function halfSizesOf(shape: object): Vector {
  const {
    radius,
    halfHeight,
    halfExtents,
    borderRadius = 0,
    vertices,
    ...field
  } = shape as ShapeFields;
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

type Collider = InstanceType<Rapier['Collider']>;

/** The radius of a shape that does not say how large it is, in m. */
const UNKNOWN_RADIUS = 100;

/**
 * The colliders of other bodies whose boxes are near, and whose groups let them meet it. The engine's queries with a filter
 * ignore height fields.
 */
export function collidersAround(
  world: RapierWorldOf,
  collider: Collider,
  reach: number,
): Collider[] {
  const near: Collider[] = [];
  const half = halfSizesOf(collider.shape);
  const radius = Math.min(Math.sqrt(dot(half, half)), UNKNOWN_RADIUS) + reach;
  const box = { x: radius, y: radius, z: radius };
  const body = collider.parent();
  world.collidersWithAabbIntersectingAabb(collider.translation(), box, (other) => {
    const isOther = other !== collider && (body === null || other.parent() !== body);
    if (isOther && canMeet(collider, other)) near.push(other);
    return true;
  });
  return near;
}

function canMeet(one: Collider, other: Collider): boolean {
  const [a, b] = [one.collisionGroups(), other.collisionGroups()];
  return ((a >>> 16) & b & 0xffff) !== 0 && ((b >>> 16) & a & 0xffff) !== 0;
}
