/** What a world reports while it runs, with its own handles. */
import type {
  CollisionEvent,
  ContactForceEvent,
  EventStamp,
} from '../../shared/events/simulation-event.js';
import type { EventHandlerOptions } from '../../render-main/api/event-handler.js';
import type { Collider } from './collider.js';
import type { RigidBody } from './rigid-body.js';

/**
 * Two colliders began or ceased to touch: reported if `ActiveEvents.COLLISION_EVENTS` is set of one of them. For a pair of
 * colliders, begin and end alternate, however many parts of a mesh touch. The removal of a collider ends its collisions:
 * its handle is no longer valid then, but still knows its body. If the active events change while two touch, their
 * collision begins or ends with the change.
 *
 * At an end, with a sensor, and if the event is late, there are no points, and the normal and the numbers are NaN.
 */
export interface WorldCollisionEvent
  extends
    EventStamp,
    Pick<CollisionEvent, 'isSensor' | 'normal' | 'points' | 'impulse' | 'impactSpeed'> {
  /** Whether they began to touch; false: they ceased to. */
  readonly started: boolean;
  /** The first one. */
  readonly collider1: Collider;
  /** The second one: the normal points to it. */
  readonly collider2: Collider;
}

/**
 * Two colliders press on each other: reported in each tick in which the force exceeds the lower of their thresholds, if
 * `ActiveEvents.CONTACT_FORCE_EVENTS` is set of one of them.
 */
export interface WorldContactForceEvent
  extends
    EventStamp,
    Pick<ContactForceEvent, 'totalForce' | 'maxForceDirection' | 'maxForceMagnitude'> {
  /** The first one. */
  readonly collider1: Collider;
  /** The second one: the forces point to it. */
  readonly collider2: Collider;
  /** Sum of the magnitudes of all forces between the two, in N or the simulation's own unit. */
  readonly totalForceMagnitude: number;
}

/** A body fell asleep, or woke. */
export interface WorldSleepEvent extends EventStamp {
  /** Which one. */
  readonly body: RigidBody;
}

/** What a world reports, by name. */
export interface WorldEvents {
  /** Two colliders began or ceased to touch. */
  readonly collision: WorldCollisionEvent;
  /** Two colliders press on each other with a force above their threshold. */
  readonly contactForce: WorldContactForceEvent;
  /** A body fell asleep. */
  readonly sleep: WorldSleepEvent;
  /** A body woke. */
  readonly wake: WorldSleepEvent;
}

/** Calls a handler for every event with a given name. */
export type OnWorldEvent = <Name extends keyof WorldEvents>(
  name: Name,
  handler: (event: WorldEvents[Name]) => void,
  options?: EventHandlerOptions,
) => () => void;
