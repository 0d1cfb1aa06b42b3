/** What is around a collider. */
import { dot } from '../../shared/util/vectors.js';
import type { Rapier, RapierWorldOf } from '../../rapier/rapier-builds.js';
import { halfSizesOf } from '../../rapier/half-sizes.js';

type Collider = InstanceType<Rapier['Collider']>;

/** Of a shape that does not say how large it is, in m. */
const UNKNOWN_RADIUS = 100;

/**
 * The colliders of other bodies whose boxes are near, and whose groups let them meet it. The engine's queries with a filter
 * ignore height fields.
 */
export function collidersAround(
  world: RapierWorldOf,
  collider: Collider,
  reach: number,
): Collider[] {
  const near: Collider[] = [];
  const half = halfSizesOf(collider.shape);
  const radius = Math.min(Math.sqrt(dot(half, half)), UNKNOWN_RADIUS) + reach;
  const box = { x: radius, y: radius, z: radius };
  const body = collider.parent();
  world.collidersWithAabbIntersectingAabb(collider.translation(), box, (other) => {
    const isOther = other !== collider && (body === null || other.parent() !== body);
    if (isOther && canMeet(collider, other)) near.push(other);
    return true;
  });
  return near;
}

function canMeet(one: Collider, other: Collider): boolean {
  const [a, b] = [one.collisionGroups(), other.collisionGroups()];
  return ((a >>> 16) & b & 0xffff) !== 0 && ((b >>> 16) & a & 0xffff) !== 0;
}
