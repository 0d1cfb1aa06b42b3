/** The reports of a running simulation to the page: events, each stamped with the tick in which it happened. */
import type { BodyId } from '../memory/body-meta.js';
import type { Json } from '../util/json.js';

/** A position, in the simulation's unit; NaN if it is not known, for example when a body is gone. */
export interface Point {
  /** In the simulation's unit; NaN if it is not known. */
  readonly x: number;
  /** Like x. */
  readonly y: number;
  /** Like x. */
  readonly z: number;
}

/** The members of every event. */
export interface EventStamp {
  /** The tick in which it happened. */
  readonly tick: number;
  /**
   * The event is reported late, because the queue was full when it happened or because the run continues from another
   * state. Its tick is then the one in which it is reported, and its position may be unknown.
   */
  readonly isLate: boolean;
  /** The event is of a recording that is shown: what it says has been counted, or is of another run. */
  readonly isReplayed: boolean;
}

/**
 * Two bodies began or ceased to touch. For a pair of bodies, begin and end alternate, however many of their parts
 * touch. `a` is the lower id; anything that is not a body of the snapshot, such as a floor, is undefined and comes
 * last.
 */
export interface ContactEvent extends EventStamp, Point {
  /** Whether they began or ceased to touch. */
  readonly phase: 'begin' | 'end';
  /** The body with the lower id. */
  readonly a: BodyId | undefined;
  /** The other one; undefined if it is not a body of the snapshot. */
  readonly b: BodyId | undefined;
}

/** Two bodies press on each other with a force above the threshold set for them. */
export interface ContactForceEvent extends EventStamp, Point {
  /** The body with the lower id. */
  readonly a: BodyId | undefined;
  /** The other one; undefined if it is not a body of the snapshot. */
  readonly b: BodyId | undefined;
  /**
   * Sum of the magnitudes of the forces between the two, in the simulation's unit (N if lengths are in m and masses in
   * kg).
   */
  readonly force: number;
  /**
   * The engine's number for the collider of the first, as in a {@link CollisionEvent}. NaN, like all that follow, unless
   * Rapier's adapter reports it.
   */
  readonly colliderA: number;
  /** The engine's number for the collider of the second. */
  readonly colliderB: number;
  /** Sum of the forces, along the direction from the first to the second. */
  readonly totalForce: Point;
  /** Direction of the largest of the forces, from the first to the second: a unit vector. */
  readonly maxForceDirection: Point;
  /** Magnitude of the largest of the forces, in the simulation's unit. */
  readonly maxForceMagnitude: number;
}

/** A body entered or left a sensor. For a body and a sensor, enter and leave alternate. */
export interface SensorEvent extends EventStamp, Point {
  /** Whether the body entered or left. */
  readonly phase: 'enter' | 'leave';
  /** Number that the simulation gave the sensor, an unsigned 32-bit integer. */
  readonly sensor: number;
  /** Which body; undefined if it is not a body of the snapshot. */
  readonly body: BodyId | undefined;
}

/** A point at which two colliders touch. */
export interface CollisionPoint extends Point {
  /**
   * How deep the two overlap there, in the simulation's unit. Negative if they are still apart: an engine finds a
   * contact a little before it happens.
   */
  readonly depth: number;
}

/**
 * Two colliders began or ceased to touch: what the engine knows of it. For a pair of colliders, begin and end alternate,
 * however many parts of a mesh or a compound shape touch. `a` is the body with the lower id, or the one that is a body of
 * the snapshot, or else the one whose collider has the lower number.
 *
 * At an end, with a sensor, and if the event is late, there are no points, and the normal and the numbers are NaN.
 */
export interface CollisionEvent extends EventStamp {
  /** Whether they began or ceased to touch. */
  readonly phase: 'begin' | 'end';
  /** The body of the first collider; undefined if it is not a body of the snapshot. */
  readonly a: BodyId | undefined;
  /** The body of the second collider; undefined if it is not a body of the snapshot. */
  readonly b: BodyId | undefined;
  /** The engine's number for the first collider. Stays the same in a restored state, and is not reused. */
  readonly colliderA: number;
  /** The engine's number for the second collider. */
  readonly colliderB: number;
  /** Whether one of the two is a sensor, so that they do not push each other. */
  readonly isSensor: boolean;
  /**
   * Direction from the first to the second at the deepest point: a unit vector. With a mesh or a height field, the mean of
   * its triangles' normals.
   */
  readonly normal: Point;
  /** The deepest points at which they touch, at most four, deepest first. */
  readonly points: readonly CollisionPoint[];
  /**
   * Sum of the impulses along the normals by which the engine kept them apart in the step in which they met, in the
   * simulation's unit (N s if lengths are in m and masses in kg). NaN if the engine does not report it, as Rapier 0.20
   * and 0.21 for meshes and height fields.
   */
  readonly impulse: number;
  /**
   * How fast the two approached each other at the deepest point, along the normal, in the simulation's unit of length
   * per second. Computed from the velocities before the step in which they met, so without what gravity and forces added
   * in that step. Negative if they moved apart.
   */
  readonly impactSpeed: number;
}

/** A collision as the simulation receives it, in its tick. */
export type Collision = Omit<CollisionEvent, keyof EventStamp>;

/** The engine put a body to sleep or woke it. A sleeping body that is removed is reported as awake. */
export interface SleepEvent extends EventStamp {
  /** Which body. */
  readonly body: BodyId;
  /** True: it fell asleep. False: it woke. */
  readonly isAsleep: boolean;
}

/** The library's own events, by name. */
export interface BuiltInEvents {
  /** Two bodies began or ceased to touch. */
  readonly contact: ContactEvent;
  /** Two bodies press on each other with a force above their threshold. */
  readonly contactForce: ContactForceEvent;
  /** A body entered or left a sensor. */
  readonly sensor: SensorEvent;
  /** A body fell asleep or woke. */
  readonly sleep: SleepEvent;
  /** Two colliders began or ceased to touch. */
  readonly collision: CollisionEvent;
}

/** The members of the library's own events, without their stamp and whether something begins or ends. */
export type EventFields = {
  readonly [Name in keyof BuiltInEvents]: Omit<
    BuiltInEvents[Name],
    keyof EventStamp | 'phase' | 'isAsleep'
  >;
};

/**
 * A body has come into the world, or left it: because the simulation spawned or removed it, or because the run jumped to
 * a state in which it lives or does not.
 *
 * @typeParam Tag The tags of bodies.
 */
export interface BodyEvent<Tag = Json> {
  /** The body. */
  readonly id: BodyId;
  /** The tag that it was spawned with; null if it has none. */
  readonly tag: Tag;
  /** The tick of the first state in which it lives, or no longer lives. */
  readonly tick: number;
}

/**
 * The events about bodies, by name.
 *
 * @typeParam Tag The tags of bodies.
 */
export interface BodyEvents<Tag = Json> {
  /** A body lives that did not. */
  readonly spawn: BodyEvent<Tag>;
  /** A body no longer lives. */
  readonly despawn: BodyEvent<Tag>;
}

/** Names that an application passes to `on` and that no custom event may have. */
export type ReservedEventName = keyof BuiltInEvents | keyof BodyEvents | 'status';

/**
 * A simulation's custom events: their names and values, which JSON must be able to represent. The names of the
 * library's events, and `status`, are reserved.
 */
export type EventMap = Record<string, Json> & {
  readonly [Name in ReservedEventName]?: never;
};

/** A custom event of the simulation. */
export interface UserEvent<Value> extends EventStamp {
  /** The value that the simulation passed to `emit`. */
  readonly value: Value;
}
