/** Shapes of colliders from geometries of three.js. */
import type { Vector } from '../shared/util/vectors.js';
import { type BufferGeometry, type Mesh, type Object3D, Vector3 } from 'three';
import { isDevelopment } from '../shared/util/development.js';
import { requireChoice } from '../shared/util/validate.js';
import { ColliderDesc } from '../world/page/index.js';
import { ofShape } from '../world/page/collider-desc.js';
import { piecesOf } from '../world/page/pieces.js';
import {
  type Drawn,
  drawnOf,
  isMesh,
  LINE_TYPES,
  nameOf,
  radiusAround,
  requireDrawn,
  sheared,
  warnOfShear,
} from './drawn-geometry.js';
import { decomposed, matrixInScene, type Stretch } from './scene-space.js';

/**
 * The shape of a collider that is made of a geometry:
 *
 * - `ball`: the smallest ball around the center of its box that contains it.
 * - `cuboid`: its box.
 * - `hull`: its convex hull.
 * - `trimesh`: its triangles, which are hollow: for what does not move.
 * - `pieces`: convex pieces of it, which are there later, as those of `ColliderDesc.convexDecomposition`: for what is concave
 *   and moves.
 */
export type ShapeKind = 'ball' | 'cuboid' | 'hull' | 'trimesh' | 'pieces';

const KINDS: readonly ShapeKind[] = ['ball', 'cuboid', 'hull', 'trimesh', 'pieces'];

type Triple = [x: number, y: number, z: number];

/** The drawn part of a geometry, at the scale of its mesh. */
interface Measured {
  readonly geometry: BufferGeometry;
  readonly drawn: Drawn;
  readonly scale: Readonly<Vector>;
  /** Corners of its box. */
  readonly min: Triple;
  readonly max: Triple;
}

type Parameters = Readonly<Record<string, number | undefined>>;

/** How far, relative to its size, a geometry may be off what its parameters say. */
const TOLERANCE = 1e-4;

/** Solids of which the hull is the shape itself. */
const CONVEX_TYPES = new Set([
  'TetrahedronGeometry',
  'OctahedronGeometry',
  'DodecahedronGeometry',
  'PolyhedronGeometry',
]);

/**
 * Describes a collider with the shape of what is drawn of a geometry: the triangles of its index within its draw range, and
 * no point that none of them uses. Interleaved and normalized attributes are fine. Morph targets and bones count if you pass
 * the mesh: its points are then where three.js draws them now, and its groups count if it has several materials.
 *
 * Without a kind, the type of the geometry and its parameters choose: BoxGeometry becomes a cuboid, RoundedBoxGeometry a
 * round cuboid, SphereGeometry and IcosahedronGeometry a ball, CapsuleGeometry a capsule, CylinderGeometry a cylinder or
 * a cone, ConeGeometry a cone, other polyhedra their hull, and everything else its triangles. Where a scale or a later
 * change, such as `geometry.translate`, or a pose makes something else of one of these solids, it becomes its hull.
 *
 * @param source A mesh with a parent whose scale shears it has the shape that is drawn, or a ball or box around that.
 * @param kind Default: by the type of the geometry.
 * @param scale The scale of the mesh, factors along x, y and z. Default: that of the mesh in its scene; 1 for a geometry.
 * @throws TypeError for a geometry without positions that the page can read, or of lines.
 * @throws RangeError for an unknown kind, a point that is not finite, an index without a point, or if there is no such shape:
 *   nothing is drawn, no volume for a hull, or a scale of 0.
 */
export function shapeOf(
  source: BufferGeometry | Mesh,
  kind?: ShapeKind,
  scale?: Readonly<Vector>,
): ColliderDesc {
  requireKind(kind);
  if (!isMesh(source) && !('isBufferGeometry' in source)) {
    throw new TypeError(
      `source must be a Mesh or a BufferGeometry, but is a ${(source as Object3D).type}`,
    );
  }
  const drawn = drawnOf(source);
  const isOfMesh = scale === undefined && isMesh(source);
  const ofCaller = { scale: new Vector3().copy(scale ?? UNSCALED) };
  const stretch = isOfMesh ? decomposed(matrixInScene(source)) : ofCaller;
  return shapeOfDrawn(source, drawn, kind, stretch);
}

/** @throws RangeError for an unknown kind. */
export function requireKind(kind: ShapeKind | undefined): void {
  if (kind !== undefined) requireChoice('shape', kind, KINDS);
}

const UNSCALED: Readonly<Vector> = { x: 1, y: 1, z: 1 };

