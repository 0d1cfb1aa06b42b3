/** The queries of a world. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import type {
  ContactManifold,
  NearestPoint,
  RayData,
  RayHit,
  RayHits,
  RayHitWithNormal,
} from '../../../shared/world/questions.js';
import type { Collider } from '../bodies/collider.js';
import type { ColliderShapeCastHit } from '../bodies/collider-query-methods.js';
import type { QueryFilter } from './query-filter.js';
import type { Shape } from '../shapes/shape-classes.js';

/** What a ray hits first. */
export type RayColliderHit = RayHit<Collider>;
/** What a ray hits, and where. */
export type RayColliderIntersection = RayHitWithNormal<Collider>;
/** The nearest point of all colliders. */
export type PointColliderProjection = NearestPoint<Collider>;

/** Options of `World.castRays`, all optional. */
export interface CastRaysOptions {
  /** How many times its direction each ray goes, from 0. Default: as far as numbers go. */
  readonly maxToi?: number;
  /** Whether a ray that begins inside of a shape hits it at once. Default true. */
  readonly solid?: boolean;
  /** Whether normals are asked for. Default false. */
  readonly normals?: boolean;
  /** What the rays pass over. Default: nothing. */
  readonly filter?: QueryFilter;
}

/**
 * Rapier's queries, as promises. They see what was written before the call: if something was, they are answered after the
 * tick that has it. While no ticks come (the simulation is paused, or shows a recording) they are answered at once, by
 * the newest state. Like Rapier's, queries of a world find colliders where the last step has put them.
 *
 * In the place of Rapier's predicate and its other filters, each takes a {@link QueryFilter}.
 *
 * Positions and sizes are in m or the simulation's own unit. All throw TypeError or RangeError, naming the field, for an
 * invalid argument, and TypeError for a function; all reject when the world is disposed or its worker fails.
 */
export interface WorldQueryMethods {
  /**
   * The first collider that a ray hits; null if there is none.
   *
   * @param maxToi How many times its direction the ray goes, from 0.
   * @param solid Whether a ray that begins inside of a shape hits it at once.
   */
  castRay(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    filter?: QueryFilter,
  ): Promise<RayColliderHit | null>;
  /**
   * Like {@link castRay}, with the normal of what is hit.
   *
   * @param maxToi How many times its direction the ray goes, from 0.
   */
  castRayAndGetNormal(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    filter?: QueryFilter,
  ): Promise<RayColliderIntersection | null>;
  /**
   * Many rays in one message, each answered as by {@link castRay}.
   *
   * @param rays Six numbers for each: origin and direction.
   */
  castRays(rays: ArrayLike<number>, options?: CastRaysOptions): Promise<RayHits>;
  /**
   * All that a ray hits, in no order.
   *
   * @param maxToi How many times its direction the ray goes, from 0.
   */
  intersectionsWithRay(
    ray: RayData,
    maxToi: number,
    solid: boolean,
    filter?: QueryFilter,
  ): Promise<RayColliderIntersection[]>;
  /**
   * The first collider that a moving shape hits; null if there is none.
   *
   * @param shapeVel Where it moves.
   * @param targetDistance A distance that counts as a hit, from 0.
   * @param maxToi How many times its velocity the shape moves, from 0.
   * @param stopAtPenetration Whether what overlaps at the beginning is hit even if the shape moves out of it.
   */
  castShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shapeVel: Readonly<Vector>,
    shape: Shape,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
    filter?: QueryFilter,
  ): Promise<ColliderShapeCastHit | null>;
  /** One collider that overlaps a shape; null if there is none. */
  intersectionWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: Shape,
    filter?: QueryFilter,
  ): Promise<Collider | null>;
  /** All colliders that overlap a shape. */
  intersectionsWithShape(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    shape: Shape,
    filter?: QueryFilter,
  ): Promise<Collider[]>;
  /** All colliders that contain a point. */
  intersectionsWithPoint(point: Readonly<Vector>, filter?: QueryFilter): Promise<Collider[]>;
  /**
   * The nearest point of all colliders; null if there is none.
   *
   * @param solid Whether a point inside of a shape is its own nearest point, and not one of the surface.
   */
  projectPoint(
    point: Readonly<Vector>,
    solid: boolean,
    filter?: QueryFilter,
  ): Promise<PointColliderProjection | null>;
  /** Like {@link projectPoint}, on the surface, with the vertex, edge or face that it is on. */
  projectPointAndGetFeature(
    point: Readonly<Vector>,
    filter?: QueryFilter,
  ): Promise<PointColliderProjection | null>;
  /**
   * All colliders whose boxes, along the axes, overlap a box.
   *
   * @param aabbHalfExtents Half of its size, from 0.
   */
  collidersWithAabbIntersectingAabb(
    aabbCenter: Readonly<Vector>,
    aabbHalfExtents: Readonly<Vector>,
  ): Promise<Collider[]>;
  /** All colliders that may be in contact with this one: their boxes overlap. */
  contactPairsWith(collider1: Collider): Promise<Collider[]>;
  /** All colliders that overlap this one, where one of both is a sensor. */
  intersectionPairsWith(collider1: Collider): Promise<Collider[]>;
  /** Where two colliders touch: none, if they do not. */
  contactPair(collider1: Collider, collider2: Collider): Promise<ContactManifold[]>;
  /** Whether two colliders overlap, of which one is a sensor. */
  intersectionPair(collider1: Collider, collider2: Collider): Promise<boolean>;
}
