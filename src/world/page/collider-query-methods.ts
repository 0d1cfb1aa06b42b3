/** The queries of one collider. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type {
  PointProjection,
  RayData,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
  ShapeHit,
} from './query-answers.js';
import type { Collider } from './collider.js';
import type { AnyShape } from './shape-classes.js';

/** What a moving shape hits first. */
export type ColliderShapeCastHit = ShapeHit<Collider>;

/**
 * Rapier's queries of a collider, answered like those of `World`. About a collider that was removed, the answer is that
 * nothing was found, which is reported once in the console.
 *
 * Positions and sizes are in m or the simulation's own unit. All throw TypeError or RangeError, naming the field, for an
 * invalid argument.
 */
export interface ColliderQueryMethods {
  /** Whether a point is inside of it. */
  containsPoint(point: Readonly<Vector>): boolean;
  /**
   * Its point that is nearest to another one.
   *
   * @param solid Whether a point inside of the shape is its own nearest point, and not one of the surface.
   */
  projectPoint(point: Readonly<Vector>, solid: boolean): PointProjection | null;
  /** @param maxToi How many times its direction the ray goes, from 0. */
  intersectsRay(ray: RayData, maxToi: number): boolean;
  /**
   * How many times its direction the ray goes until it hits; −1 if it does not.
   *
   * @param maxToi How many times its direction the ray goes at most, from 0.
   * @param solid Whether a ray that begins inside of the shape hits it at once.
   */
  castRay(ray: RayData, maxToi: number, solid: boolean): number;
  /**
   * Like {@link castRay}, with the normal of what is hit; null if it is not.
   *
   * @param maxToi How many times its direction the ray goes at most, from 0.
   */
  castRayAndGetNormal(ray: RayData, maxToi: number, solid: boolean): RayIntersection | null;
  /**
   * Where it and a shape meet when both move.
   *
   * @param targetDistance A distance that counts as a hit, from 0.
   * @param maxToi How many times their velocities they move, from 0.
   * @param stopAtPenetration Whether an overlap at the beginning is a hit even if they move apart.
   */
  castShape(
    collider1Vel: Readonly<Vector>,
    shape2: AnyShape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    shape2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
  ): ShapeCastHit | null;
  /**
   * Where it and another collider meet when both move.
   *
   * @param targetDistance A distance that counts as a hit, from 0.
   * @param maxToi How many times their velocities they move, from 0.
   */
  castCollider(
    collider1Vel: Readonly<Vector>,
    collider2: Collider,
    collider2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
  ): ColliderShapeCastHit | null;
  /** Whether a shape overlaps it. */
  intersectsShape(
    shape2: AnyShape,
    shapePos2: Readonly<Vector>,
    shapeRot2: Readonly<Rotation>,
  ): boolean;
  /**
   * How it and a shape touch; null if they are farther apart than the prediction.
   *
   * @param prediction From 0.
   */
  contactShape(
    shape2: AnyShape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    prediction: number,
  ): ShapeContact | null;
  /**
   * How it and another collider touch; null if they are farther apart than the prediction.
   *
   * @param prediction From 0.
   */
  contactCollider(collider2: Collider, prediction: number): ShapeContact | null;
}
