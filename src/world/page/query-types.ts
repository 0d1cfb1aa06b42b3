/** The arguments and answers of queries, by Rapier's names. */
import type { Vector } from '../../shared/util/vectors.js';

/** Where something goes: a point and a direction. */
export interface RayData {
  /** In m or the simulation's own unit, in the world. */
  readonly origin: Readonly<Vector>;
  /** A direction of any length: times of impact count it. */
  readonly dir: Readonly<Vector>;
}

/**
 * The first hit of a ray.
 *
 * @typeParam C How the collider is named.
 */
export interface RayHit<C> {
  /** The collider that was found. */
  readonly collider: C;
  /** How many times its direction the ray goes until there. */
  readonly timeOfImpact: number;
}

/** The point at which a ray meets a shape. */
export interface RayIntersection {
  /** How many times its direction the ray goes until there. */
  readonly timeOfImpact: number;
  /** Normal of the surface, as a unit vector; zero if the ray begins inside of a solid shape. */
  readonly normal: Vector;
  /** A number of `FeatureType`. */
  readonly featureType: number;
  /** Number of its vertex, edge or face, from 0; undefined if unknown. */
  readonly featureId: number | undefined;
}

/**
 * A hit of a ray, and where it is.
 *
 * @typeParam C How the collider is named.
 */
export interface RayHitWithNormal<C> extends RayIntersection {
  /** The collider that was found. */
  readonly collider: C;
}

/** The point of a shape that is nearest to another point. */
export interface PointProjection {
  /** In m or the simulation's own unit, in the world. */
  readonly point: Vector;
  /** Whether the other point is inside of the shape. */
  readonly isInside: boolean;
}

/**
 * The nearest point of all colliders.
 *
 * @typeParam C How the collider is named.
 */
export interface NearestPoint<C> extends PointProjection {
  /** The collider that was found. */
  readonly collider: C;
  /** A number of `FeatureType`: `Unknown`, unless it was asked for. */
  readonly featureType: number;
  /** Number of its vertex, edge or face, from 0; undefined if unknown. */
  readonly featureId: number | undefined;
}

/**
 * Where two shapes meet when they move. As in Rapier, the first is what is hit in `World.castShape`, whose point and normal are
 * in the world then, and the collider that is asked in the methods of colliders, where they are in its own space.
 */
export interface ShapeCastHit {
  /** How many times its velocity the shape moves until there. */
  readonly time_of_impact: number;
  /** On the first shape. */
  readonly witness1: Vector;
  /** On the second shape, in its own space. */
  readonly witness2: Vector;
  /** A unit vector, on the first shape. */
  readonly normal1: Vector;
  /** A unit vector, on the second shape. */
  readonly normal2: Vector;
}

/**
 * The first hit of a moving shape.
 *
 * @typeParam C How the collider is named.
 */
export interface ShapeHit<C> extends ShapeCastHit {
  /** The collider that was found. */
  readonly collider: C;
}

/** How two shapes touch, or how near they are. */
export interface ShapeContact {
  /** In m or the simulation's own unit; below 0, they overlap. */
  readonly distance: number;
  /** On the first shape, in the world. */
  readonly point1: Vector;
  /** On the second shape, in the world. */
  readonly point2: Vector;
  /** A unit vector, on the first shape. */
  readonly normal1: Vector;
  /** A unit vector, on the second shape. */
  readonly normal2: Vector;
}

/** A half-line: a point, and a direction of any length. A time of impact counts lengths of the direction. */
export class Ray {
  /** In m or the simulation's own unit, in the world. */
  origin: Vector;
  /** Where it goes. */
  dir: Vector;

  /**
   * @param origin In m or the simulation's own unit, in the world.
   * @param dir Where it goes; of length 1, times of impact are distances.
   */
  constructor(origin: Vector, dir: Vector) {
    this.origin = origin;
    this.dir = dir;
  }

  /** @param t How many times the direction. */
  pointAt(t: number): Vector {
    const { origin, dir } = this;
    return { x: origin.x + dir.x * t, y: origin.y + dir.y * t, z: origin.z + dir.z * t };
  }
}

/** A symmetric 3 × 3 matrix, with Rapier's name: an angular inertia, in kg m², or the inverse of one. */
export class SdpMatrix3 {
  /** Row by row: the first three of the first row, two of the second, one of the third. */
  readonly elements: Float32Array;

  /** @param elements Six, row by row. What follows them is left out. */
  constructor(elements: ArrayLike<number>) {
    this.elements = Float32Array.from(elements).subarray(0, 6);
  }

  /** First row, first column, in kg m² or the inverse. */
  get m11(): number {
    return this.elements[0] as number;
  }

  /** First row, second column, in kg m² or the inverse. */
  get m12(): number {
    return this.elements[1] as number;
  }

  /** Second row, first column, in kg m² or the inverse. */
  get m21(): number {
    return this.m12;
  }

  /** First row, third column, in kg m² or the inverse. */
  get m13(): number {
    return this.elements[2] as number;
  }

  /** Third row, first column, in kg m² or the inverse. */
  get m31(): number {
    return this.m13;
  }

  /** Second row, second column, in kg m² or the inverse. */
  get m22(): number {
    return this.elements[3] as number;
  }

  /** Second row, third column, in kg m² or the inverse. */
  get m23(): number {
    return this.elements[4] as number;
  }

  /** Third row, second column, in kg m² or the inverse. */
  get m32(): number {
    return this.m23;
  }

  /** Third row, third column, in kg m² or the inverse. */
  get m33(): number {
    return this.elements[5] as number;
  }
}
