/** Makes shapes of what an application passes, checked. Sizes in m or the simulation's own unit. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { scaled, type ShapeData } from '../shared/shape-data.js';
import { requireInteger, requireList } from '../../shared/util/validate.js';
import {
  direction,
  finite,
  integer,
  notNegative,
  positive,
  rotation,
  vector,
} from './checked-values.js';
import { ShapeType } from './constants.js';

const NO_VERTICES = new Float32Array(0);
const NO_INDICES = new Uint32Array(0);

type Numbers = ArrayLike<number>;

/** @param sizes By name, in the order of the engine's constructor. */
export function sized(type: ShapeType, sizes: Readonly<Record<string, number>>): ShapeData {
  const checked = Object.entries(sizes).map(([name, size]) => notNegative(name, size));
  return { type, sizes: checked, vertices: NO_VERTICES, indices: NO_INDICES };
}

/** @throws RangeError if the points span no volume. */
export function convex(
  vertices: Numbers,
  indices: Numbers | null | undefined,
  borderRadius?: number,
): ShapeData {
  const points = pointsOf(vertices);
  requireVolume(points);
  const isRound = borderRadius !== undefined;
  return {
    type: isRound ? ShapeType.RoundConvexPolyhedron : ShapeType.ConvexPolyhedron,
    sizes: isRound ? [notNegative('borderRadius', borderRadius)] : [],
    vertices: points,
    indices: indicesOf(indices ?? NO_INDICES, points.length / 3, 3),
  };
}

export function trimesh(vertices: Numbers, indices: Numbers, flags?: number): ShapeData {
  const points = pointsOf(vertices);
  const triangles = indicesOf(indices, points.length / 3, 3);
  if (triangles.length === 0) throw new RangeError('indices must have at least one triangle');
  const sizes = flags === undefined ? [] : [flagsOf(flags)];
  return { type: ShapeType.TriMesh, sizes, vertices: points, indices: triangles };
}

export function polyline(vertices: Numbers, indices?: Numbers | null): ShapeData {
  const points = pointsOf(vertices);
  const segments = indicesOf(indices ?? NO_INDICES, points.length / 3, 2);
  return { type: ShapeType.Polyline, sizes: [], vertices: points, indices: segments };
}

/** @param corners By name. */
export function corners(
  type: ShapeType,
  points: Readonly<Record<string, Readonly<Vector>>>,
  borderRadius?: number,
): ShapeData {
  const checked = Object.entries(points).map(([name, point]) => vector(name, point));
  return {
    type,
    sizes: borderRadius === undefined ? [] : [notNegative('borderRadius', borderRadius)],
    vertices: Float32Array.from(checked.flatMap(({ x, y, z }) => [x, y, z])),
    indices: NO_INDICES,
  };
}

/** @throws RangeError for a normal without a length. */
export function halfspace(normal: Readonly<Vector>): ShapeData {
  const { x, y, z } = direction('normal', normal);
  const length = Math.hypot(x, y, z);
  const sizes = [x / length, y / length, z / length];
  return {
    type: ShapeType.HalfSpace,
    sizes,
    vertices: NO_VERTICES,
    indices: NO_INDICES,
  };
}

/** @param cells Whole numbers of cells in an `Int32Array`, or points within them. */
export function voxels(cells: Float32Array | Int32Array, size: Readonly<Vector>): ShapeData {
  if (cells.length === 0 || cells.length % 3 !== 0) {
    throw new RangeError(`voxels must have three numbers for each cell, but has ${cells.length}`);
  }
  const sizes = (['x', 'y', 'z'] as const).map((axis) =>
    positive(`voxelSize.${axis}`, vector('voxelSize', size)[axis]),
  );
  const isOfCells = cells instanceof Int32Array;
  return {
    type: ShapeType.Voxels,
    sizes,
    vertices: isOfCells ? NO_VERTICES : numbersOf('voxels', cells),
    // In the same bits.
    indices: isOfCells ? new Uint32Array(cells.slice().buffer) : NO_INDICES,
  };
}

/** Types of shapes that the engine refuses as parts of another. */
const COMPOSITE: ReadonlySet<number> = new Set([
  ShapeType.Polyline,
  ShapeType.TriMesh,
  ShapeType.HeightField,
  ShapeType.Compound,
  ShapeType.Voxels,
]);

