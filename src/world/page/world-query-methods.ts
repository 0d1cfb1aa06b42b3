/** The queries of a world, with Rapier's signatures. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { Collider, ColliderShapeCastHit, RigidBody } from './body-and-collider.js';
import type { AnyShape } from './shape.js';
import type { NearestPoint, RayData, RayHit, RayHitWithNormal } from './query-types.js';

/** The first hit of a ray. */
export type RayColliderHit = RayHit<Collider>;
/** A hit of a ray, and where it is. */
export type RayColliderIntersection = RayHitWithNormal<Collider>;
/** The nearest point of all colliders. */
export type PointColliderProjection = NearestPoint<Collider>;

/** The last arguments of queries: the colliders that they ignore. A removed collider or body excludes nothing. */
export type QueryFilter = [
  /** 32 bits of `QueryFilterFlags`. Default: none. */
  filterFlags: number | undefined,
  /** 32 bits: the groups that the query is in, and those that it meets. Default: all. */
  filterGroups: number | undefined,
  filterExcludeCollider: Collider | null | undefined,
  /** With all of its colliders. */
  filterExcludeRigidBody: RigidBody | null | undefined,
  /** Whether a collider counts. Its writes take effect after the query, and an error that it throws ends the query. */
  filterPredicate: ((collider: Collider) => boolean) | undefined,
];

/** Rapier's class. */
type EngineCharacter = InstanceType<Rapier['KinematicCharacterController']>;
/** Rapier's class. */
type EnginePid = InstanceType<Rapier['PidController']>;
/** Rapier's class. */
type EngineCollision = NonNullable<ReturnType<EngineCharacter['computedCollision']>>;

/** Where two colliders touch: the engine's object, which is valid during the call. */
export type TempContactManifold = Parameters<
  Parameters<InstanceType<Rapier['World']>['contactPair']>[2]
>[0];

/** A collision of a character, with the page's collider. */
export type CharacterCollision = Omit<EngineCollision, 'collider'> & { collider: Collider | null };

/** Rapier's character controller, which computes on the page. */
export interface KinematicCharacterController extends Omit<
  EngineCharacter,
  'computeColliderMovement' | 'computedCollision'
> {
  /**
   * Computes how a collider moves without entering others, where the newest state has them.
   *
   * @param desiredTranslationDelta Where it would go, in m or the simulation's own unit.
   * @param filterFlags 32 bits of `QueryFilterFlags`.
   * @param filterGroups 32 bits: the groups that it is in, and those that it meets.
   */
  computeColliderMovement(
    collider: Collider,
    desiredTranslationDelta: Readonly<Vector>,
    filterFlags?: number,
    filterGroups?: number,
    filterPredicate?: (collider: Collider) => boolean,
  ): void;
  /** A collider that it has met, from 0 to `numComputedCollisions()`. */
  computedCollision(i: number, out?: CharacterCollision): CharacterCollision | null;
}

/** Rapier's PID controller, which computes on the page: what it does to bodies is sent as impulses. */
export interface PidController extends Omit<
  EnginePid,
  'applyLinearCorrection' | 'applyAngularCorrection' | 'linearCorrection' | 'angularCorrection'
> {
  /** Pushes a body towards a place and a velocity. */
  applyLinearCorrection(body: RigidBody, targetPosition: Vector, targetLinvel: Vector): void;
  /** Turns a body towards a rotation and an angular velocity. */
  applyAngularCorrection(body: RigidBody, targetRotation: Rotation, targetAngVel: Vector): void;
  /** The change that {@link applyLinearCorrection} would add to the velocity, in m/s. */
  linearCorrection(body: RigidBody, targetPosition: Vector, targetLinvel: Vector): Vector;
  /** The change that {@link applyAngularCorrection} would add to the angular velocity, in radians per second. */
  angularCorrection(body: RigidBody, targetRotation: Rotation, targetAngVel: Vector): Vector;
}

/**
 * Rapier's queries. They are answered at once by an engine of the page, where the newest state and the
 * page's later writes have everything, apart from changes of systems in the worker.
 *
 * All need the option `queries` of `createWorld`, and throw an error that names it until the engine has loaded. Positions
 * and sizes are in m or the simulation's own unit. Arguments are taken as the engine's JavaScript takes them: all throw TypeError,
 * naming the argument, without a ray, a vector, a rotation or a shape. Where the engine's answer would be arbitrary: a missing `maxToi`
 * is no limit, a missing distance is 0, and with what is not a finite number, nothing is found, which is said once in the console.
 */
