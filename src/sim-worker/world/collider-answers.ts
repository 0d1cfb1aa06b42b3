/** Answers about one collider, where it is now. */
import type { ColliderQuestions } from '../../shared/world/questions.js';
import { rayOf, type AskedWorld, type Collider } from './asked-world.js';

export function colliderAnswers(asked: AskedWorld): ColliderQuestions {
  const { colliders, shapes } = asked;

  /** @param none The answer about a collider that is gone. */
  const about = <T>(handle: number, none: T, ask: (collider: Collider) => T): T => {
    const collider = colliders.get(handle);
    return collider === undefined ? none : ask(collider);
  };

  return {
    colliderContainsPoint: (handle, point) =>
      about(handle, false, (collider) => collider.containsPoint(point)),
    colliderProjectPoint: (handle, point, solid) =>
      about(handle, null, (collider) => collider.projectPoint(point, solid)),
    colliderIntersectsRay: (handle, ray, maxToi) =>
      about(handle, false, (collider) => collider.intersectsRay(rayOf(asked, ray), maxToi)),
    colliderCastRay: (handle, ray, maxToi, solid) =>
      about(handle, -1, (collider) => collider.castRay(rayOf(asked, ray), maxToi, solid)),
    colliderCastRayAndGetNormal: (handle, ray, maxToi, solid) =>
      about(handle, null, (collider) =>
        collider.castRayAndGetNormal(rayOf(asked, ray), maxToi, solid),
      ),
    colliderCastShape: (handle, velocity, shape, position, rotation, velocity2, ...cast) =>
      about(handle, null, (collider) =>
        collider.castShape(
          velocity,
          shapes.describe(shape).shape,
          position,
          rotation,
          velocity2,
          ...cast,
        ),
      ),
    colliderCastCollider: (handle, velocity, handle2, velocity2, ...cast) =>
      about(handle, null, (collider) =>
        about(handle2, null, (other) => {
          const hit = collider.castCollider(velocity, other, velocity2, ...cast);
          // It has the collider, which is the page's own argument and cannot be sent.
          return hit === null ? null : { ...hit, collider: undefined };
        }),
      ),
    colliderIntersectsShape: (handle, shape, position, rotation) =>
      about(handle, false, (collider) =>
        collider.intersectsShape(shapes.describe(shape).shape, position, rotation),
      ),
    colliderContactShape: (handle, shape, position, rotation, prediction) =>
      about(handle, null, (collider) =>
        collider.contactShape(shapes.describe(shape).shape, position, rotation, prediction),
      ),
    colliderContactCollider: (handle, handle2, prediction) =>
      about(handle, null, (collider) =>
        about(handle2, null, (other) => collider.contactCollider(other, prediction)),
      ),
  };
}
