/**
 * The table of shapes: a row says what the constructor of a shape takes. Rapier's constants, the methods of descriptions, the
 * checks, what the engine is given, the sizes of handles, and the components of React follow from it.
 */
import type { Vector } from '../../shared/util/vectors.js';
import { scaled, type ShapeData } from './shape-data.js';

/** A parameter of a constructor: how it is checked, and where the data of a shape has it. */
export type ShapeParameter =
  /** A size, which grows with the scale along this axis. */
  | 'x'
  | 'y'
  | 'z'
  /** A point, one of few. */
  | 'corner'
  /** Three numbers for each point. */
  | 'points'
  /** Points that span a volume. */
  | 'solid'
  /** Three indices of points for each triangle. */
  | 'triangles'
  /** Triangles around a solid, which may be left out. */
  | 'sides'
  /** Two indices of points for each segment, which may be left out. */
  | 'segments'
  /** A number of squares. */
  | 'count'
  /** A number for each corner of the squares. */
  | 'heights'
  /** A size along each axis, from 0. */
  | 'extents'
  /** Three numbers for each cell. */
  | 'cells'
  /** A size along each axis, greater than 0. */
  | 'cellSize'
  /** A direction, of which the data has the unit vector. */
  | 'normal'
  /** Bits that the engine has a default for. */
  | 'flags'
  /** One for each part of a compound shape. */
  | 'shapes'
  | 'positions'
  | 'rotations';

export interface ShapeRow {
  /** Rapier's number, in recordings too. */
  readonly type: number;
  /** The static method of a description that takes the same. Undefined: there is none. */
  readonly describe?: string;
  /** By the names of Rapier's properties, in the order of the constructor. */
  readonly takes: Readonly<Record<string, ShapeParameter>>;
  /** The shape inside of a border, which is the last size. Undefined: it has none. */
  readonly core?: string;
  /** Whether the engine refuses it as a part of another. */
  readonly isComposite?: true;
  /** Rapier's class. Undefined: it has the name of the type. */
  readonly className?: string;
}

const BOX = { hx: 'x', hy: 'y', hz: 'z' } as const;
const ALONG_Y = { halfHeight: 'y', radius: 'x' } as const;
const TRIANGLE = { a: 'corner', b: 'corner', c: 'corner' } as const;
const HULL = { vertices: 'solid', indices: 'sides' } as const;
const BORDER = { borderRadius: 'x' } as const;

/** By the names of Rapier's types. */
export const SHAPES = {
  Ball: { type: 0, describe: 'ball', takes: { radius: 'x' } },
  Cuboid: { type: 1, describe: 'cuboid', takes: BOX },
  Capsule: { type: 2, describe: 'capsule', takes: ALONG_Y },
  Segment: { type: 3, describe: 'segment', takes: { a: 'corner', b: 'corner' } },
  Polyline: {
    type: 4,
    describe: 'polyline',
    takes: { vertices: 'points', indices: 'segments' },
    isComposite: true,
  },
  Triangle: { type: 5, describe: 'triangle', takes: TRIANGLE },
  TriMesh: {
    type: 6,
    describe: 'trimesh',
    takes: { vertices: 'points', indices: 'triangles', flags: 'flags' },
    isComposite: true,
  },
  HeightField: {
    type: 7,
    describe: 'heightfield',
    takes: { nrows: 'count', ncols: 'count', heights: 'heights', scale: 'extents', flags: 'flags' },
    isComposite: true,
    className: 'Heightfield',
  },
  Compound: {
    type: 8,
    describe: 'compound',
    takes: { shapes: 'shapes', positions: 'positions', rotations: 'rotations' },
    isComposite: true,
  },
  ConvexPolyhedron: { type: 9, takes: HULL },
  Cylinder: { type: 10, describe: 'cylinder', takes: ALONG_Y },
  Cone: { type: 11, describe: 'cone', takes: ALONG_Y },
  RoundCuboid: { type: 12, describe: 'roundCuboid', takes: { ...BOX, ...BORDER }, core: 'Cuboid' },
  RoundTriangle: {
    type: 13,
    describe: 'roundTriangle',
    takes: { ...TRIANGLE, ...BORDER },
    core: 'Triangle',
  },
  RoundCylinder: {
    type: 14,
    describe: 'roundCylinder',
    takes: { ...ALONG_Y, ...BORDER },
    core: 'Cylinder',
  },
  RoundCone: { type: 15, describe: 'roundCone', takes: { ...ALONG_Y, ...BORDER }, core: 'Cone' },
  RoundConvexPolyhedron: { type: 16, takes: { ...HULL, ...BORDER }, core: 'ConvexPolyhedron' },
  HalfSpace: { type: 17, takes: { normal: 'normal' } },
  Voxels: {
    type: 18,
    describe: 'voxels',
    takes: { data: 'cells', voxelSize: 'cellSize' },
    isComposite: true,
  },
} as const satisfies Readonly<Record<string, ShapeRow>>;
export type ShapeName = keyof typeof SHAPES;

