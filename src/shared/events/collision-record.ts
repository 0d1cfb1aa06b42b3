/** Writes the records of collisions. Only engines need it; reading them is part of event-record.ts. */
import {
  COLLIDER_A,
  COLLIDER_B,
  COLLISION_WORDS,
  IMPACT,
  IS_SENSOR,
  MAX_POINTS,
  NO_BODY,
  POINT_WORDS,
  writeBodies,
  type EventRecord,
} from './event-record.js';
import type { Collision } from './simulation-event.js';

/** Writes everything except the head. Returns the payload's length in words. */
export function writeCollision(record: EventRecord, collision: Collision): number {
  const { a = NO_BODY, b = NO_BODY, colliderA, colliderB, normal, impulse, points } = collision;
  writeBodies(record, a, b, normal.x, normal.y, normal.z, impulse);
  record.floats[IMPACT] = collision.impactSpeed;
  record.doubles[COLLIDER_A] = colliderA;
  record.doubles[COLLIDER_B] = colliderB;
  record.words[IS_SENSOR] = collision.isSensor ? 1 : 0;
  let length = COLLISION_WORDS;
  for (const { x, y, z, depth } of points.slice(0, MAX_POINTS)) {
    record.floats.set([x, y, z, depth], length);
    length += POINT_WORDS;
  }
  return length;
}
