/** Descriptions of colliders, with Rapier's names. They load no engine. */
import { group } from '../../shared/util/options.js';
import { requireObject } from '../../shared/util/validate.js';
import type { Vector, Rotation } from '../../shared/util/vectors.js';
import { settled, type ShapeData } from '../shared/shape-data.js';
import {
  type OneWayFields,
  COLLIDER,
  ORIGIN,
  UPRIGHT,
  type ColliderFields,
} from '../shared/setting-tables.js';
import { SHAPE_ROWS, type ShapeName } from '../shared/shape-table.js';
import { checkedShape, shapeData, withScale } from './checked-shapes.js';
import { direction, massProperties, notNegative, rotation, vector } from './checked-values.js';
import type { CoefficientCombineRule } from './constants.js';
import { fromEngine, type EngineClass, type EngineColliderDesc } from './engine-data.js';
import { piecesOf, type VHACDParameters } from './pieces.js';
import { defineDescription, defineMethods } from './setting-methods.js';
import { Shape, type AnyShape } from './shape.js';

/** From which side a collider holds things: see `ColliderDesc.setOneWay`. */
export interface OneWay {
  /** Where its front is: a direction in the collider's own space, of any length. Default y. */
  readonly axis?: Readonly<Vector> | undefined;
  /**
   * Something that is found in it at first is held if it is at most this deep in its front, and passes otherwise. From 0, in m or the
   * simulation's own unit. Default 0.05.
   */
  readonly margin?: number | undefined;
}

const UP = { x: 0, y: 1, z: 0 } as const;
const OPTIONS = group('a collider', {
  axis: (name: string, value: unknown = UP) => direction(name, value as Vector),
  margin: (name: string, value: unknown = 0.05) => notNegative(name, value as number),
});

/** @param options Null: from all sides. */
export const oneWayFields = (options: OneWay | null): OneWayFields | null =>
  options === null
    ? null
    : OPTIONS('oneWay', requireObject('oneWay', options, ' { axis, margin }'));

/** For the world that makes something of a description: a copy of what was set. */
export let fieldsOfCollider: (desc: ColliderDesc | EngineColliderDesc) => ColliderFields;

/** Like a description, with the settings of a collider that it replaces, apart from its shape and its place. */
export let withSettings: (desc: ColliderDesc, fields: Readonly<ColliderFields>) => ColliderDesc;

/**
 * The description of a collider: each method sets one property and returns the description, which may be used for any
 * number of colliders. Sizes are half the size of a shape, in m or the simulation's own unit.
 *
 * All methods throw TypeError or RangeError, naming the field, for a value of another type, a number that is not finite
 * in 32 bits, or one out of its range.
 */
export class ColliderDesc {
  readonly #fields: ColliderFields;

