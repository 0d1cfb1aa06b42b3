/** The queries of a collider, and its mass: the page's engine answers them. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { finite, flag, ray, reach, rotation, vector } from './checked-values.js';
import type { PageEngine } from './page-engine.js';
import type { EngineCollider } from './query-world.js';
import { handleIn } from './handle-in.js';
import type { WorldLink } from './world-link.js';
import { shapeData, type AnyShape } from './shape-classes.js';
import type {
  PointProjection,
  RayData,
  RayIntersection,
  ShapeCastHit,
  ShapeContact,
} from './query-answers.js';
import type { Collider } from './collider.js';
import type { ColliderQueryMethods, ColliderShapeCastHit } from './collider-query-methods.js';

export abstract class ColliderQueries implements ColliderQueryMethods {
  abstract readonly handle: number;
  protected abstract readonly link: WorldLink;

  mass(): number {
    return this.#ask((collider) => collider.mass(), 0);
  }

  volume(): number {
    return this.#ask((collider) => collider.volume(), 0);
  }

  density(): number {
    return this.#ask((collider) => collider.density(), 0);
  }

  containsPoint(point: Readonly<Vector>): boolean {
    const at = vector('point', point);
    return this.#ask((collider) => collider.containsPoint(at), false);
  }

  projectPoint(point: Readonly<Vector>, solid: boolean): PointProjection | null {
    const at = vector('point', point);
    return this.#ask((collider) => collider.projectPoint(at, flag(solid)), null);
  }

  intersectsRay(along: RayData, maxToi: number): boolean {
    const args = [ray(along) as never, reach('maxToi', maxToi)] as const;
    return this.#ask((collider) => collider.intersectsRay(...args), false);
  }

  castRay(along: RayData, maxToi: number, solid: boolean): number {
    const args = [ray(along) as never, reach('maxToi', maxToi), flag(solid)] as const;
    return this.#ask((collider) => collider.castRay(...args), -1);
  }

  castRayAndGetNormal(along: RayData, maxToi: number, solid: boolean): RayIntersection | null {
    const args = [ray(along) as never, reach('maxToi', maxToi), flag(solid)] as const;
    return this.#ask((collider) => collider.castRayAndGetNormal(...args), null);
  }

  castShape(
    collider1Vel: Readonly<Vector>,
    shape2: AnyShape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    shape2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
  ): ShapeCastHit | null {
    const velocity = vector('collider1Vel', collider1Vel);
    const data = shapeData('shape2', shape2);
    const other = [
      vector('shape2Pos', shape2Pos),
      rotation('shape2Rot', shape2Rot),
      vector('shape2Vel', shape2Vel),
    ] as const;
    const limits = limitsOf(targetDistance, maxToi, stopAtPenetration);
    return this.#ask(
      (collider, engine) => collider.castShape(velocity, engine.shapeOf(data), ...other, ...limits),
      null,
    );
  }

  castCollider(
    collider1Vel: Readonly<Vector>,
    collider2: Collider,
    collider2Vel: Readonly<Vector>,
    targetDistance: number,
    maxToi: number,
    stopAtPenetration: boolean,
  ): ColliderShapeCastHit | null {
    const velocities = [
      vector('collider1Vel', collider1Vel),
      vector('collider2Vel', collider2Vel),
    ] as const;
    const limits = limitsOf(targetDistance, maxToi, stopAtPenetration);
    return this.#askOfTwo(collider2, (own, other) => {
      const hit = own.castCollider(velocities[0], other, velocities[1], ...limits);
      return hit === null ? null : Object.assign(hit, { collider: collider2 });
    });
  }

  intersectsShape(
    shape2: AnyShape,
    shapePos2: Readonly<Vector>,
    shapeRot2: Readonly<Rotation>,
  ): boolean {
    const data = shapeData('shape2', shape2);
    const at = [vector('shapePos2', shapePos2), rotation('shapeRot2', shapeRot2)] as const;
    return this.#ask(
      (collider, engine) => collider.intersectsShape(engine.shapeOf(data), ...at),
      false,
    );
  }

  contactShape(
    shape2: AnyShape,
    shape2Pos: Readonly<Vector>,
    shape2Rot: Readonly<Rotation>,
    prediction: number,
  ): ShapeContact | null {
    const data = shapeData('shape2', shape2);
    const at = [vector('shape2Pos', shape2Pos), rotation('shape2Rot', shape2Rot)] as const;
    const within = finite('prediction', prediction);
    return this.#ask(
      (collider, engine) => collider.contactShape(engine.shapeOf(data), ...at, within),
      null,
    );
  }

  contactCollider(collider2: Collider, prediction: number): ShapeContact | null {
    const within = finite('prediction', prediction);
    return this.#askOfTwo(collider2, (own, other) => own.contactCollider(other, within));
  }

  /** @param nothing The answer about a collider that was removed, which is reported once. */
  #ask<T>(question: (collider: EngineCollider, engine: PageEngine) => T, nothing: T): T {
    const { link, handle } = this;
    if (!link.has('collider', this)) {
      link.warnOfRemoved('collider', this);
      return nothing;
    }
    const engine = link.engine();
    return engine.ask(() => {
      const collider = engine.colliderOf(handle);
      return collider === undefined ? nothing : question(collider, engine);
    });
  }

  #askOfTwo<T>(
    collider2: Collider,
    question: (own: EngineCollider, other: EngineCollider) => T | null,
  ): T | null {
    const { link } = this;
    const handle = handleIn(link, 'collider2', 'collider', collider2);
    if (handle === undefined) link.warnOfRemoved('collider', collider2);
    return this.#ask((own, engine) => {
      const other = handle === undefined ? undefined : engine.colliderOf(handle);
      return other === undefined ? null : question(own, other);
    }, null);
  }
}

const limitsOf = (
  targetDistance: number,
  maxToi: number,
  stopAtPenetration: boolean,
): [number, number, boolean] => [
  finite('targetDistance', targetDistance),
  reach('maxToi', maxToi),
  flag(stopAtPenetration),
];
