/** What handlers of collisions are given, with the names that `@react-three/rapier` gives it. */
import type { Vector } from '../shared/util/vectors.js';
import type { Object3D } from 'three';
import type { EventStamp } from '../shared/events/simulation-event.js';
import type { RapierCollider, RapierRigidBody } from './handle-names.js';
import type { CollisionManifold } from './collision-manifold.js';

/** One of the two sides of a collision. */
export interface CollisionTarget {
  /** The body; undefined for a collider without one. */
  rigidBody?: RapierRigidBody;
  /** The collider. */
  collider: RapierCollider;
  /** The object that the body moves. */
  rigidBodyObject?: Object3D;
  /** The object of the collider's component; undefined if the collider was made for a mesh. */
  colliderObject?: Object3D;
}

/**
 * What a handler of a collision is given. The stamp is always there: it is optional for payloads that tests of applications
 * make, as those of `@react-three/rapier` have none.
 */
export interface CollisionPayload extends CollisionTarget, Partial<EventStamp> {
  /** The side whose handler is called. */
  target: CollisionTarget;
  /** The other side: its members are also those of the payload itself. */
  other: CollisionTarget;
}

/** What `onCollisionEnter` is given. */
export interface CollisionEnterPayload extends CollisionPayload {
  /** Where the two touch. It may be kept. */
  manifold: CollisionManifold;
  /** Whether the first shape of the manifold is that of `other`: then its normal points to `target`. */
  flipped: boolean;
}

/** What `onCollisionExit` is given. */
export type CollisionExitPayload = CollisionPayload;
/** What `onIntersectionEnter` is given. */
export type IntersectionEnterPayload = CollisionPayload;
/** What `onIntersectionExit` is given. */
export type IntersectionExitPayload = CollisionPayload;

/** What `onContactForce` is given. */
export interface ContactForcePayload extends CollisionPayload {
  /** The sum of all forces between the two, in N or the simulation's own unit. */
  totalForce: Vector;
  /** The sum of the magnitudes of all forces, in N or the simulation's own unit. */
  totalForceMagnitude: number;
  /** The direction of the largest force. */
  maxForceDirection: Vector;
  /** The largest force, in N or the simulation's own unit. */
  maxForceMagnitude: number;
}

/** Of `onCollisionEnter`. */
export type CollisionEnterHandler = (payload: CollisionEnterPayload) => void;
/** Of `onCollisionExit`. */
export type CollisionExitHandler = (payload: CollisionExitPayload) => void;
/** Of `onIntersectionEnter`. */
export type IntersectionEnterHandler = (payload: IntersectionEnterPayload) => void;
/** Of `onIntersectionExit`. */
export type IntersectionExitHandler = (payload: IntersectionExitPayload) => void;
/** Of `onContactForce`. */
export type ContactForceHandler = (payload: ContactForcePayload) => void;

/** Of `onSleep` and `onWake`. */
export type SleepHandler = (payload: EventStamp) => void;

/** What is reported of a collider or of a body's colliders. A handler may change from render to render: nothing is sent. */
export interface CollisionHandlers {
  /** It begins to touch another collider. */
  onCollisionEnter?: CollisionEnterHandler | undefined;
  /** It ceases to touch another collider, also because one of the two was removed. */
  onCollisionExit?: CollisionExitHandler | undefined;
  /** It begins to overlap another collider, and one of the two is a sensor. */
  onIntersectionEnter?: IntersectionEnterHandler | undefined;
  /** It ceases to overlap another collider, and one of the two is a sensor. */
  onIntersectionExit?: IntersectionExitHandler | undefined;
  /** It presses on another collider: once per tick. */
  onContactForce?: ContactForceHandler | undefined;
}
