/** Shapes by Rapier's names, for queries and descriptions of colliders. Sizes in m or the simulation's own unit. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { ShapeData } from '../shared/shape-data.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import { ShapeType } from './constants.js';
import { hasNumber, type EngineShape } from './engine-data.js';
import type {
  PointProjection,
  RayData,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from './query-types.js';
import {
  compound,
  convex,
  corners,
  halfspace,
  heightfield,
  polyline,
  sized,
  trimesh,
  voxels,
} from './checked-shapes.js';
import { requireList } from '../../shared/util/validate.js';

/** Rapier's class. */
type AnsweringShape = InstanceType<Rapier['Shape']>;

let dataOf: (shape: Shape) => ShapeData;
let engineShapeOf: ((data: ShapeData) => AnsweringShape) | undefined;

/** The page's engine has loaded. */
export function setShapeAnswers(of: (data: ShapeData) => AnsweringShape): void {
  engineShapeOf = of;
}

/**
 * A shape without a place, made by one of the classes that extend it, or by a description of a collider, which has it as
 * its `shape`.
 */
export class Shape {
  readonly #data: ShapeData;

  static {
    dataOf = (shape) => shape.#data;
  }

  /** @internal */
  constructor(data: ShapeData) {
    this.#data = data;
  }

  /** Type of the shape. */
  get type(): ShapeType {
    return this.#data.type as ShapeType;
  }

  /**
   * Where it and another shape meet when both move; null if they do not.
   *
   * @param targetDistance A distance that counts as a hit, from 0, in m or the simulation's own unit.
   * @param maxToi How many times their velocities they move, from 0.
   * @throws Error until the page's engine has loaded; so do all of these.
   */
  castShape(
    shapePos1: Vector,
    shapeRot1: Rotation,
    shapeVel1: Vector,
    shape2: AnyShape,
    shapePos2: Vector,
    shapeRot2: Rotation,
    shapeVel2: Vector,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
  ): ShapeCastHit | null {
    return this.#engine().castShape(
      shapePos1,
      shapeRot1,
      shapeVel1,
      engineOf('shape2', shape2),
      shapePos2,
      shapeRot2,
      shapeVel2,
      targetDistance,
      maxToi,
      stopAtPenetration,
    );
  }

  /** Whether it overlaps another shape. */
  intersectsShape(
    shapePos1: Vector,
    shapeRot1: Rotation,
    shape2: AnyShape,
    shapePos2: Vector,
    shapeRot2: Rotation,
  ): boolean {
    const other = engineOf('shape2', shape2);
    return this.#engine().intersectsShape(shapePos1, shapeRot1, other, shapePos2, shapeRot2);
  }

  /**
   * How it and another shape touch; null if they are farther apart than the prediction.
   *
   * @param prediction From 0, in m or the simulation's own unit.
   */
  contactShape(
    shapePos1: Vector,
    shapeRot1: Rotation,
    shape2: AnyShape,
    shapePos2: Vector,
    shapeRot2: Rotation,
    prediction: number,
  ): ShapeContact | null {
    return this.#engine().contactShape(
      shapePos1,
      shapeRot1,
      engineOf('shape2', shape2),
      shapePos2,
      shapeRot2,
      prediction,
    );
  }

  /** Whether a point is inside of it. */
  containsPoint(...args: Parameters<AnsweringShape['containsPoint']>): boolean {
    return this.#engine().containsPoint(...args);
  }

  /** Its point that is nearest to another one. */
  projectPoint(...args: Parameters<AnsweringShape['projectPoint']>): PointProjection {
    return this.#engine().projectPoint(...args);
  }

  /** Whether a ray hits it. @param maxToi How many times its direction the ray goes, from 0. */
  intersectsRay(ray: RayData, shapePos: Vector, shapeRot: Rotation, maxToi: number): boolean {
    return this.#engine().intersectsRay(ray as never, shapePos, shapeRot, maxToi);
  }

  /** How many times its direction a ray goes until it hits; −1 if it does not. */
  castRay(
    ray: RayData,
    shapePos: Vector,
    shapeRot: Rotation,
    maxToi: number,
    solid: boolean,
  ): number {
    return this.#engine().castRay(ray as never, shapePos, shapeRot, maxToi, solid);
  }

  /** Like {@link castRay}, with the normal of what is hit. @param maxToi How many times its direction the ray goes, from 0. */
  castRayAndGetNormal(
    ray: RayData,
    shapePos: Vector,
    shapeRot: Rotation,
    maxToi: number,
    solid: boolean,
  ): RayIntersection | null {
    return this.#engine().castRayAndGetNormal(ray as never, shapePos, shapeRot, maxToi, solid);
  }

  #engine(): AnsweringShape {
    return engineOf('shape', this);
  }
}

/** A shape of this library, or one of Rapier's own classes. */
export type AnyShape = Shape | EngineShape;

/** @throws Error until the page's engine has loaded. */
function engineOf(name: string, shape: AnyShape): AnsweringShape {
  if (engineShapeOf !== undefined) return engineShapeOf(shapeData(name, shape));
  throw new Error(
    'shapes answer when the page has an engine: createWorld({ queries: true }), and await world.ready',
  );
}

