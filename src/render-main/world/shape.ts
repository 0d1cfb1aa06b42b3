/** Checked shapes, by Rapier's names for them. Sizes in m or the simulation's own unit. */
import type { ShapeData, Vector } from '../../shared/world/fields.js';
import { requireInteger } from '../../shared/util/validate.js';
import { finite, notNegative, positive } from './checked-values.js';
import { ShapeType } from './constants.js';

const NO_VERTICES = new Float32Array(0);
const NO_INDICES = new Uint32Array(0);

type Numbers = ArrayLike<number>;

/** @param sizes By name, in the order of the engine's constructor. */
export function sized(type: ShapeType, sizes: Readonly<Record<string, number>>): ShapeData {
  const checked = Object.entries(sizes).map(([name, size]) =>
    name === 'borderRadius' ? notNegative(name, size) : positive(name, size),
  );
  return { type, sizes: checked, vertices: NO_VERTICES, indices: NO_INDICES };
}

/** @throws RangeError if the points span no volume. */
export function convex(
  vertices: Numbers,
  indices: Numbers | null | undefined,
  borderRadius?: number,
): ShapeData {
  const points = pointsOf(vertices);
  if (!spansVolume(points)) {
    throw new RangeError('vertices must span a volume: a convex shape of these would be flat');
  }
  const isRound = borderRadius !== undefined;
  return {
    type: isRound ? ShapeType.RoundConvexPolyhedron : ShapeType.ConvexPolyhedron,
    sizes: isRound ? [notNegative('borderRadius', borderRadius)] : [],
    vertices: points,
    indices: indicesOf(indices ?? NO_INDICES, points.length / 3, 3),
  };
}

export function trimesh(vertices: Numbers, indices: Numbers): ShapeData {
  const points = pointsOf(vertices);
  const triangles = indicesOf(indices, points.length / 3, 3);
  if (triangles.length === 0) throw new RangeError('indices must have at least one triangle');
  return { type: ShapeType.TriMesh, sizes: [], vertices: points, indices: triangles };
}

export function polyline(vertices: Numbers, indices?: Numbers | null): ShapeData {
  const points = pointsOf(vertices);
  const segments = indicesOf(indices ?? NO_INDICES, points.length / 3, 2);
  return { type: ShapeType.Polyline, sizes: [], vertices: points, indices: segments };
}

/**
 * @param rows Squares along x.
 * @param columns Squares along z.
 * @param heights (rows + 1) × (columns + 1) numbers, column by column.
 */
export function heightfield(
  rows: number,
  columns: number,
  heights: Numbers,
  scale: Readonly<Vector>,
): ShapeData {
  requireInteger('nrows', rows, 1, 2 ** 16);
  requireInteger('ncols', columns, 1, 2 ** 16);
  const expected = (rows + 1) * (columns + 1);
  if (heights.length !== expected) {
    throw new RangeError(
      `heights must have (nrows + 1) × (ncols + 1) = ${expected} numbers, but has ${heights.length}`,
    );
  }
  const sizes = [
    rows,
    columns,
    positive('scale.x', scale.x),
    positive('scale.y', scale.y),
    positive('scale.z', scale.z),
  ];
  const values = numbersOf('heights', heights);
  return { type: ShapeType.HeightField, sizes, vertices: values, indices: NO_INDICES };
}

function pointsOf(vertices: Numbers): Float32Array {
  if (vertices.length === 0 || vertices.length % 3 !== 0) {
    throw new RangeError(
      `vertices must have three numbers for each point, but has ${vertices.length}`,
    );
  }
  return numbersOf('vertices', vertices);
}

/** A copy: the geometry may change before it is sent. */
function numbersOf(name: string, values: Numbers): Float32Array {
  const numbers = Float32Array.from(values);
  const wrong = numbers.findIndex((value) => !Number.isFinite(value));
  if (wrong >= 0) finite(`${name}[${wrong}]`, Number(values[wrong]));
  return numbers;
}

function indicesOf(indices: Numbers, points: number, corners: number): Uint32Array {
  if (indices.length % corners !== 0) {
    throw new RangeError(
      `indices must have ${corners} numbers for each ${corners === 3 ? 'triangle' : 'segment'}, but has ${indices.length}`,
    );
  }
  return Uint32Array.from(indices, (index, place) =>
    requireInteger(`indices[${place}]`, index, 0, points - 1),
  );
}

type Triple = readonly [number, number, number];
const squared = ([x, y, z]: Triple): number => x * x + y * y + z * z;

/** Whether four of the points are not in a plane, measured against the extent of all. */
function spansVolume(points: Float32Array): boolean {
  const at = (index: number): Triple => [
    (points[index] ?? 0) - (points[0] ?? 0),
    (points[index + 1] ?? 0) - (points[1] ?? 0),
    (points[index + 2] ?? 0) - (points[2] ?? 0),
  ];
  /** Of a direction in a plane, then of the plane's normal, then of a point outside. */
  let first: Triple = [0, 0, 0];
  let normal: Triple = [0, 0, 0];
  let height = 0;
  for (let index = 3; index < points.length; index += 3) {
    if (squared(at(index)) > squared(first)) first = at(index);
  }
  for (let index = 3; index < points.length; index += 3) {
    const [x, y, z] = at(index);
    const [a, b, c] = first;
    const cross = [b * z - c * y, c * x - a * z, a * y - b * x] as const;
    if (squared(cross) > squared(normal)) normal = cross;
  }
  for (let index = 3; index < points.length; index += 3) {
    const [x, y, z] = at(index);
    height = Math.max(height, Math.abs(x * normal[0] + y * normal[1] + z * normal[2]));
  }
  const extent = Math.sqrt(squared(first));
  return height > 1e-6 * extent * Math.sqrt(squared(normal)) && height > 0;
}
