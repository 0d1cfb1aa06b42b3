/** The classes of shapes, with Rapier's names, for queries and descriptions of colliders. Sizes in m or the simulation's own unit. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { checkedShape } from './checked-shapes.js';
import { Shape, type AnyShape } from './shape.js';

/** A ball. */
export class Ball extends Shape {
  /**
   * @param radius From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(radius: number) {
    super(checkedShape('Ball', radius));
  }
}

/** A box. */
export class Cuboid extends Shape {
  /**
   * @param hx Half of its size along x, from 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(hx: number, hy: number, hz: number) {
    super(checkedShape('Cuboid', hx, hy, hz));
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
    super(checkedShape('RoundCuboid', hx, hy, hz, borderRadius));
  }
}

/** A capsule along y. */
export class Capsule extends Shape {
  /**
   * @param halfHeight Of the cylinder between its half balls, from 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number) {
    super(checkedShape('Capsule', halfHeight, radius));
  }
}

/** A cylinder along y. */
export class Cylinder extends Shape {
  /**
   * @param halfHeight From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number) {
    super(checkedShape('Cylinder', halfHeight, radius));
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
    super(checkedShape('RoundCylinder', halfHeight, radius, borderRadius));
  }
}

/** A cone along y, its tip up. */
export class Cone extends Shape {
  /**
   * @param halfHeight From 0, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(halfHeight: number, radius: number) {
    super(checkedShape('Cone', halfHeight, radius));
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
    super(checkedShape('RoundCone', halfHeight, radius, borderRadius));
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
    super(checkedShape('ConvexPolyhedron', vertices, indices));
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
    super(checkedShape('RoundConvexPolyhedron', vertices, indices, borderRadius));
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
    super(checkedShape('TriMesh', vertices, indices, flags));
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
    super(checkedShape('Polyline', vertices, indices));
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
    super(checkedShape('HeightField', nrows, ncols, heights, scale, flags));
  }
}

/** Everything below a plane through the origin. It has no mass. */
export class HalfSpace extends Shape {
  /**
   * @param normal The way out, of any length.
   * @throws RangeError if its length is 0.
   */
  constructor(normal: Readonly<Vector>) {
    super(checkedShape('HalfSpace', normal));
  }
}

/** A segment between two points. It has no mass. */
export class Segment extends Shape {
  /**
   * @param a In m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(a: Readonly<Vector>, b: Readonly<Vector>) {
    super(checkedShape('Segment', a, b));
  }
}

/** A triangle. It has no mass. */
export class Triangle extends Shape {
  /**
   * @param a A corner, in m or the simulation's own unit.
   * @throws TypeError, RangeError for anything else.
   */
  constructor(a: Readonly<Vector>, b: Readonly<Vector>, c: Readonly<Vector>) {
    super(checkedShape('Triangle', a, b, c));
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
    super(checkedShape('RoundTriangle', a, b, c, borderRadius));
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
    super(checkedShape('Voxels', data, voxelSize));
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
    super(checkedShape('Compound', shapes, positions, rotations));
  }
}