/** Like {@link shapeOf}, for what was read already. */
export function shapeOfDrawn(
  source: BufferGeometry | Mesh,
  read: Drawn,
  kind: ShapeKind | undefined,
  { scale: ofStretch, shear }: Stretch,
): ColliderDesc {
  const geometry = isMesh(source) ? source.geometry : source;
  const drawn = shear === undefined ? read : sheared(read, shear);
  const scale = shear === undefined ? ofStretch : UNSCALED;
  if (isDevelopment && shear !== undefined && (kind === 'ball' || kind === 'cuboid')) {
    warnOfShear(nameOf(source));
  }
  for (const axis of ['x', 'y', 'z'] as const) {
    if (Number.isFinite(scale[axis]) && scale[axis] !== 0) continue;
    if (Number.isNaN(scale[axis])) {
      throw new RangeError(
        `the matrix of ${nameOf(source)} has NaN in it: look at its position, rotation and scale, and at those of what is around it`,
      );
    }
    throw new RangeError(
      `scale.${axis} of ${nameOf(geometry)} is ${scale[axis]}: a collider needs a scale other than 0`,
    );
  }
  requireDrawn(drawn, geometry);
  const ends = [drawn.extents.min, drawn.extents.max].map(([x, y, z]): Triple => [
    x * scale.x,
    y * scale.y,
    z * scale.z,
  ]) as [Triple, Triple];
  const [low, high] = ends;
  const min = low.map((end, axis) => Math.min(end, high[axis] as number)) as Triple;
  const max = low.map((end, axis) => Math.max(end, high[axis] as number)) as Triple;
  const measured = { geometry, drawn, scale, min, max };
  switch (kind) {
    case undefined:
      return byType(measured);
    case 'ball':
      return centered(measured, ColliderDesc.ball(positive(measured, radiusOf(measured))));
    case 'cuboid':
      return centered(measured, cuboidAround(measured));
    case 'hull':
      return hull(measured);
    case 'trimesh':
    case 'pieces':
      return ofTriangles(measured, kind);
  }
}

/** Whether a geometry has no solid shape: what moves then needs its hull. */
export const isHollow = ({ type }: BufferGeometry): boolean =>
  !CONVEX_TYPES.has(type) && !Object.hasOwn(SOLIDS, type);

function byType(measured: Measured): ColliderDesc {
  const { type } = measured.geometry;
  if (isHollow(measured.geometry)) return ofTriangles(measured, 'trimesh');
  if (CONVEX_TYPES.has(type) || measured.drawn.isDeformed) return hull(measured);
  const parameters = (measured.geometry as { readonly parameters?: Parameters }).parameters;
  return (parameters && SOLIDS[type]?.(measured, parameters)) ?? hull(measured);
}

/** By the type of the geometry: the shape that its parameters say, if it still has it. */
const SOLIDS: Readonly<
  Record<string, (measured: Measured, parameters: Parameters) => ColliderDesc | undefined>
> = {
  BoxGeometry(measured, { width = 1, height = 1, depth = 1 }) {
    const half = halfSizes(measured, width, height, depth);
    return isBox(measured, half) ? ColliderDesc.cuboid(...half) : undefined;
  },
  RoundedBoxGeometry(measured, { width = 1, height = 1, depth = 1, radius = 0.1 }) {
    const half = halfSizes(measured, width, height, depth);
    const border = Math.min(radius, width / 2, height / 2, depth / 2) * uniform(measured);
    const [x, y, z] = half.map((size) => size - border) as [number, number, number];
    // A round shape needs a uniform scale, and a cuboid inside: it must not be round all over.
    const isRound = border > 0 && Math.min(x, y, z) > 0;
    if (!isRound || !isBox(measured, half)) return undefined;
    return ColliderDesc.roundCuboid(x, y, z, border);
  },
  SphereGeometry: sphere,
  IcosahedronGeometry: sphere,
  CapsuleGeometry(measured, { radius = 1, height, length = 1 }) {
    const scale = uniform(measured);
    const [r, half] = [radius * scale, (Math.max(0, height ?? length) / 2) * scale];
    const isSame =
      isNear(measured.drawn.extents.round * scale, r, r) &&
      isNear(measured.max[1], half + r, r) &&
      isNear(measured.min[1], -half - r, r);
    if (!isSame) return undefined;
    return half > 0 ? ColliderDesc.capsule(half, r) : ColliderDesc.ball(r);
  },
  CylinderGeometry(measured, { radiusTop = 1, radiusBottom = 1, height = 1 }) {
    if (radiusTop === 0) return cone(measured, radiusBottom, height);
    if (radiusTop !== radiusBottom) return undefined;
    return isUpright(measured, radiusTop, height)
      ? ColliderDesc.cylinder(halfHeight(measured, height), radiusTop * roundScale(measured))
      : undefined;
  },
  ConeGeometry: (measured, { radius = 1, height = 1 }) => cone(measured, radius, height),
};

function sphere(measured: Measured, { radius = 1 }: Parameters): ColliderDesc | undefined {
  const { nearest, farthest, min, max } = measured.drawn.extents;
  const size = radius * uniform(measured);
  // Part of one has a box that is off the center, by more than coarse triangles explain.
  const isWhole = min.every((low, axis) => low < -radius / 3 && (max[axis] as number) > radius / 3);
  const isSphere = isNear(nearest, radius, radius) && isNear(farthest, radius, radius) && isWhole;
  return isSphere && size > 0 ? ColliderDesc.ball(size) : undefined;
}

