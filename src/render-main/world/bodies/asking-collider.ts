/** The queries of a collider, as the page asks them. */
import type { Rotation, Vector } from '../../../shared/world/fields.js';
import type {
  PointProjection,
  Questions,
  RayData,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from '../../../shared/world/questions.js';
import { handleOfCollider } from '../handles/handle-in.js';
import { flag, notNegative, ray, reach, rotation, vector } from '../checks/checked-values.js';
import type { Collider } from './collider.js';
import type { ColliderQueryMethods, ColliderShapeCastHit } from './collider-query-methods.js';
import { shapeData, type Shape } from '../shapes/shape-classes.js';
import type { WorldLink } from '../handles/world-link.js';

export abstract class AskingCollider implements ColliderQueryMethods {
  abstract readonly handle: number;
  protected abstract readonly link: WorldLink;

  containsPoint(point: Readonly<Vector>): Promise<boolean> {
    return this.#ask('colliderContainsPoint', this.#own(), vector('point', point));
  }

  projectPoint(point: Readonly<Vector>, solid: boolean): Promise<PointProjection | null> {
    const args = [vector('point', point), flag('solid', solid)] as const;
    return this.#ask('colliderProjectPoint', this.#own(), ...args);
  }

  intersectsRay(along: RayData, maxToi: number): Promise<boolean> {
    const args = [ray(along), reach('maxToi', maxToi)] as const;
    return this.#ask('colliderIntersectsRay', this.#own(), ...args);
  }

  castRay(along: RayData, maxToi: number, solid: boolean): Promise<number> {
    const args = [ray(along), reach('maxToi', maxToi), flag('solid', solid)] as const;
    return this.#ask('colliderCastRay', this.#own(), ...args);
  }

  castRayAndGetNormal(
    along: RayData,
    maxToi: number,
    solid: boolean,
  ): Promise<RayIntersection | null> {
    const args = [ray(along), reach('maxToi', maxToi), flag('solid', solid)] as const;
    return this.#ask('colliderCastRayAndGetNormal', this.#own(), ...args);
  }

  castShape(
    collider1Vel: Readonly<Vector>,
    shape2: Shape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    shape2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
  ): Promise<ShapeCastHit | null> {
    return this.#ask(
      'colliderCastShape',
      this.#own(),
      vector('collider1Vel', collider1Vel),
      shapeData('shape2', shape2),
      vector('shape2Pos', shape2Pos),
      rotation('shape2Rot', shape2Rot),
      vector('shape2Vel', shape2Vel),
      ...castOf(targetDistance, maxToi, stopAtPenetration),
    );
  }

  castCollider(
    collider1Vel: Readonly<Vector>,
    collider2: Collider,
    collider2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
  ): Promise<ColliderShapeCastHit | null> {
    const answer = this.#ask(
      'colliderCastCollider',
      this.#own(),
      vector('collider1Vel', collider1Vel),
      handleOfCollider(this.link, 'collider2', collider2),
      vector('collider2Vel', collider2Vel),
      ...castOf(targetDistance, maxToi, stopAtPenetration),
    );
    return answer.then((hit) => (hit === null ? null : { ...hit, collider: collider2 }));
  }

  intersectsShape(
    shape2: Shape,
    shapePos2: Readonly<Vector>,
    shapeRot2: Readonly<Rotation>,
  ): Promise<boolean> {
    return this.#ask(
      'colliderIntersectsShape',
      this.#own(),
      shapeData('shape2', shape2),
      vector('shapePos2', shapePos2),
      rotation('shapeRot2', shapeRot2),
    );
  }

  contactShape(
    shape2: Shape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    prediction: number,
  ): Promise<ShapeContact | null> {
    return this.#ask(
      'colliderContactShape',
      this.#own(),
      shapeData('shape2', shape2),
      vector('shape2Pos', shape2Pos),
      rotation('shape2Rot', shape2Rot),
      notNegative('prediction', prediction),
    );
  }

  contactCollider(collider2: Collider, prediction: number): Promise<ShapeContact | null> {
    return this.#ask(
      'colliderContactCollider',
      this.#own(),
      handleOfCollider(this.link, 'collider2', collider2),
      notNegative('prediction', prediction),
    );
  }

  #own(): number {
    return handleOfCollider(this.link, 'the collider', this as unknown as Collider);
  }

  #ask<Name extends keyof Questions>(
    name: Name,
    ...args: Parameters<Questions[Name]>
  ): Promise<ReturnType<Questions[Name]>> {
    return this.link.questions.ask(name, ...args);
  }
}

const castOf = (
  targetDistance: number,
  maxToi: number,
  stopAtPenetration: boolean,
): [number, number, boolean] => [
  notNegative('targetDistance', targetDistance),
  reach('maxToi', maxToi),
  flag('stopAtPenetration', stopAtPenetration),
];
