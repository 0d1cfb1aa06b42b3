/** What a simulation tells the page, as it sees it. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Json } from '../../shared/util/json.js';

/** Tells the page what happens: contacts, sensors, sleep, and the simulation's own events. */
export interface Events {
  /**
   * Number of times that the run has started over or gone elsewhere, from 0: after another one, what reports pairs reports
   * those again that are on.
   */
  readonly run: number;
  /**
   * Two bodies began or ceased to touch. Where several parts of them touch, each of them is to be reported: the
   * page is told when the first meets and when the last parts.
   *
   * @param a One of them, in any order; undefined when it is no body of the snapshot.
   * @param x Where, in the simulation's unit; NaN when that is not known.
   * @param isLate It has been so before and is told only now.
   */
  contact(
    a: BodyId | undefined,
    b: BodyId | undefined,
    isTouching: boolean,
    x: number,
    y: number,
    z: number,
    isLate?: boolean,
  ): void;
  /**
   * Two bodies press on each other. Not a pair: each report is told, or lost.
   *
   * @param a One of them, in any order; undefined when it is no body of the snapshot.
   * @param force Sum of the forces between the two, in the simulation's unit.
   * @param x Where, in the simulation's unit; NaN when that is not known.
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
   * A body entered or left a sensor. Several parts of it are counted as with {@link contact}.
   *
   * @param sensor The simulation's number for it, a whole number of 32 bits without sign.
   * @param x Where, in the simulation's unit; NaN when that is not known.
   * @throws RangeError if it is another number.
   */
  sensor(
    sensor: number,
    body: BodyId | undefined,
    isInside: boolean,
    x: number,
    y: number,
    z: number,
    isLate?: boolean,
  ): void;
  /** A body fell asleep or woke up. To report what is known already does nothing. */
  sleep(body: BodyId, isAsleep: boolean, isLate?: boolean): void;
  /**
   * An event of the simulation's own.
   *
   * @param name Any but the names of the library's own events, and `status`.
   * @param value Is copied.
   * @throws TypeError if JSON cannot hold the value; the message names the place in it.
   * @throws RangeError if the name is taken or empty, or the event is larger than the queue.
   */
  emit(name: string, value: Json): void;
}
