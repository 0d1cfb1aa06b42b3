/**
 * What the page asks the engine about a world, as data: things by their handles on the page. The names are those of
 * Rapier's methods; of two methods of one name, the collider's has `collider` before it.
 */
import type { Rotation, ShapeData, Vector } from './fields.js';

/** Where something goes: a point and a direction. */
export interface RayData {
  /** In m or the simulation's own unit, in the world. */
  readonly origin: Readonly<Vector>;
  /** Of any length: times of impact count it. */
  readonly dir: Readonly<Vector>;
}

/** What a query passes over. Things are named by their handles. */
export interface FilterData {
  readonly flags: number | undefined;
  readonly groups: number | undefined;
  readonly excludeCollider: number | undefined;
  readonly excludeRigidBody: number | undefined;
  readonly excluded: readonly number[];
}

/**
 * What a ray hits.
 *
 * @typeParam C How the collider is named.
 */
export interface RayHit<C> {
  /** What was found. */
  readonly collider: C;
  /** How many times its direction the ray goes until there. */
  readonly timeOfImpact: number;
}

/** What a ray meets of a shape. */
export interface RayIntersection {
  /** How many times its direction the ray goes until there. */
  readonly timeOfImpact: number;
  /** Of the surface, as a unit vector; zero if the ray begins inside of a solid shape. */
  readonly normal: Vector;
  /** A number of `FeatureType`. */
  readonly featureType: number;
  /** Number of its vertex, edge or face, from 0; undefined if unknown. */
  readonly featureId: number | undefined;
}

/**
 * What a ray hits, and where.
 *
 * @typeParam C How the collider is named.
 */
export interface RayHitWithNormal<C> extends RayIntersection {
  /** What was found. */
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
  /** What was found. */
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
 * What a moving shape hits.
 *
 * @typeParam C How the collider is named.
 */
export interface ShapeHit<C> extends ShapeCastHit {
  /** What was found. */
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

/** Points where two colliders touch, with one normal. */
export interface ContactManifold {
  /** Whether its first collider is the second that was asked for. */
  readonly flipped: boolean;
  /** In the world. */
  readonly normal: Vector;
  /** In the space of the first collider. */
  readonly localNormal1: Vector;
  /** In the space of the second collider. */
  readonly localNormal2: Vector;
  /** The points, in the order of the engine. */
  readonly contacts: readonly {
    /** In the space of the first collider. */
    readonly localPoint1: Vector | null;
    /** In the space of the second collider. */
    readonly localPoint2: Vector | null;
    /** In m or the simulation's own unit; below 0, they overlap. */
    readonly distance: number;
    /** Along the normal, in newton seconds. */
    readonly impulse: number;
  }[];
  /** Those that the engine holds apart, in the world. */
  readonly solverContacts: readonly {
    readonly point: Vector;
    /** In m or the simulation's own unit; below 0, they overlap. */
    readonly distance: number;
  }[];
}

/** What many rays hit: an item of each array, or three of the normals, for each ray. */
export interface RayHits {
  /** Handles of colliders; 0: the ray hits nothing. */
  readonly colliders: Uint32Array;
  /** How many times its direction each ray goes until there; −1 without a hit. */
  readonly timesOfImpact: Float32Array;
  /** Unit vectors. Empty, unless they were asked for. */
  readonly normals: Float32Array;
}

/** A body as the engine has it. */
export interface BodyState {
  /** The tick after which it is like this. */
  readonly tick: number;
  /** In m or the simulation's own unit. */
  readonly translation: Vector;
  /** As the engine has it: nearly of length 1. */
  readonly rotation: Rotation;
  /** In m/s. */
  readonly linvel: Vector;
  /** In radians per second about each axis. */
  readonly angvel: Vector;
  /** With that of its colliders, in kg. */
  readonly mass: number;
  /** In kg m², about the axes of its principal frame. */
  readonly principalInertia: Vector;
  /** Its center of mass, in its own space. */
  readonly localCom: Vector;
  /** Its center of mass, in the world. */
  readonly worldCom: Vector;
  /** Whether it is asleep until something touches it. */
  readonly isSleeping: boolean;
  /** Whether it has a velocity. */
  readonly isMoving: boolean;
}

type Pose = readonly [position: Readonly<Vector>, rotation: Readonly<Rotation>];
type Cast = readonly [targetDistance: number, maxToi: number, stopAtPenetration: boolean];
type Point = Readonly<Vector>;

/** Arguments and answer of each question about the whole world. */
export interface WorldQuestions {
  castRay(ray: RayData, maxToi: number, solid: boolean, filter: FilterData): RayHit<number> | null;
  castRayAndGetNormal(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    filter: FilterData,
  ): RayHitWithNormal<number> | null;
  /** Six numbers for each ray. */
  castRays(
    rays: Float32Array,
    maxToi: number,
    solid: boolean,
    normals: boolean,
    filter: FilterData,
  ): RayHits;
  intersectionsWithRay(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    filter: FilterData,
  ): RayHitWithNormal<number>[];
  castShape(
    ...args: [...Pose, velocity: Point, shape: ShapeData, ...Cast, filter: FilterData]
  ): ShapeHit<number> | null;
  intersectionWithShape(...args: [...Pose, shape: ShapeData, filter: FilterData]): number | null;
  intersectionsWithShape(...args: [...Pose, shape: ShapeData, filter: FilterData]): number[];
  intersectionsWithPoint(point: Point, filter: FilterData): number[];
  projectPoint(point: Point, solid: boolean, filter: FilterData): NearestPoint<number> | null;
  projectPointAndGetFeature(point: Point, filter: FilterData): NearestPoint<number> | null;
  collidersWithAabbIntersectingAabb(center: Point, halfExtents: Point): number[];
  contactPairsWith(collider: number): number[];
  intersectionPairsWith(collider: number): number[];
  contactPair(collider1: number, collider2: number): ContactManifold[];
  intersectionPair(collider1: number, collider2: number): boolean;
}

/** Those about one collider. */
export interface ColliderQuestions {
  colliderContainsPoint(collider: number, point: Point): boolean;
  colliderProjectPoint(collider: number, point: Point, solid: boolean): PointProjection | null;
  colliderIntersectsRay(collider: number, ray: RayData, maxToi: number): boolean;
  colliderCastRay(collider: number, ray: RayData, maxToi: number, solid: boolean): number;
  colliderCastRayAndGetNormal(
    collider: number,
    ray: RayData,
    maxToi: number,
    solid: boolean,
  ): RayIntersection | null;
  colliderCastShape(
    ...args: [collider: number, velocity: Point, ShapeData, ...Pose, velocity2: Point, ...Cast]
  ): ShapeCastHit | null;
  colliderCastCollider(
    ...args: [collider: number, velocity: Point, collider2: number, velocity2: Point, ...Cast]
  ): ShapeCastHit | null;
  colliderIntersectsShape(...args: [collider: number, shape: ShapeData, ...Pose]): boolean;
  colliderContactShape(
    ...args: [collider: number, shape: ShapeData, ...Pose, prediction: number]
  ): ShapeContact | null;
  colliderContactCollider(
    collider: number,
    collider2: number,
    prediction: number,
  ): ShapeContact | null;
}

/** Those about one body. */
export interface BodyQuestions {
  readBody(body: number): BodyState | null;
}

export interface Questions extends WorldQuestions, ColliderQuestions, BodyQuestions {}
export type QuestionName = keyof Questions;
