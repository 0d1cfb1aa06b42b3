/** What a simulation tells the page while it runs: events, each stamped with the tick that it happened in. */
import type { BodyId } from '../memory/body-meta.js';
import type { Json } from '../util/json.js';

/** A place, in the simulation's unit; NaN when it is not known, as when a body is gone. */
export interface Point {
  /** In the simulation's unit; NaN when it is not known. */
  readonly x: number;
  /** As x. */
  readonly y: number;
  /** As x. */
  readonly z: number;
}

/** What every event has. */
export interface EventStamp {
  /** The tick that it happened in. */
  readonly tick: number;
  /**
   * The event is told late, because the queue was full when it happened, or because the run goes on from another
   * state. Its tick is then the one that it is told in, and its place may be unknown.
   */
  readonly isLate: boolean;
}

/**
 * Two bodies began or ceased to touch. For two bodies begin and end alternate, however many of their parts touch.
 * `a` is the lower id; what is no body of the snapshot, such as a floor, is undefined and stands last.
 */
export interface ContactEvent extends EventStamp, Point {
  /** Whether they began or ceased to touch. */
  readonly phase: 'begin' | 'end';
  /** The body with the lower id. */
  readonly a: BodyId | undefined;
  /** The other one; undefined for what is no body of the snapshot. */
  readonly b: BodyId | undefined;
}

/** Two bodies press on each other with a force over the threshold that was set for them. */
export interface ContactForceEvent extends EventStamp, Point {
  /** The body with the lower id. */
  readonly a: BodyId | undefined;
  /** The other one; undefined for what is no body of the snapshot. */
  readonly b: BodyId | undefined;
  /** Sum of the forces between the two, in the simulation's unit (N where lengths are m and masses kg). */
  readonly force: number;
}

/** A body entered or left a sensor. For the two, enter and leave alternate. */
export interface SensorEvent extends EventStamp, Point {
  /** Whether the body entered or left. */
  readonly phase: 'enter' | 'leave';
  /** Number that the simulation gave the sensor, a whole number of 32 bits without sign. */
  readonly sensor: number;
  /** Which body; undefined for what is no body of the snapshot. */
  readonly body: BodyId | undefined;
}

/** The engine let a body sleep or woke it. A body that is removed asleep is told as awake. */
export interface SleepEvent extends EventStamp {
  /** Which body. */
  readonly body: BodyId;
  /** True: it has been let sleep. False: it has been woken. */
  readonly isAsleep: boolean;
}

/** The library's own events, by name. */
export interface BuiltInEvents {
  /** Two bodies began or ceased to touch. */
  readonly contact: ContactEvent;
  /** Two bodies press on each other hard. */
  readonly contactForce: ContactForceEvent;
  /** A body entered or left a sensor. */
  readonly sensor: SensorEvent;
  /** A body fell asleep or woke. */
  readonly sleep: SleepEvent;
}

/** Names that an application hears of by `on` and that no own event may have. */
export type ReservedEventName = keyof BuiltInEvents | 'status';

/**
 * A simulation's own events: name and what they carry, which JSON must be able to hold. The names of the library's events,
 * and `status`, are taken.
 */
export type EventMap = Record<string, Json> & {
  readonly [Name in ReservedEventName]?: never;
};

/** An event of the simulation's own. */
export interface UserEvent<Value> extends EventStamp {
  /** What the simulation gave `emit`. */
  readonly value: Value;
}