export interface WorldQueryMethods {
  /**
   * A raycast: the first collider that a ray hits; null if there is none. To jump only from the ground, cast a ray down, and
   * jump if the ground is near.
   *
   * A ray that begins inside of a body hits that body at a distance of 0: pass it as `filterExcludeRigidBody`.
   *
   * @param maxToi How many times its direction the ray goes, from 0. Default: no limit.
   * @param solid Whether a ray that begins inside of a shape hits it at once.
   */
  castRay(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    ...filter: Partial<QueryFilter>
  ): RayColliderHit | null;
  /** Like {@link castRay}, with the normal of what is hit. @param maxToi How many times its direction the ray goes, from 0. Default: no limit. */
  castRayAndGetNormal(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    ...filter: Partial<QueryFilter>
  ): RayColliderIntersection | null;
  /**
   * Calls back for all that a ray hits, in no order.
   *
   * @param maxToi How many times its direction the ray goes, from 0. Default: no limit.
   * @param callback Ends the query by returning false.
   */
  intersectionsWithRay(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    callback: (intersect: RayColliderIntersection) => boolean,
    ...filter: Partial<QueryFilter>
  ): void;
  /**
   * The first collider that a moving shape hits; null if there is none.
   *
   * @param shapeVel Where it moves.
   * @param targetDistance A distance that counts as a hit, from 0.
   * @param maxToi How many times its velocity the shape moves, from 0. Default: no limit.
   * @param stopAtPenetration Whether what overlaps at the beginning is hit even if the shape moves out of it.
   */
  castShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shapeVel: Readonly<Vector>,
    shape: AnyShape,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
    ...filter: Partial<QueryFilter>
  ): ColliderShapeCastHit | null;
  /** One collider that overlaps a shape; null if there is none. */
  intersectionWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: AnyShape,
    ...filter: Partial<QueryFilter>
  ): Collider | null;
  /** Calls back for all colliders that overlap a shape. @param callback Ends the query by returning false. */
  intersectionsWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: AnyShape,
    callback: (collider: Collider) => boolean,
    ...filter: Partial<QueryFilter>
  ): void;
  /** Calls back for all colliders that contain a point. @param callback Ends the query by returning false. */
  intersectionsWithPoint(
    point: Readonly<Vector>,
    callback: (collider: Collider) => boolean,
    ...filter: Partial<QueryFilter>
  ): void;
  /**
   * The nearest point of all colliders; null if there is none.
   *
   * @param solid Whether a point inside of a shape is its own nearest point, and not one of the surface.
   */
  projectPoint(
    point: Readonly<Vector>,
    solid: boolean,
    ...filter: Partial<QueryFilter>
  ): PointColliderProjection | null;
  /** Like {@link projectPoint}, on the surface, with the vertex, edge or face that it is on. */
  projectPointAndGetFeature(
    point: Readonly<Vector>,
    ...filter: Partial<QueryFilter>
  ): PointColliderProjection | null;
  /** Calls back for all colliders whose boxes, along the axes, overlap a box. @param callback Ends the query by returning false. */
  collidersWithAabbIntersectingAabb(
    aabbCenter: Readonly<Vector>,
    aabbHalfExtents: Readonly<Vector>,
    callback: (collider: Collider) => boolean,
  ): void;
  /** Calls back for all colliders that may be in contact with this one: their boxes overlap. */
  contactPairsWith(collider1: Collider, f: (collider2: Collider) => void): void;
  /** Calls back for all colliders that overlap this one, where one of both is a sensor. */
  intersectionPairsWith(collider1: Collider, f: (collider2: Collider) => void): void;
  /**
   * Calls back for each part of two colliders that touches, where the newest state has them. Impulses along the normal are
   * those that the worker reported last, divided evenly among the points, in N s: of the collision's beginning with
   * `ActiveEvents.COLLISION_EVENTS`, of each tick with `CONTACT_FORCE_EVENTS`. They are 0 before the first report after
   * the first call; tangential ones are always 0.
   */
  contactPair(
    collider1: Collider,
    collider2: Collider,
    f: (manifold: TempContactManifold, flipped: boolean) => void,
  ): void;
  /** Whether two colliders overlap, of which one is a sensor. */
  intersectionPair(collider1: Collider, collider2: Collider): boolean;
  /**
   * Lines of all colliders: three numbers for each end, and four for its color.
   *
   * @param filterFlags 32 bits of `QueryFilterFlags`. Default: none.
   */
  debugRender(
    filterFlags?: number,
    filterPredicate?: (collider: Collider) => boolean,
  ): { vertices: Float32Array; colors: Float32Array };
  /**
   * Creates a character controller that computes on the page. For one that moves in the worker, with every tick, see
   * `createCharacter`.
   *
   * @param offset The distance that it keeps, greater than 0, in m or the simulation's own unit.
   */
  createCharacterController(offset: number): KinematicCharacterController;
  /** Frees a controller. */
  removeCharacterController(controller: KinematicCharacterController): void;
  /**
   * Creates a PID controller that computes on the page.
   *
   * @param kp Factor of the error, any number.
   * @param ki Factor of the sum of errors, any number.
   * @param kd Factor of the error of the velocity, any number.
   * @param axes 6 bits of `PidAxesMask`.
   */
  createPidController(kp: number, ki: number, kd: number, axes: number): PidController;
  /** Frees a controller. */
  removePidController(controller: PidController): void;
}
