/** Makes shapes of what an application passes, checked. Sizes in m or the simulation's own unit. */
import type { Vector } from '../../shared/util/vectors.js';
import { ORIGIN, UPRIGHT } from '../shared/setting-tables.js';
import { scaled, type ShapeData, type ShapePart } from '../shared/shape-data.js';
import {
  argumentsOf,
  SHAPES,
  shapeRowOf,
  type NamedShapeRow,
  type ShapeName,
  type ShapeParameter,
} from '../shared/shape-table.js';
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
import { hasNumber } from './engine-data.js';
import { dataOf, Shape, type AnyShape } from './shape.js';

const NO_VERTICES = new Float32Array(0);
const NO_INDICES = new Uint32Array(0);

type Numbers = ArrayLike<number>;

/**
 * @param args As the class of the shape takes them.
 * @throws TypeError, RangeError naming the first that is wrong.
 */
export const checkedShape = (name: ShapeName, ...args: readonly unknown[]): ShapeData =>
  checked(shapeRowOf(SHAPES[name].type) as NamedShapeRow, args);

/** @throws TypeError if it is no shape. */
export function shapeData(name: string, shape: AnyShape): ShapeData {
  if (shape instanceof Shape) return dataOf(shape);
  const row = hasNumber(shape, 'type') ? shapeRowOf(shape.type) : undefined;
  if (row !== undefined) return checked(row, argumentsOf(row, shape));
  throw new TypeError(
    `${name} must be a shape, such as new Ball(0.5) or the shape of a ColliderDesc`,
  );
}

function checked({ type, parameters }: NamedShapeRow, args: readonly unknown[]): ShapeData {
  const shape: Draft = { type, sizes: [], vertices: NO_VERTICES, indices: NO_INDICES };
  for (const [at, [name, kind]] of parameters.entries()) KEEP[kind](shape, name, args[at] as never);
  return shape;
}

/** A shape of which some parameters have been kept. */
interface Draft {
  readonly type: number;
  readonly sizes: number[];
  vertices: Float32Array;
  indices: Uint32Array;
  parts?: readonly ShapePart[];
}

type Keep<T> = (shape: Draft, name: string, value: T) => void;

/** Checks a parameter of each kind, and keeps it in the data. */
const KEEP: Readonly<Record<ShapeParameter, Keep<never>>> = {
  x: keepSize,
  y: keepSize,
  z: keepSize,
  corner(shape, name, value: Readonly<Vector>) {
    const { x, y, z } = vector(name, value);
    shape.vertices = Float32Array.of(...shape.vertices, x, y, z);
  },
  points(shape, name, value: Numbers) {
    shape.vertices = pointsOf(name, value);
  },
  solid(shape, name, value: Numbers) {
    shape.vertices = pointsOf(name, value);
    requireVolume(shape.vertices);
  },
  triangles(shape, name, value: Numbers) {
    shape.indices = indicesOf(shape, value, 3);
    if (value.length === 0) throw new RangeError(`${name} must have at least one triangle`);
  },
  sides(shape, _name, value: Numbers | null | undefined) {
    shape.indices = indicesOf(shape, value ?? NO_INDICES, 3);
  },
  segments(shape, _name, value: Numbers | null | undefined) {
    shape.indices = indicesOf(shape, value ?? NO_INDICES, 2);
  },
  count({ sizes }, name, value: number) {
    sizes.push(integer(name, value, 1, 2 ** 16));
  },
  heights(shape, name, value: Numbers) {
    const [rows = 0, columns = 0] = shape.sizes;
    const expected = (rows + 1) * (columns + 1);
    if (value.length !== expected) {
      throw new RangeError(
        `${name} must have (nrows + 1) × (ncols + 1) = ${expected} numbers, but has ${value.length}`,
      );
    }
    shape.vertices = numbersOf(name, value);
  },
  extents: keepSizes(notNegative),
  cells(shape, _name, value: Float32Array | Int32Array) {
    if (value.length === 0 || value.length % 3 !== 0) {
      throw new RangeError(`voxels must have three numbers for each cell, but has ${value.length}`);
    }
    // Whole numbers of cells in the same bits, or points within the cells.
    if (value instanceof Int32Array) shape.indices = new Uint32Array(value.slice().buffer);
    else shape.vertices = numbersOf('voxels', value);
  },
  cellSize: keepSizes(positive),
  normal({ sizes }, name, value: Readonly<Vector>) {
    const { x, y, z } = direction(name, value);
    const length = Math.hypot(x, y, z);
    sizes.push(x / length, y / length, z / length);
  },
  flags({ sizes }, name, value: number | undefined) {
    // As a size, which is a float of 32 bits.
    if (value !== undefined) sizes.push(integer(name, value, 0, 255));
  },
  shapes(shape, name, value: readonly AnyShape[]) {
    shape.parts = requireList<AnyShape>(name, value).map((each, index) => {
      const part = shapeData(`${name}[${index}]`, each);
      if (shapeRowOf(part.type)?.isComposite !== true) {
        return { shape: part, translation: ORIGIN, rotation: UPRIGHT };
      }
      throw new RangeError(
        `${name}[${index}] consists of several shapes itself: give the body another collider with it`,
      );
    });
    if (shape.parts.length === 0) throw new RangeError(`${name} must have at least one shape`);
  },
  positions: keepOfParts('translation', vector),
  rotations: keepOfParts('rotation', rotation),
};

