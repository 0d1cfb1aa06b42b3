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
  const numbers = new Float32Array(values);
  for (let index = 0; index < numbers.length; index++) {
    if (!Number.isFinite(numbers[index])) finite(`${name}[${index}]`, Number(values[index]));
  }
  return numbers;
}

function indicesOf(indices: Numbers, points: number, corners: number): Uint32Array {
  if (indices.length % corners !== 0) {
    throw new RangeError(
      `indices must have ${corners} numbers for each ${corners === 3 ? 'triangle' : 'segment'}, but has ${indices.length}`,
    );
  }
  if (indices.length === 0) return NO_INDICES;
  return Uint32Array.from(indices, (index, place) =>
    requireInteger(`indices[${place}]`, index, 0, points - 1),
  );
}

/**
 * Whether four of the points are not in a plane, measured against the extent of all. Applications make thousands of hulls
 * when they start, with code that is not optimized yet, in which arrays of coordinates took six times as long.
 */
function spansVolume(points: Float32Array): boolean {
  const ox = points[0] as number;
  const oy = points[1] as number;
  const oz = points[2] as number;
  // A direction in a plane: to the point that is farthest from the first one.
  let dx = 0;
  let dy = 0;
  let dz = 0;
  let extent = 0;
  for (let index = 3; index < points.length; index += 3) {
    const x = (points[index] as number) - ox;
    const y = (points[index + 1] as number) - oy;
    const z = (points[index + 2] as number) - oz;
    const squared = x * x + y * y + z * z;
    if (squared <= extent) continue;
    dx = x;
    dy = y;
    dz = z;
    extent = squared;
  }
  // The plane's normal: with the point that is farthest from that line.
  let nx = 0;
  let ny = 0;
  let nz = 0;
  let area = 0;
  for (let index = 3; index < points.length; index += 3) {
    const x = (points[index] as number) - ox;
    const y = (points[index + 1] as number) - oy;
    const z = (points[index + 2] as number) - oz;
    const cx = dy * z - dz * y;
    const cy = dz * x - dx * z;
    const cz = dx * y - dy * x;
    const squared = cx * cx + cy * cy + cz * cz;
    if (squared <= area) continue;
    nx = cx;
    ny = cy;
    nz = cz;
    area = squared;
  }
  let height = 0;
  for (let index = 3; index < points.length; index += 3) {
    const x = (points[index] as number) - ox;
    const y = (points[index + 1] as number) - oy;
    const z = (points[index + 2] as number) - oz;
    height = Math.max(height, Math.abs(x * nx + y * ny + z * nz));
  }
  return height > 1e-6 * Math.sqrt(extent) * Math.sqrt(area) && height > 0;
}