/** @throws TypeError if it is no shape. */
export function shapeData(name: string, shape: AnyShape): ShapeData {
  if (shape instanceof Shape) return dataOf(shape);
  const own = hasNumber(shape, 'type') ? fromEngine(shape as never) : undefined;
  if (own !== undefined) return dataOf(own);
  throw new TypeError(
    `${name} must be a shape, such as new Ball(0.5) or the shape of a ColliderDesc`,
  );
}

/** A ball. */
export class Ball extends Shape {
  /**
   * @param radius From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(radius: number) {
    super(sized(ShapeType.Ball, { radius }));
  }
}

/** A box. */
export class Cuboid extends Shape {
  /**
   * @param hx Half of its size along x, from 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(hx: number, hy: number, hz: number) {
    super(sized(ShapeType.Cuboid, { hx, hy, hz }));
  }
}

/** A box with a border around it. */
export class RoundCuboid extends Shape {
  /**
   * @param hx Half of its size along x without the border, from 0, in m or the simulation's own unit.
   * @param borderRadius From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(hx: number, hy: number, hz: number, borderRadius: number) {
    super(sized(ShapeType.RoundCuboid, { hx, hy, hz, borderRadius }));
  }
}

/** A capsule along y. */
export class Capsule extends Shape {
  /**
   * @param halfHeight Of the cylinder between its half balls, from 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number) {
    super(sized(ShapeType.Capsule, { halfHeight, radius }));
  }
}

/** A cylinder along y. */
export class Cylinder extends Shape {
  /**
   * @param halfHeight From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number) {
    super(sized(ShapeType.Cylinder, { halfHeight, radius }));
  }
}

/** A cylinder along y with a border around it. */
export class RoundCylinder extends Shape {
  /**
   * @param halfHeight Without the border, from 0, in m or the simulation's own unit.
   * @param borderRadius From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number, borderRadius: number) {
    super(sized(ShapeType.RoundCylinder, { halfHeight, radius, borderRadius }));
  }
}

/** A cone along y, its tip up. */
export class Cone extends Shape {
  /**
   * @param halfHeight From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number) {
    super(sized(ShapeType.Cone, { halfHeight, radius }));
  }
}

/** A cone along y with a border around it. */
export class RoundCone extends Shape {
  /**
   * @param halfHeight Without the border, from 0, in m or the simulation's own unit.
   * @param borderRadius From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number, borderRadius: number) {
    super(sized(ShapeType.RoundCone, { halfHeight, radius, borderRadius }));
  }
}

/** A convex shape. */
export class ConvexPolyhedron extends Shape {
  /**
   * @param vertices Three numbers for each point.
   * @param indices Three for each triangle. Default: the hull of the points.
   * @throws RangeError if the points span no volume, or there is no such point.
   */
  constructor(vertices: ArrayLike<number>, indices?: ArrayLike<number> | null) {
    super(convex(vertices, indices));
  }
}

/** A convex shape with a border around it. */
export class RoundConvexPolyhedron extends Shape {
  /**
   * @param vertices Three numbers for each point.
   * @param indices Three for each triangle; null or undefined: the hull of the points.
   * @param borderRadius From 0, in m or the simulation's own unit.
   * @throws RangeError if the points span no volume, or there is no such point.
   */
  constructor(
    vertices: ArrayLike<number>,
    indices: ArrayLike<number> | null | undefined,
    borderRadius: number,
  ) {
    super(convex(vertices, indices, borderRadius));
  }
}

/** Triangles. */
export class TriMesh extends Shape {
  /**
   * @param vertices Three numbers for each point.
   * @param indices Three for each triangle.
   * @param flags `TriMeshFlags`, 0 to 255. Default: the engine's.
   * @throws RangeError if there is no such point, or no triangle.
   */
  constructor(vertices: ArrayLike<number>, indices: ArrayLike<number>, flags?: number) {
    super(trimesh(vertices, indices, flags));
  }
}

/** Segments. */
export class Polyline extends Shape {
  /**
   * @param vertices Three numbers for each point.
   * @param indices Two for each segment. Default: from each point to the next.
   * @throws RangeError if there is no such point.
   */
  constructor(vertices: ArrayLike<number>, indices?: ArrayLike<number> | null) {
    super(polyline(vertices, indices));
  }
}

/** Ground of squares. */
export class Heightfield extends Shape {
  /**
   * @param nrows Number of squares along z, 1 to 65536.
   * @param ncols Number of squares along x, 1 to 65536.
   * @param heights (nrows + 1) × (ncols + 1) numbers, column by column.
   * @param scale Its whole size along x and z, and a factor of the heights.
   * @param flags `HeightFieldFlags`, 0 to 255. Default: the engine's.
   * @throws RangeError for another number of heights.
   */
  constructor(
    nrows: number,
    ncols: number,
    heights: ArrayLike<number>,
    scale: Readonly<Vector>,
    flags?: number,
  ) {
    super(heightfield(nrows, ncols, heights, scale, flags));
  }
}

/** Everything below a plane through the origin. It has no mass. */
export class HalfSpace extends Shape {
  /**
   * @param normal The way out, of any length.
   * @throws RangeError if its length is 0.
   */
  constructor(normal: Readonly<Vector>) {
    super(halfspace(normal));
  }
}

/** A segment between two points. It has no mass. */
export class Segment extends Shape {
  /**
   * @param a In m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(a: Readonly<Vector>, b: Readonly<Vector>) {
    super(corners(ShapeType.Segment, { a, b }));
  }
}

/** A triangle. It has no mass. */
export class Triangle extends Shape {
  /**
   * @param a A corner, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(a: Readonly<Vector>, b: Readonly<Vector>, c: Readonly<Vector>) {
    super(corners(ShapeType.Triangle, { a, b, c }));
  }
}

/** A triangle with a border around it. It has no mass. */
export class RoundTriangle extends Shape {
  /**
   * @param a A corner, in m or the simulation's own unit.
   * @param borderRadius From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(a: Readonly<Vector>, b: Readonly<Vector>, c: Readonly<Vector>, borderRadius: number) {
    super(corners(ShapeType.RoundTriangle, { a, b, c }, borderRadius));
  }
}

/** Boxes of one size in a grid. Rapier 0.20 fails when they meet a half space. */
export class Voxels extends Shape {
  /**
   * @param data Three numbers for each box: whole numbers of its cell in an `Int32Array`, or a point within it in a
   *   `Float32Array`.
   * @param voxelSize Of a box, greater than 0, in m or the simulation's own unit.
   * @throws RangeError if there is no box.
   */
  constructor(data: Float32Array | Int32Array, voxelSize: Readonly<Vector>) {
    super(voxels(data, voxelSize));
  }
}

/** Several shapes as one. */
export class Compound extends Shape {
  /**
   * @param shapes None that consist of several shapes themselves.
   * @param positions Of each, in m or the simulation's own unit.
   * @param rotations Of each.
   * @throws RangeError if there are none, or not as many positions or rotations.
   */
  constructor(
    shapes: readonly AnyShape[],
    positions: readonly Readonly<Vector>[],
    rotations: readonly Readonly<Rotation>[],
  ) {
    const parts = requireList<AnyShape>('shapes', shapes).map((shape, index) =>
      shapeData(`shapes[${index}]`, shape),
    );
    super(compound(parts, positions, rotations));
  }
}

/** Properties of shapes of Rapier: each type has some of them. */
type ShapeProperties = Readonly<
  Record<'radius' | 'halfHeight' | 'borderRadius' | 'nrows' | 'ncols' | 'flags', number> &
    Record<'halfExtents' | 'a' | 'b' | 'c' | 'normal' | 'scale' | 'voxelSize', Vector> &
    Record<'vertices' | 'heights' | 'data', Float32Array> & {
      indices: Uint32Array;
      shapes: EngineShape[];
      positions: Vector[];
      rotations: Rotation[];
    }
>;

/** The shape class of this file for a shape of Rapier. Undefined: there is no such type. */
function fromEngine(shape: EngineShape & ShapeProperties): Shape | undefined {
  const { radius, halfHeight, borderRadius, halfExtents, a, b, c, vertices, indices } = shape;
  switch (shape.type) {
    case ShapeType.Ball:
      return new Ball(radius);
    case ShapeType.Cuboid:
      return new Cuboid(halfExtents.x, halfExtents.y, halfExtents.z);
    case ShapeType.RoundCuboid:
      return new RoundCuboid(halfExtents.x, halfExtents.y, halfExtents.z, borderRadius);
    case ShapeType.Capsule:
      return new Capsule(halfHeight, radius);
    case ShapeType.Cylinder:
      return new Cylinder(halfHeight, radius);
    case ShapeType.RoundCylinder:
      return new RoundCylinder(halfHeight, radius, borderRadius);
    case ShapeType.Cone:
      return new Cone(halfHeight, radius);
    case ShapeType.RoundCone:
      return new RoundCone(halfHeight, radius, borderRadius);
    case ShapeType.Segment:
      return new Segment(a, b);
    case ShapeType.Triangle:
      return new Triangle(a, b, c);
    case ShapeType.RoundTriangle:
      return new RoundTriangle(a, b, c, borderRadius);
    case ShapeType.ConvexPolyhedron:
      return new ConvexPolyhedron(vertices, indices);
    case ShapeType.RoundConvexPolyhedron:
      return new RoundConvexPolyhedron(vertices, indices, borderRadius);
    case ShapeType.TriMesh:
      return new TriMesh(vertices, indices, shape.flags);
    case ShapeType.Polyline:
      return new Polyline(vertices, indices);
    case ShapeType.HeightField:
      return new Heightfield(shape.nrows, shape.ncols, shape.heights, shape.scale, shape.flags);
    case ShapeType.HalfSpace:
      return new HalfSpace(shape.normal);
    case ShapeType.Voxels:
      return new Voxels(shape.data, shape.voxelSize);
    case ShapeType.Compound:
      return new Compound(shape.shapes, shape.positions, shape.rotations);
    default:
      return undefined;
  }
}