  static {
    fieldsOfCollider = (desc) =>
      desc instanceof ColliderDesc
        ? { ...desc.#fields, shape: settled(desc.#fields.shape as ShapeData) }
        : fromEngine('desc', desc, OF_RAPIER);
    for (const { name, describe } of SHAPE_ROWS) {
      if (describe === undefined) continue;
      defineMethods(this, { [describe]: (...args: unknown[]) => described(name, ...args) });
    }
    defineDescription(this.prototype, COLLIDER, (desc) => desc.#fields);
    withSettings = (desc, fields) => {
      const made = new ColliderDesc(desc.shape);
      const { shape, translation = ORIGIN, rotation: turn = UPRIGHT } = desc.#fields;
      Object.assign(made.#fields, fields, { shape, translation, rotation: turn });
      return made;
    };
  }

  /** @param shape Such as `new HalfSpace({ x: 0, y: 1, z: 0 })`; there are static methods for most. */
  constructor(shape: AnyShape) {
    this.#fields = { shape: shapeData('shape', shape) };
  }

  /** For queries, and for {@link compound}. */
  get shape(): Shape {
    return new Shape(this.#fields.shape as ShapeData);
  }

  /** @param radius From 0, in m or the simulation's own unit. */
  declare static readonly ball: (radius: number) => ColliderDesc;

  /** @param hx Half of its size along x, from 0, in m or the simulation's own unit. */
  declare static readonly cuboid: (hx: number, hy: number, hz: number) => ColliderDesc;

  /**
   * A cuboid with a border of a radius around it.
   *
   * @param hx Half of its size along x without the border, from 0, in m or the simulation's own unit.
   */
  declare static readonly roundCuboid: (
    hx: number,
    hy: number,
    hz: number,
    borderRadius: number,
  ) => ColliderDesc;

  /**
   * Along y.
   *
   * @param halfHeight Of the cylinder between its half balls, from 0, in m or the simulation's own unit.
   */
  declare static readonly capsule: (halfHeight: number, radius: number) => ColliderDesc;

  /**
   * Along y.
   *
   * @param halfHeight From 0, in m or the simulation's own unit.
   */
  declare static readonly cylinder: (halfHeight: number, radius: number) => ColliderDesc;

  /**
   * A cylinder with a border of a radius around it.
   *
   * @param halfHeight Without the border, from 0, in m or the simulation's own unit.
   */
  declare static readonly roundCylinder: (
    halfHeight: number,
    radius: number,
    borderRadius: number,
  ) => ColliderDesc;

  /**
   * Along y, its tip up.
   *
   * @param halfHeight From 0, in m or the simulation's own unit.
   */
  declare static readonly cone: (halfHeight: number, radius: number) => ColliderDesc;

  /**
   * A cone with a border of a radius around it.
   *
   * @param halfHeight Without the border, from 0, in m or the simulation's own unit.
   */
  declare static readonly roundCone: (
    halfHeight: number,
    radius: number,
    borderRadius: number,
  ) => ColliderDesc;

  /**
   * The convex hull of points, three numbers each.
   *
   * @throws RangeError if they span no volume.
   */
  static convexHull(points: ArrayLike<number>): ColliderDesc {
    return described('ConvexPolyhedron', points);
  }

  /**
   * A shape that is known to be convex.
   *
   * @param vertices Three numbers for each point.
   * @param indices Three for each triangle. Default: the hull of the points.
   * @throws RangeError if the points span no volume, or there is no such point.
   */
  static convexMesh(vertices: ArrayLike<number>, indices?: ArrayLike<number> | null): ColliderDesc {
    return described('ConvexPolyhedron', vertices, indices);
  }

  /**
   * Like {@link convexHull}, with a border around it.
   *
   * @param borderRadius From 0, in m or the simulation's own unit.
   * @throws RangeError if the points span no volume.
   */
  static roundConvexHull(points: ArrayLike<number>, borderRadius: number): ColliderDesc {
    return described('RoundConvexPolyhedron', points, undefined, borderRadius);
  }

  /**
   * Like {@link convexMesh}, with a border around it.
   *
   * @param borderRadius From 0, in m or the simulation's own unit.
   * @throws RangeError if the points span no volume, or there is no such point.
   */
  static roundConvexMesh(
    vertices: ArrayLike<number>,
    indices: ArrayLike<number> | null,
    borderRadius: number,
  ): ColliderDesc {
    return described('RoundConvexPolyhedron', vertices, indices, borderRadius);
  }

  /**
   * Triangles: for what does not move.
   *
   * @param vertices Three numbers for each point.
   * @param indices Three for each triangle.
   * @param flags `TriMeshFlags`, 0 to 255. Default: the engine's.
   * @throws RangeError if there is no such point, or no triangle.
   */
  declare static readonly trimesh: (
    vertices: ArrayLike<number>,
    indices: ArrayLike<number>,
    flags?: number,
  ) => ColliderDesc;

  /**
   * Convex pieces of a mesh, as one shape: for concave things that move. A separate worker computes them, once for equal meshes: `shape.ready`
   * tells when. Until then, a new dynamic body with them waits in its place, as if it were made later, and so does what is new
   * and joined to it.
   *
   * @param vertices Three numbers for each point.
   * @param indices Three for each triangle.
   * @param parameters Taken as they are, as by Rapier. `shape.ready` rejects if the engine fails with them.
   * @throws RangeError if the points span no volume, there is no such point, or no triangle.
   */
  static convexDecomposition(
    vertices: ArrayLike<number>,
    indices: ArrayLike<number>,
    parameters?: VHACDParameters,
  ): ColliderDesc {
    return ofShape(piecesOf(vertices, indices, parameters));
  }

  /** A segment between two points, in m or the simulation's own unit. It has no mass. */
  declare static readonly segment: (a: Readonly<Vector>, b: Readonly<Vector>) => ColliderDesc;

  /** A triangle, by its corners in m or the simulation's own unit. It has no mass. */
  declare static readonly triangle: (
    a: Readonly<Vector>,
    b: Readonly<Vector>,
    c: Readonly<Vector>,
  ) => ColliderDesc;

  /**
   * A triangle with a border around it.
   *
   * @param borderRadius From 0, in m or the simulation's own unit.
   */
  declare static readonly roundTriangle: (
    a: Readonly<Vector>,
    b: Readonly<Vector>,
    c: Readonly<Vector>,
    borderRadius: number,
  ) => ColliderDesc;

  /**
   * Boxes of one size in a grid. Rapier 0.20 fails when they meet a half space.
   *
   * @param cells Three numbers for each box: whole numbers of its cell in an `Int32Array`, or a point within it in a
   *   `Float32Array`.
   * @param voxelSize Of a box, greater than 0, in m or the simulation's own unit.
   * @throws RangeError if there is no box.
   */
  declare static readonly voxels: (
    cells: Float32Array | Int32Array,
    voxelSize: Readonly<Vector>,
  ) => ColliderDesc;

  /**
   * Several shapes as one.
   *
   * @param shapes Such as those of other descriptions; none that consist of several shapes themselves.
   * @param positions Of each, in m or the simulation's own unit.
   * @param rotations Of each.
   * @throws RangeError if there are none, or not as many positions or rotations.
   */
  declare static readonly compound: (
    shapes: readonly AnyShape[],
    positions: readonly Readonly<Vector>[],
    rotations: readonly Readonly<Rotation>[],
  ) => ColliderDesc;

  /**
   * Segments.
   *
   * @param vertices Three numbers for each point.
   * @param indices Two for each segment. Default: from each point to the next.
   * @throws RangeError if there is no such point.
   */
  declare static readonly polyline: (
    vertices: ArrayLike<number>,
    indices?: ArrayLike<number> | null,
  ) => ColliderDesc;

  /**
   * Ground of squares.
   *
   * @param nrows Number of squares along z, 1 to 65536.
   * @param ncols Number of squares along x, 1 to 65536.
   * @param heights (nrows + 1) × (ncols + 1) numbers, column by column.
   * @param scale Its whole size along x and z, and a factor of the heights.
   * @param flags `HeightFieldFlags`, 0 to 255. Default: the engine's.
   * @throws RangeError for another number of heights.
   */
  declare static readonly heightfield: (
    nrows: number,
    ncols: number,
    heights: ArrayLike<number>,
    scale: Readonly<Vector>,
    flags?: number,
  ) => ColliderDesc;

  /**
   * Multiplies the points of a convex shape, of triangles or of segments. Many colliders of different sizes can so have the
   * same points, which are sent and recorded once. A border keeps its radius. Rapier has no such method.
   *
   * @param scale Factors along the shape's own axes, not 0; one that is negative mirrors. Default 1.
   * @throws RangeError for a factor of 0, or one that leaves a convex shape no volume.
   * @throws Error for another shape: it has sizes.
   */
  setShapeScale(scale: Readonly<Vector>): this {
    this.#fields.shape = withScale(this.#fields.shape as ShapeData, scale);
    return this;
  }

  /**
   * Relative to its body, if it has one.
   *
   * @param x In m or the simulation's own unit.
   */
  setTranslation(x: number, y: number, z: number): this {
    this.#fields.translation = vector('translation', { x, y, z });
    return this;
  }

  /** Relative to its body, if it has one. */
  setRotation(value: Readonly<Rotation>): this {
    this.#fields.rotation = rotation('rotation', value);
    return this;
  }

  /**
   * Makes it hold only bodies that meet it from its front, such as a platform that players jump through from below. A body that comes from
   * behind or from a side, more than 60° from the axis, passes until it is outside again, and no collision reports it. Rapier has no
   * such method.
   *
   * @param oneWay Its axis and margin; null: it holds from all sides. Default null.
   */
  setOneWay(oneWay: OneWay | null): this {
    this.#fields.oneWay = oneWayFields(oneWay);
    return this;
  }
}

export interface ColliderDesc {
  /**
   * Replaces a mass.
   *
   * @param density In kg/m³, from 0. Default 1.
   */
  setDensity(density: number): this;
  /**
   * Replaces a density.
   *
   * @param mass In kg, from 0.
   */
  setMass(mass: number): this;
  /**
   * Replaces a density or a mass.
   *
   * @param mass In kg, from 0.
   * @param principalAngularInertia In kg m², about the axes of the frame.
   */
  setMassProperties(
    mass: number,
    centerOfMass: Readonly<Vector>,
    principalAngularInertia: Readonly<Vector>,
    angularInertiaLocalFrame: Readonly<Rotation>,
  ): this;
  /** @param friction A coefficient, any number. Default 0.5. A negative one lowers the average with that of the other. */
  setFriction(friction: number): this;
  /** @param restitution From 0, it does not bounce, to 1, it loses no speed; above, it gains. Default 0. */
  setRestitution(restitution: number): this;
  /**
   * How its friction and that of another one become one. Default `Average`.
   *
   * @throws TypeError, RangeError for anything else.
   */
  setFrictionCombineRule(rule: CoefficientCombineRule): this;
  /**
   * How its restitution and that of another one become one. Default `Average`.
   *
   * @throws TypeError, RangeError for anything else.
   */
  setRestitutionCombineRule(rule: CoefficientCombineRule): this;
  /** Whether it notices others instead of holding them. Default false. */
  setSensor(sensor: boolean): this;
  /** @param groups 32 bits. Upper half: the groups that it is in. Lower half: those that it meets. Default: all. */
  setCollisionGroups(groups: number): this;
  /**
   * Like {@link setCollisionGroups}, for contact forces alone.
   *
   * @param groups 32 bits. Default: all.
   */
  setSolverGroups(groups: number): this;
  /**
   * Selects the events that the engine reports.
   *
   * @param events 32 bits of `ActiveEvents`. Default: none.
   */
  setActiveEvents(events: number): this;
  /**
   * Which filters of systems are asked about it.
   *
   * @param hooks 32 bits of `ActiveHooks`. Default: none.
   */
  setActiveHooks(hooks: number): this;
  /**
   * Between which types of bodies it collides.
   *
   * @param types 32 bits of `ActiveCollisionTypes`. Default: all pairs with a dynamic body. A sensor of a fixed body needs
   *   `DEFAULT | KINEMATIC_FIXED` to notice a character.
   */
  setActiveCollisionTypes(types: number): this;
  /**
   * Forces below are not reported.
   *
   * @param threshold In newtons, from 0. Default 0.
   */
  setContactForceEventThreshold(threshold: number): this;
  /**
   * A distance that contacts keep.
   *
   * @param thickness From 0, in m or the simulation's own unit. Default 0.
   */
  setContactSkin(thickness: number): this;
  /** Whether it collides at all. Default true. */
  setEnabled(enabled: boolean): this;
}

/** @param args As the class of the shape takes them. */
export const described = (name: ShapeName, ...args: readonly unknown[]): ColliderDesc =>
  ofShape(checkedShape(name, ...args));

export const ofShape = (shape: ShapeData): ColliderDesc => new ColliderDesc(new Shape(shape));

const OF_RAPIER: EngineClass<EngineColliderDesc, ColliderFields> = {
  className: 'ColliderDesc',
  mark: 'massPropsMode',
  table: COLLIDER,
  checks: { shape: shapeData, translation: vector, rotation },
  others(desc) {
    const { massPropsMode, density, mass, centerOfMass, principalAngularInertia } = desc;
    if (massPropsMode === 0) return { density: notNegative('density', density) };
    if (massPropsMode === 1) return { mass: notNegative('mass', mass) };
    const frame = desc.angularInertiaLocalFrame;
    return { massProperties: massProperties(mass, centerOfMass, principalAngularInertia, frame) };
  },
};
