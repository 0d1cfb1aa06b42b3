/** What a simulation reports to the page while it runs: events, each stamped with the tick in which it happened. */
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

/** What every event has. */
export interface EventStamp {
  /** The tick in which it happened. */
  readonly tick: number;
  /**
   * The event is reported late, because the queue was full when it happened or because the run continues from another
   * state. Its tick is then the one in which it is reported, and its position may be unknown.
   */
  readonly isLate: boolean;
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
  /** Sum of the forces between the two, in the simulation's unit (N if lengths are in m and masses in kg). */
  readonly force: number;
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
}

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
