/** Collisions: what handlers are given, and where two colliders touch. */
import type { Object3D } from 'three';
import { rotated, type Rotation, type Vector } from '../shared/util/vectors.js';
import {
  CoefficientCombineRule,
  type Collider,
  type WorldCollisionEvent,
} from '../world/page/index.js';
import type { EventStamp } from '../shared/events/simulation-event.js';
import type { RapierCollider, RapierRigidBody } from './rapier-values.js';

/**
 * Where two colliders touch, with the methods of Rapier's `TempContactManifold`. It is a copy, so it may be kept. It has
 * up to four points. Values that the engine does not report with an event are estimated, as the methods say.
 */
export class CollisionManifold {
  readonly #event: WorldCollisionEvent;
  /** Poses of the colliders when the event was reported. */
  readonly #pose1: ColliderPose;
  readonly #pose2: ColliderPose;

  /** @internal */
  constructor(event: WorldCollisionEvent) {
    this.#event = event;
    this.#pose1 = poseOf(event.collider1);
    this.#pose2 = poseOf(event.collider2);
  }

  /** Nothing: there is no memory of the engine's in it. */
  free(): void {}

  /** From the first collider to the second one, in the world. */
  normal(): Vector {
    return { ...this.#event.normal };
  }

  /** The normal, relative to the first collider. */
  localNormal1(): Vector {
    return turnedBack(this.#event.normal, this.#pose1.rotation);
  }

  /** The normal towards the first collider, relative to the second one. */
  localNormal2(): Vector {
    const { x, y, z } = this.#event.normal;
    return turnedBack({ x: -x, y: -y, z: -z }, this.#pose2.rotation);
  }

  /** The index 0: events tell of colliders as a whole. */
  subshape1(): number {
    return 0;
  }

  /** The index 0: events tell of colliders as a whole. */
  subshape2(): number {
    return 0;
  }

  /** 0 to 4. */
  numContacts(): number {
    return this.#event.points.length;
  }

  /**
   * A point on the surface of the first collider, relative to where that was when the event was reported; null if there
   * is none.
   *
   * @param index Of the point, from 0.
   */
  localContactPoint1(index: number): Vector | null {
    return this.#local(index, this.#pose1, -0.5);
  }

  /** Like {@link localContactPoint1}, of the second collider. @param index Of the point, from 0. */
  localContactPoint2(index: number): Vector | null {
    return this.#local(index, this.#pose2, 0.5);
  }

  /**
   * How far the two are apart at a point, in m or the simulation's own unit; negative: how far they overlap.
   *
   * @param index Of the point, from 0.
   */
  contactDist(index: number): number {
    return -(this.#event.points[index]?.depth ?? 0);
  }

  /** The index 0: events do not tell features. @param _index Of the point, from 0. */
  contactFid1(_index: number): number {
    return 0;
  }

  /** The index 0: events do not tell features. @param _index Of the point, from 0. */
  contactFid2(_index: number): number {
    return 0;
  }

  /** The impulse along the normal, divided evenly among the points, in N s. @param _index Of the point, from 0. */
  contactImpulse(_index: number): number {
    return this.#event.impulse / Math.max(1, this.numContacts());
  }

  /** Always 0, in N s: events tell the impulse along the normal. @param _index Of the point, from 0. */
  contactTangentImpulseX(_index: number): number {
    return 0;
  }

  /** Always 0, in N s: events tell the impulse along the normal. @param _index Of the point, from 0. */
  contactTangentImpulseY(_index: number): number {
    return 0;
  }

  /** 0 to 4. */
  numSolverContacts(): number {
    return this.numContacts();
  }

  /** A point in the world; a zero vector if there is none. @param index Of the point, from 0. */
  solverContactPoint(index: number): Vector {
    const { x, y, z } = this.#event.points[index] ?? { x: 0, y: 0, z: 0 };
    return { x, y, z };
  }

  /** Like {@link contactDist}, in m or the simulation's own unit. @param index Of the point, from 0. */
  solverContactDist(index: number): number {
    return this.contactDist(index);
  }

  /** The friction of the two together, from 0. @param _index Of the point, from 0. */
  solverContactFriction(_index: number): number {
    const { collider1: a, collider2: b } = this.#event;
    const rule = Math.max(a.frictionCombineRule(), b.frictionCombineRule());
    return combined(rule as CoefficientCombineRule, a.friction(), b.friction());
  }

  /** The restitution of the two together, from 0. @param _index Of the point, from 0. */
  solverContactRestitution(_index: number): number {
    const { collider1: a, collider2: b } = this.#event;
    const rule = Math.max(a.restitutionCombineRule(), b.restitutionCombineRule());
    return combined(rule as CoefficientCombineRule, a.restitution(), b.restitution());
  }

  /** Always zero: no conveyor belts. @param _index Of the point, from 0. */
  solverContactTangentVelocity(_index: number): Vector {
    return { x: 0, y: 0, z: 0 };
  }

  /** @param share How far a collider's surface is from the point, in distances of the two along the normal. */
  #local(index: number, { translation, rotation }: ColliderPose, share: number): Vector | null {
    const point = this.#event.points[index];
    if (point === undefined) return null;
    const { normal } = this.#event;
    const along = share * this.contactDist(index);
    return turnedBack(
      {
        x: point.x + along * normal.x - translation.x,
        y: point.y + along * normal.y - translation.y,
        z: point.z + along * normal.z - translation.z,
      },
      rotation,
    );
  }
}

interface ColliderPose {
  readonly translation: Vector;
  readonly rotation: Rotation;
}

const poseOf = (collider: Collider): ColliderPose => ({
  translation: collider.translation(),
  rotation: collider.rotation(),
});

/** Turns a vector of the world into one relative to something with a rotation. */
const turnedBack = (value: Readonly<Vector>, { x, y, z, w }: Readonly<Rotation>): Vector =>
  rotated({ x: -x, y: -y, z: -z, w }, value);

function combined(rule: CoefficientCombineRule, a: number, b: number): number {
  switch (rule) {
    case CoefficientCombineRule.Average:
      return (a + b) / 2;
    case CoefficientCombineRule.Min:
      return Math.min(a, b);
    case CoefficientCombineRule.Multiply:
      return a * b;
    case CoefficientCombineRule.Max:
      return Math.max(a, b);
  }
}

/** One of the two colliders of a collision, and its body. */
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
 * The argument of a handler of a collision. The stamp is always there: it is optional for payloads that tests of applications
 * make, as those of `@react-three/rapier` have none.
 */
export interface CollisionPayload extends CollisionTarget, Partial<EventStamp> {
  /** The one whose handler is called. */
  target: CollisionTarget;
  /** The other one: its members are also those of the payload itself. */
  other: CollisionTarget;
}

/** The argument of `onCollisionEnter`. */
export interface CollisionEnterPayload extends CollisionPayload {
  /** Where the two touch. It may be kept. */
  manifold: CollisionManifold;
  /** Whether the first shape of the manifold is that of `other`: then its normal points to `target`. */
  flipped: boolean;
}

/** The argument of `onCollisionExit`. */
export type CollisionExitPayload = CollisionPayload;
/** The argument of `onIntersectionEnter`. */
export type IntersectionEnterPayload = CollisionPayload;
/** The argument of `onIntersectionExit`. */
export type IntersectionExitPayload = CollisionPayload;

/** The argument of `onContactForce`. */
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

/** The type of `onCollisionEnter`. */
export type CollisionEnterHandler = (payload: CollisionEnterPayload) => void;
/** The type of `onCollisionExit`. */
export type CollisionExitHandler = (payload: CollisionExitPayload) => void;
/** The type of `onIntersectionEnter`. */
export type IntersectionEnterHandler = (payload: IntersectionEnterPayload) => void;
/** The type of `onIntersectionExit`. */
export type IntersectionExitHandler = (payload: IntersectionExitPayload) => void;
/** The type of `onContactForce`. */
export type ContactForceHandler = (payload: ContactForcePayload) => void;

/** The type of `onSleep` and `onWake`. */
export type SleepHandler = (payload: EventStamp) => void;

/** The handlers of a collider or of a body's colliders. A handler may change from render to render: nothing is sent. */
export interface CollisionHandlers {
  /** Called when it begins to touch another collider. */
  onCollisionEnter?: CollisionEnterHandler | undefined;
  /** Called when it ceases to touch another collider, also because one of the two was removed. */
  onCollisionExit?: CollisionExitHandler | undefined;
  /** Called when it begins to overlap another collider, and one of the two is a sensor. */
  onIntersectionEnter?: IntersectionEnterHandler | undefined;
  /** Called when it ceases to overlap another collider, and one of the two is a sensor. */
  onIntersectionExit?: IntersectionExitHandler | undefined;
  /** Called once per tick while it presses on another collider. */
  onContactForce?: ContactForceHandler | undefined;
}
