/** Answers about a whole world. Like the engine's own queries, they see colliders where the last step has put them. */
import type { ContactManifold, RayHits, WorldQuestions } from '../../shared/world/questions.js';
import { NO_HANDLE } from '../../shared/world/world-batch.js';
import type { Rapier } from '../engines/rapier-builds.js';
import { passedOver, rayOf, type AskedWorld, type Collider } from './asked-world.js';

type Manifold = Parameters<Parameters<InstanceType<Rapier['World']>['contactPair']>[2]>[0];

/** Numbers of a ray: its origin and its direction. */
const RAY_NUMBERS = 6;

export function worldAnswers(asked: AskedWorld): WorldQuestions {
  const { physics, colliders, shapes } = asked;
  const handleOf = (collider: Collider): number => colliders.handleOf(collider) ?? NO_HANDLE;

  /** With the handle of the collider in the place of the collider. */
  const named = <T extends { readonly collider: Collider }>(hit: T | null) =>
    hit === null ? null : { ...hit, collider: handleOf(hit.collider) };

  const all = (find: (found: (collider: Collider) => boolean) => void): number[] => {
    const handles: number[] = [];
    find((collider) => handles.push(handleOf(collider)) > 0);
    return handles;
  };

  const pairsWith = (handle: number, name: 'contactPairsWith' | 'intersectionPairsWith') => {
    const collider = colliders.get(handle);
    if (collider === undefined) return [];
    return all((found) => physics.world[name](collider, found));
  };

  return {
    castRay: (ray, maxToi, solid, filter) =>
      named(physics.world.castRay(rayOf(asked, ray), maxToi, solid, ...passedOver(asked, filter))),
    castRayAndGetNormal: (ray, maxToi, solid, filter) =>
      named(
        physics.world.castRayAndGetNormal(
          rayOf(asked, ray),
          maxToi,
          solid,
          ...passedOver(asked, filter),
        ),
      ),
    castRays(numbers, maxToi, solid, withNormals, filter) {
      const count = Math.floor(numbers.length / RAY_NUMBERS);
      const hits: RayHits = {
        colliders: new Uint32Array(count).fill(NO_HANDLE),
        timesOfImpact: new Float32Array(count).fill(-1),
        normals: new Float32Array(withNormals ? 3 * count : 0),
      };
      const rest = passedOver(asked, filter);
      const ray = rayOf(asked, { origin: { x: 0, y: 0, z: 0 }, dir: { x: 0, y: 0, z: 0 } });
      for (let index = 0; index < count; index++) {
        const at = index * RAY_NUMBERS;
        const [x = 0, y = 0, z = 0, dx = 0, dy = 0, dz = 0] = numbers.subarray(
          at,
          at + RAY_NUMBERS,
        );
        Object.assign(ray.origin, { x, y, z });
        Object.assign(ray.dir, { x: dx, y: dy, z: dz });
        const hit = withNormals
          ? physics.world.castRayAndGetNormal(ray, maxToi, solid, ...rest)
          : physics.world.castRay(ray, maxToi, solid, ...rest);
        if (hit === null) continue;
        hits.colliders[index] = handleOf(hit.collider);
        hits.timesOfImpact[index] = hit.timeOfImpact;
        if ('normal' in hit) {
          hits.normals.set([hit.normal.x, hit.normal.y, hit.normal.z], 3 * index);
        }
      }
      return hits;
    },
    intersectionsWithRay(ray, maxToi, solid, filter) {
      const hits: ReturnType<WorldQuestions['intersectionsWithRay']> = [];
      physics.world.intersectionsWithRay(
        rayOf(asked, ray),
        maxToi,
        solid,
        (hit) => hits.push({ ...hit, collider: handleOf(hit.collider) }) > 0,
        ...passedOver(asked, filter),
      );
      return hits;
    },
    castShape(position, rotation, velocity, shape, targetDistance, maxToi, stop, filter) {
      const moved = shapes.describe(shape).shape;
      return named(
        physics.world.castShape(
          position,
          rotation,
          velocity,
          moved,
          targetDistance,
          maxToi,
          stop,
          ...passedOver(asked, filter),
        ),
      );
    },
    intersectionWithShape(position, rotation, shape, filter) {
      const other = shapes.describe(shape).shape;
      const { world } = physics;
      const found = world.intersectionWithShape(
        position,
        rotation,
        other,
        ...passedOver(asked, filter),
      );
      return found === null ? null : handleOf(found);
    },
    intersectionsWithShape(position, rotation, shape, filter) {
      const other = shapes.describe(shape).shape;
      const rest = passedOver(asked, filter);
      return all((found) =>
        physics.world.intersectionsWithShape(position, rotation, other, found, ...rest),
      );
    },
    intersectionsWithPoint: (point, filter) =>
      all((found) =>
        physics.world.intersectionsWithPoint(point, found, ...passedOver(asked, filter)),
      ),
    projectPoint: (point, solid, filter) =>
      named(physics.world.projectPoint(point, solid, ...passedOver(asked, filter))),
    projectPointAndGetFeature: (point, filter) =>
      named(physics.world.projectPointAndGetFeature(point, ...passedOver(asked, filter))),
    collidersWithAabbIntersectingAabb: (center, halfExtents) =>
      all((found) => physics.world.collidersWithAabbIntersectingAabb(center, halfExtents, found)),
    contactPairsWith: (handle) => pairsWith(handle, 'contactPairsWith'),
    intersectionPairsWith: (handle) => pairsWith(handle, 'intersectionPairsWith'),
    contactPair(handle1, handle2) {
      const [first, second] = [colliders.get(handle1), colliders.get(handle2)];
      const manifolds: ContactManifold[] = [];
      if (first === undefined || second === undefined) return manifolds;
      physics.world.contactPair(first, second, (manifold, flipped) =>
        manifolds.push(copied(manifold, flipped)),
      );
      return manifolds;
    },
    intersectionPair(handle1, handle2) {
      const [first, second] = [colliders.get(handle1), colliders.get(handle2)];
      if (first === undefined || second === undefined) return false;
      return physics.world.intersectionPair(first, second);
    },
  };
}

/** The engine's own is only valid during the call. */
const copied = (manifold: Manifold, flipped: boolean): ContactManifold => ({
  flipped,
  normal: manifold.normal(),
  localNormal1: manifold.localNormal1(),
  localNormal2: manifold.localNormal2(),
  contacts: Array.from({ length: manifold.numContacts() }, (_, index) => ({
    localPoint1: manifold.localContactPoint1(index),
    localPoint2: manifold.localContactPoint2(index),
    distance: manifold.contactDist(index),
    impulse: manifold.contactImpulse(index),
  })),
  solverContacts: Array.from({ length: manifold.numSolverContacts() }, (_, index) => ({
    point: manifold.solverContactPoint(index) ?? { x: 0, y: 0, z: 0 },
    distance: manifold.solverContactDist(index),
  })),
});