function keepSize({ sizes }: Draft, name: string, value: number): void {
  sizes.push(notNegative(name, value));
}

function keepSizes(check: (name: string, size: number) => number): Keep<Readonly<Vector>> {
  return ({ sizes }, name, value) => {
    const { x, y, z } = vector(name, value);
    sizes.push(check(`${name}.x`, x), check(`${name}.y`, y), check(`${name}.z`, z));
  };
}

function keepOfParts<T>(
  property: 'translation' | 'rotation',
  check: (name: string, value: T) => T,
): Keep<readonly T[]> {
  return ({ parts = [] }, name, value) => {
    if (requireList(name, value).length !== parts.length) {
      throw new RangeError(
        `${name} must be as many as shapes, which are ${parts.length}, but are ${value.length}`,
      );
    }
    for (const [index, part] of parts.entries()) {
      Object.assign(part, { [property]: check(`${name}[${index}]`, value[index] as T) });
    }
  };
}

/** Whether what is scaled so has no volume. */
export const isFlat = ({ x, y, z }: Readonly<Vector>): boolean => x * y * z === 0;

/** @throws RangeError for a factor of 0, or one that leaves no volume; Error for a shape that is not made of points. */
export function withScale(shape: ShapeData, factors: Readonly<Vector>): ShapeData {
  const kinds = new Set(shapeRowOf(shape.type)?.parameters.map(([, kind]) => kind));
  // Not those that were made of parts, which have no vertices.
  const isOfPieces = kinds.has('shapes') && shape.vertices.length > 0;
  if (!kinds.has('corner') && !kinds.has('points') && !kinds.has('solid') && !isOfPieces) {
    throw new Error('setShapeScale is for shapes that are made of points: give others their sizes');
  }
  const scale = vector('scale', factors);
  const points = scaled(shape.vertices, scale);
  if ([scale.x, scale.y, scale.z].some((factor) => Math.fround(factor) === 0)) {
    throw new RangeError('scale must have no factor of 0: the shape would be flat');
  }
  const wrong = firstInfinite(points);
  if (wrong >= 0) throw new RangeError(`scale makes vertices[${wrong}] larger than 32 bits hold`);
  if (kinds.has('solid')) requireVolume(points);
  return { ...shape, scale };
}

function pointsOf(name: string, points: Numbers): Float32Array {
  if (points.length === 0 || points.length % 3 !== 0) {
    throw new RangeError(
      `${name} must have three numbers for each point, but has ${points.length}`,
    );
  }
  return numbersOf(name, points);
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
function indicesOf({ vertices }: Draft, indices: Numbers, each: 2 | 3): Uint32Array {
  if (indices.length === 0) return NO_INDICES;
  if (indices.length % each !== 0) {
    throw new RangeError(
      `indices must have ${each} numbers for each ${each === 3 ? 'triangle' : 'segment'}, but has ${indices.length}`,
    );
  }
  const points = vertices.length / 3;
  const numbers = new Uint32Array(indices.length);
  for (let at = 0; at < indices.length; at++) {
    const index = indices[at] as number;
    if (!Number.isInteger(index) || index < 0 || index >= points) {
      requireInteger(`indices[${at}]`, index, 0, points - 1);
    }
    numbers[at] = index;
  }
  return numbers;
}

/** @throws RangeError if points are in a plane. */
export function requireVolume(points: Float32Array): void {
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
