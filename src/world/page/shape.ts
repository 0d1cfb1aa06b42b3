/** A shape: what it answers when the page has an engine. Sizes in m or the simulation's own unit. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { settled, type ShapeData } from '../shared/shape-data.js';
import type { ShapeType } from './constants.js';
import type { EngineShape } from './engine-data.js';
import type {
  PointProjection,
  RayData,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from './query-types.js';

/** For what is made of a shape. */
export let dataOf: (shape: Shape) => ShapeData;

/** Asks the page's engine about a shape. @param query Name of the method, with its arguments. */
export type AskShape = (shape: Shape, query: ShapeQuery, args: readonly unknown[]) => unknown;
export type ShapeQuery = Exclude<keyof Shape, 'type' | 'ready' | 'isReady'>;
let askShape: AskShape | undefined;

/** The page's engine has loaded. */
export function setShapeAnswers(ask: AskShape): void {
  askShape = ask;
}

/**
 * A shape without a place, made by one of the classes that extend it, or by a description of a collider, which has it as
 * its `shape`.
 */
export class Shape {
  readonly #data: ShapeData;

  static {
    dataOf = (shape) => settled(shape.#data);
  }

  /** @internal */
  constructor(data: ShapeData) {
    this.#data = data;
  }

  /** Type of the shape. */
  get type(): ShapeType {
    return this.#data.type as ShapeType;
  }

  /** Whether it can collide. The pieces of `ColliderDesc.convexDecomposition` are there later; other shapes at once. */
  get isReady(): boolean {
    return dataOf(this).pieces === undefined;
  }

  /** When it can collide. Rejects with an Error that names the mesh if that has no pieces, or if they cannot be computed. */
  get ready(): Promise<void> {
    return this.#data.pieces?.ready() ?? Promise.resolve();
  }

  /**
   * Where it and another shape meet when both move; null if they do not.
   *
   * @param targetDistance A distance that counts as a hit, from 0, in m or the simulation's own unit.
   * @param maxToi How many times their velocities they move, from 0. Default: no limit.
   * @throws Error until the page's engine has loaded; so do all of these.
   */
  castShape(
    shapePos1: Readonly<Vector>,
    shapeRot1: Readonly<Rotation>,
    shapeVel1: Readonly<Vector>,
    shape2: AnyShape,
    shapePos2: Readonly<Vector>,
    shapeRot2: Readonly<Rotation>,
    shapeVel2: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
    target?: ShapeCastHit,
  ): ShapeCastHit | null {
    return this.#ask('castShape', [
      shapePos1,
      shapeRot1,
      shapeVel1,
      shape2,
      shapePos2,
      shapeRot2,
      shapeVel2,
      targetDistance,
      maxToi,
      stopAtPenetration,
      target,
    ]);
  }

  /** Whether it overlaps another shape. */
  intersectsShape(
    shapePos1: Readonly<Vector>,
    shapeRot1: Readonly<Rotation>,
    shape2: AnyShape,
    shapePos2: Readonly<Vector>,
    shapeRot2: Readonly<Rotation>,
  ): boolean {
    return this.#ask('intersectsShape', [shapePos1, shapeRot1, shape2, shapePos2, shapeRot2]);
  }

  /**
   * How it and another shape touch; null if they are farther apart than the prediction.
   *
   * @param prediction From 0, in m or the simulation's own unit.
   */
  contactShape(
    shapePos1: Readonly<Vector>,
    shapeRot1: Readonly<Rotation>,
    shape2: AnyShape,
    shapePos2: Readonly<Vector>,
    shapeRot2: Readonly<Rotation>,
    prediction: number,
    target?: ShapeContact,
  ): ShapeContact | null {
    return this.#ask('contactShape', [
      shapePos1,
      shapeRot1,
      shape2,
      shapePos2,
      shapeRot2,
      prediction,
      target,
    ]);
  }

  /** Whether a point is inside of it. */
  containsPoint(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    point: Readonly<Vector>,
  ): boolean {
    return this.#ask('containsPoint', [shapePos, shapeRot, point]);
  }

  /** Finds the shape's point that is nearest to another one. */
  projectPoint(
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    point: Readonly<Vector>,
    solid: boolean,
    target?: PointProjection,
  ): PointProjection {
    return this.#ask('projectPoint', [shapePos, shapeRot, point, solid, target]);
  }

  /** Whether a ray hits it. @param maxToi How many times its direction the ray goes, from 0. Default: no limit. */
  intersectsRay(
    ray: RayData,
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    maxToi: number,
  ): boolean {
    return this.#ask('intersectsRay', [ray, shapePos, shapeRot, maxToi]);
  }

  /** How many times its direction a ray goes until it hits; −1 if it does not. */
  castRay(
    ray: RayData,
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    maxToi: number,
    solid: boolean,
  ): number {
    return this.#ask('castRay', [ray, shapePos, shapeRot, maxToi, solid]);
  }

  /** Like {@link castRay}, with the normal of what is hit. @param maxToi How many times its direction the ray goes, from 0. Default: no limit. */
  castRayAndGetNormal(
    ray: RayData,
    shapePos: Readonly<Vector>,
    shapeRot: Readonly<Rotation>,
    maxToi: number,
    solid: boolean,
    target?: RayIntersection,
  ): RayIntersection | null {
    return this.#ask('castRayAndGetNormal', [ray, shapePos, shapeRot, maxToi, solid, target]);
  }

  /** @throws Error until the page's engine has loaded. */
  #ask<T>(query: ShapeQuery, args: readonly unknown[]): T {
    if (askShape !== undefined) return askShape(this, query, args) as T;
    throw new Error(
      'shapes answer when the page has an engine: createWorld({ queries: true }), and await world.ready',
    );
  }
}

/** A shape of this library, or one of Rapier's own classes. */
export type AnyShape = Shape | EngineShape;