/** Rapier's numbers of the types. */
export const SHAPE_TYPES = Object.fromEntries(
  Object.entries(SHAPES).map(([name, { type }]) => [name, type]),
) as { readonly [Name in keyof typeof SHAPES]: (typeof SHAPES)[Name]['type'] };

/** A row, with what follows from it. */
export interface NamedShapeRow extends ShapeRow {
  /** The name of Rapier's type. */
  readonly name: ShapeName;
  /** Names and kinds, as a list: thousands of colliders may be made at once. */
  readonly parameters: readonly (readonly [name: string, kind: ShapeParameter])[];
}

/** In the order of their numbers. */
export const SHAPE_ROWS = Object.entries(SHAPES).map(([name, row]) =>
  Object.assign({ name, parameters: Object.entries(row.takes) }, row),
) as readonly NamedShapeRow[];

/** Undefined: there is no such type. */
export const shapeRowOf = (type: number): NamedShapeRow | undefined => SHAPE_ROWS[type];

/** The row of the shape inside of a border. Undefined: it has none. */
export const coreRowOf = (type: number): NamedShapeRow | undefined =>
  SHAPE_ROWS.find(({ name }) => name === SHAPE_ROWS[type]?.core);

/** Whether a size of a shape, such as a radius, is a parameter of this kind. */
export const isSize = (kind: ShapeParameter): kind is 'x' | 'y' | 'z' =>
  kind === 'x' || kind === 'y' || kind === 'z';

/** Arguments of the constructor that made a shape of the engine: they are its properties. */
export function argumentsOf({ parameters }: NamedShapeRow, shape: object): unknown[] {
  const properties = shape as Readonly<Record<string, unknown>>;
  const { x: hx, y: hy, z: hz } = (properties['halfExtents'] ?? {}) as Partial<Vector>;
  const sizes: Readonly<Record<string, unknown>> = { hx, hy, hz };
  return parameters.map(([name]) => properties[name] ?? sizes[name]);
}

/**
 * Arguments of the engine's constructor for the data of a shape.
 *
 * @param make Makes the engine's shape of a part.
 */
export function engineArguments(
  { parameters }: NamedShapeRow,
  shape: ShapeData,
  make: (part: ShapeData) => unknown,
): unknown[] {
  const { sizes, indices, parts = [], vertices } = shape;
  const points = scaled(vertices, shape.scale);
  let [usedSizes, usedCorners] = [0, 0];
  const size = (): number => sizes[usedSizes++] ?? 0;
  return parameters.map(([, kind]) => {
    switch (kind) {
      case 'x':
      case 'y':
      case 'z':
      case 'count':
        return size();
      case 'extents':
      case 'cellSize':
      case 'normal':
        return { x: size(), y: size(), z: size() };
      case 'flags':
        return sizes[usedSizes++];
      case 'corner':
        return pointAt(points, usedCorners++);
      case 'points':
      case 'solid':
        return points;
      case 'triangles':
        return indices;
      case 'sides':
        if (indices.length === 0) return null;
        // A mirrored hull would be inside out.
        return isMirrored(shape.scale) ? indices.toReversed() : indices;
      case 'segments':
        return indices.length === 0 ? null : indices;
      case 'heights':
        return vertices;
      case 'cells':
        return indices.length === 0 ? vertices : new Int32Array(indices.slice().buffer);
      case 'shapes':
        return parts.map((part) => make(part.shape));
      case 'positions':
        return parts.map(({ translation }) => translation);
      case 'rotations':
        return parts.map(({ rotation }) => rotation);
    }
  });
}

const isMirrored = ({ x, y, z }: Readonly<Vector> = { x: 1, y: 1, z: 1 }): boolean => x * y * z < 0;

const pointAt = (points: Float32Array, index: number): Vector => ({
  x: points[3 * index] ?? 0,
  y: points[3 * index + 1] ?? 0,
  z: points[3 * index + 2] ?? 0,
});
