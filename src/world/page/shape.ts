/** A shape: what it answers when the page has an engine. Sizes in m or the simulation's own unit. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { ShapeData } from '../shared/shape-data.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { ShapeType } from './constants.js';
import type { EngineShape } from './engine-data.js';
import type {
  PointProjection,
  RayData,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from './query-types.js';

/** Rapier's class. */
type AnsweringShape = InstanceType<Rapier['Shape']>;

/** For what is made of a shape. */
export let dataOf: (shape: Shape) => ShapeData;
let engineShapeOf: ((name: string, shape: AnyShape) => AnsweringShape) | undefined;

/** The page's engine has loaded. @param of Checks a shape, by its name for errors. */
export function setShapeAnswers(of: (name: string, shape: AnyShape) => AnsweringShape): void {
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
  if (engineShapeOf !== undefined) return engineShapeOf(name, shape);
  throw new Error(
    'shapes answer when the page has an engine: createWorld({ queries: true }), and await world.ready',
  );
}
