/** Writes the records of collisions and of contact forces with their colliders. Only engines need it; reading them is part of event-record.ts. */
import {
  COLLIDER_A,
  COLLIDER_B,
  COLLISION_WORDS,
  CONTACT_FORCE_WORDS,
  IMPACT,
  IS_SENSOR,
  MAX_FORCE_DIRECTION,
  MAX_POINTS,
  NO_BODY,
  POINT_WORDS,
  TOTAL_FORCE,
  writeBodies,
  type EventRecord,
} from './event-record.js';
import type { Collision, ContactForce } from './simulation-event.js';

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

/** As {@link writeCollision}, for a contact force. */
export function writeContactForce(record: EventRecord, contact: ContactForce): number {
  const { a = NO_BODY, b = NO_BODY, x, y, z, force, totalForce, maxForceDirection } = contact;
  writeBodies(record, a, b, x, y, z, force);
  record.floats[IMPACT] = contact.maxForceMagnitude;
  record.doubles[COLLIDER_A] = contact.colliderA;
  record.doubles[COLLIDER_B] = contact.colliderB;
  record.floats.set([totalForce.x, totalForce.y, totalForce.z], TOTAL_FORCE);
  const direction = maxForceDirection;
  record.floats.set([direction.x, direction.y, direction.z], MAX_FORCE_DIRECTION);
  return CONTACT_FORCE_WORDS;
}