function cone(measured: Measured, radius: number, height: number): ColliderDesc | undefined {
  // A cone collider cannot be upside down.
  if (measured.scale.y < 0 || !isUpright(measured, radius, height)) return undefined;
  return ColliderDesc.cone(halfHeight(measured, height), radius * roundScale(measured));
}

function hull(measured: Measured): ColliderDesc {
  return ofPoints(measured, 'hull', "'cuboid' or 'trimesh'", ({ points }) =>
    ColliderDesc.convexHull(points),
  );
}

function ofTriangles(measured: Measured, kind: 'trimesh' | 'pieces'): ColliderDesc {
  const { geometry } = measured;
  if (LINE_TYPES.has(geometry.type)) {
    throw new TypeError(
      `${nameOf(geometry)} is made of lines: choose the shape 'hull', 'ball' or 'cuboid', or use the geometry that it ` +
        'was made of',
    );
  }
  return ofPoints(measured, kind, "'ball' or 'cuboid'", ({ points, indices }) =>
    kind === 'trimesh'
      ? ColliderDesc.trimesh(points, indices)
      : ofShape(piecesOf(points, indices, undefined, nameOf(geometry))),
  );
}

/** Half of the box, flat ones a little thick. */
function cuboidAround(measured: Measured): ColliderDesc {
  const { min, max } = measured;
  const half = min.map((low, axis) => ((max[axis] as number) - low) / 2) as Triple;
  const thin = positive(measured, Math.hypot(...half)) * 1e-3;
  const [x, y, z] = half.map((size) => Math.max(size, thin)) as Triple;
  return ColliderDesc.cuboid(x, y, z);
}

function radiusOf(measured: Measured): number {
  const { extents, triangles } = measured.drawn;
  const size = uniform(measured);
  const { x, y, z } = measured.scale;
  return size > 0
    ? extents.radius * size
    : radiusAround(triangles().points, extents.center, [x, y, z]);
}

function centered({ min, max }: Measured, desc: ColliderDesc): ColliderDesc {
  const [x, y, z] = min.map((low, axis) => (low + (max[axis] as number)) / 2) as Triple;
  return desc.setTranslation(x, y, z);
}

/** The engine multiplies the points, so that colliders of all sizes have the same ones. */
function ofPoints(
  { geometry, drawn, scale }: Measured,
  kind: 'hull' | 'trimesh' | 'pieces',
  instead: string,
  describe: (triangles: ReturnType<Drawn['triangles']>) => ColliderDesc,
): ColliderDesc {
  try {
    drawn.shapes[kind] ??= describe(drawn.triangles()).shape;
    const desc = new ColliderDesc(drawn.shapes[kind]);
    const isScaled = scale.x !== 1 || scale.y !== 1 || scale.z !== 1;
    return isScaled ? desc.setShapeScale(scale) : desc;
  } catch (error) {
    throw new RangeError(
      `${nameOf(geometry)} has no such shape: ${(error as Error).message}. Choose the shape ${instead}, or add a ` +
        'collider with a ColliderDesc of your own',
      { cause: error },
    );
  }
}

function positive({ geometry }: Measured, radius: number): number {
  if (radius > 0) return radius;
  throw new RangeError(`${nameOf(geometry)} has no size: all of its points are in one place`);
}

/** The factor of a uniform scale; NaN of any other, which makes no shape that needs one. */
function uniform({ scale }: Measured): number {
  const [x, y, z] = [Math.abs(scale.x), Math.abs(scale.y), Math.abs(scale.z)];
  return isNear(y, x, x) && isNear(z, x, x) ? x : Number.NaN;
}

/** Like {@link uniform}, of x and z. */
function roundScale({ scale }: Measured): number {
  const [x, z] = [Math.abs(scale.x), Math.abs(scale.z)];
  return isNear(z, x, x) ? x : Number.NaN;
}

const halfHeight = ({ scale }: Measured, height: number): number =>
  (height / 2) * Math.abs(scale.y);

const halfSizes = (
  { scale }: Measured,
  width: number,
  height: number,
  depth: number,
): [number, number, number] => [
  (width / 2) * Math.abs(scale.x),
  (height / 2) * Math.abs(scale.y),
  (depth / 2) * Math.abs(scale.z),
];

function isBox({ min, max }: Measured, half: readonly number[]): boolean {
  const size = Math.max(...half);
  return half.every(
    (length, axis) => isNear(max[axis], length, size) && isNear(min[axis], -length, size),
  );
}

/** Whether it is round about y, with a radius and a height. */
function isUpright(measured: Measured, radius: number, height: number): boolean {
  const scale = roundScale(measured);
  const r = radius * scale;
  const half = halfHeight(measured, height);
  return (
    isNear(measured.drawn.extents.round * scale, r, r) &&
    isNear(measured.max[1], half, half) &&
    isNear(measured.min[1], -half, half)
  );
}

const isNear = (value: number | undefined, expected: number, size: number): boolean =>
  Math.abs((value ?? Number.NaN) - expected) <= TOLERANCE * size;