/** @param shapes Must not have parts themselves. */
export function compound(
  shapes: readonly ShapeData[],
  translations: readonly Readonly<Vector>[],
  rotations: readonly Readonly<Rotation>[],
): ShapeData {
  if (shapes.length === 0) throw new RangeError('shapes must have at least one shape');
  for (const [name, list] of Object.entries({ positions: translations, rotations })) {
    if (requireList(name, list).length === shapes.length) continue;
    throw new RangeError(
      `${name} must be as many as shapes, which are ${shapes.length}, but are ${list.length}`,
    );
  }
  const parts = shapes.map((shape, index) => {
    if (COMPOSITE.has(shape.type)) {
      throw new RangeError(
        `shapes[${index}] consists of several shapes itself: give the body another collider with it`,
      );
    }
    return {
      shape,
      translation: vector(`positions[${index}]`, translations[index] as Vector),
      rotation: rotation(`rotations[${index}]`, rotations[index] as Rotation),
    };
  });
  return {
    type: ShapeType.Compound,
    sizes: [],
    vertices: NO_VERTICES,
    indices: NO_INDICES,
    parts,
  };
}

/** Whether what is scaled so has no volume. */
export const isFlat = ({ x, y, z }: Readonly<Vector>): boolean => x * y * z === 0;

const SCALABLE: ReadonlySet<number> = new Set([
  ShapeType.Segment,
  ShapeType.Polyline,
  ShapeType.Triangle,
  ShapeType.RoundTriangle,
  ShapeType.TriMesh,
  ShapeType.ConvexPolyhedron,
  ShapeType.RoundConvexPolyhedron,
]);

/** @throws RangeError for a factor of 0, or one that leaves no volume; Error for a shape that is not made of points. */
export function withScale(shape: ShapeData, factors: Readonly<Vector>): ShapeData {
  if (!SCALABLE.has(shape.type)) {
    throw new Error('setShapeScale is for shapes that are made of points: give others their sizes');
  }
  const scale = vector('scale', factors);
  const points = scaled(shape.vertices, scale);
  if ([scale.x, scale.y, scale.z].some((factor) => Math.fround(factor) === 0)) {
    throw new RangeError('scale must have no factor of 0: the shape would be flat');
  }
  const wrong = firstInfinite(points);
  if (wrong >= 0) throw new RangeError(`scale makes vertices[${wrong}] larger than 32 bits hold`);
  const isConvex =
    shape.type === ShapeType.ConvexPolyhedron || shape.type === ShapeType.RoundConvexPolyhedron;
  if (isConvex) requireVolume(points);
  return { ...shape, scale };
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
  flags?: number,
): ShapeData {
  integer('nrows', rows, 1, 2 ** 16);
  integer('ncols', columns, 1, 2 ** 16);
  const expected = (rows + 1) * (columns + 1);
  if (heights.length !== expected) {
    throw new RangeError(
      `heights must have (nrows + 1) × (ncols + 1) = ${expected} numbers, but has ${heights.length}`,
    );
  }
  const sizes = [
    rows,
    columns,
    notNegative('scale.x', scale.x),
    notNegative('scale.y', scale.y),
    notNegative('scale.z', scale.z),
    ...(flags === undefined ? [] : [flagsOf(flags)]),
  ];
  const values = numbersOf('heights', heights);
  return {
    type: ShapeType.HeightField,
    sizes,
    vertices: values,
    indices: NO_INDICES,
  };
}

/** As a size, which is a float of 32 bits. */
const flagsOf = (flags: number): number => integer('flags', flags, 0, 255);

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
  const wrong = firstInfinite(numbers);
  if (wrong >= 0) finite(`${name}[${wrong}]`, Number(values[wrong]));
  return numbers;
}

/** Index of the first number that is NaN or infinite, or −1. A loop, because there may be many numbers. */
function firstInfinite(numbers: Float32Array): number {
  for (let index = 0; index < numbers.length; index++) {
    if (!Number.isFinite(numbers[index])) return index;
  }
  return -1;
}

/** @param each Numbers of a triangle or a segment. */
function indicesOf(indices: Numbers, points: number, each: number): Uint32Array {
  if (indices.length === 0) return NO_INDICES;
  if (indices.length % each !== 0) {
    throw new RangeError(
      `indices must have ${each} numbers for each ${each === 3 ? 'triangle' : 'segment'}, but has ${indices.length}`,
    );
  }
  const numbers = new Uint32Array(indices.length);
  for (let place = 0; place < indices.length; place++) {
    const index = indices[place] as number;
    if (!Number.isInteger(index) || index < 0 || index >= points) {
      requireInteger(`indices[${place}]`, index, 0, points - 1);
    }
    numbers[place] = index;
  }
  return numbers;
}

function requireVolume(points: Float32Array): void {
  if (spansVolume(points)) return;
  throw new RangeError('vertices must span a volume: a convex shape of these would be flat');
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
