/** The events that a simulation reports to the page, as the simulation sees them. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { PairName } from '../../shared/events/pair-events.js';
import type { EventFields, EventMap } from '../../shared/events/simulation-event.js';

/**
 * Reports events to the page: contacts, sensors, sleep, and custom events.
 *
 * @typeParam E The custom events: names and values. Default: any.
 */
export interface Events<E extends EventMap = EventMap> {
  /** Number of restarts and seeks so far, from 0. When it changes, all pairs that are on must be reported again. */
  readonly run: number;
  /**
   * Two bodies began or stopped touching. If several of their parts touch, report each pair of parts: the page is
   * notified when the first pair meets and when the last one parts.
   *
   * @param a Either of the two; undefined if it is not a body of the snapshot.
   * @param x Contact point, in the simulation's unit; NaN if unknown.
   * @param isLate This happened earlier and is reported only now.
   * @returns Whether this began or ended the contact of the two. False if other parts of them touch, or if a body was
   *   removed, which had ended it.
   */
  contact(
    a: BodyId | undefined,
    b: BodyId | undefined,
    isTouching: boolean,
    x: number,
    y: number,
    z: number,
    isLate?: boolean,
  ): boolean;
  /**
   * Two bodies press on each other. Not a pair: each report is delivered or lost.
   *
   * @param a Either of the two; undefined if it is not a body of the snapshot.
   * @param force Sum of the forces between the two, in the simulation's unit.
   * @param x Contact point, in the simulation's unit; NaN if unknown.
   */
  contactForce(
    a: BodyId | undefined,
    b: BodyId | undefined,
    force: number,
    x: number,
    y: number,
    z: number,
  ): void;
  /**
   * A body entered or left a sensor. Several parts of a body are counted as in {@link contact}.
   *
   * @param sensor The simulation's number for the sensor, an integer, 0 to 2^32 - 1.
   * @param x Where, in the simulation's unit; NaN if unknown.
   * @returns Whether the body entered or left. False if other parts of it are inside, or if it was removed, which had
   *   ended it.
   * @throws RangeError if `sensor` is out of range.
   */
  sensor(
    sensor: number,
    body: BodyId | undefined,
    isInside: boolean,
    x: number,
    y: number,
    z: number,
    isLate?: boolean,
  ): boolean;
  /** A body fell asleep or woke up. Reporting the current state again does nothing. */
  sleep(body: BodyId, isAsleep: boolean, isLate?: boolean): void;
  /**
   * Emits a custom event.
   *
   * @param name One that the simulation declares as `events`; not empty, nor that of a built-in event, `spawn`,
   *   `despawn` or `status`.
   * @param value Is copied.
   * @throws TypeError if JSON cannot hold the value; the message names the place in it.
   * @throws RangeError if the name is empty or reserved, or the event is larger than the queue.
   */
  emit<Name extends keyof E & string>(name: Name, value: E[Name]): void;
}

/** The part of `context.events` that is not public: what an engine knows beyond the bodies of a pair. */
export interface PairReports {
  /**
   * Reports that a pair begins or ends. The caller must also report its end.
   *
   * @param fields May lack the details.
   * @returns Whether it begins or ends now. False if it is on several times, or was over.
   */
  pair<Name extends PairName>(
    name: Name,
    fields: Partial<EventFields[Name]>,
    isOn: boolean,
    isLate: boolean,
  ): boolean;
  /** Reports a contact force. Not a pair: each report is delivered or lost. */
  force(fields: Partial<EventFields['contactForce']>): void;
}
