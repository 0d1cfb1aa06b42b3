/**
 * Reports what happens in a Rapier world as events: contacts, forces, sensors and sleep.
 *
 * Rapier identifies colliders by handles, but the page knows bodies. The bodies of a pair of colliders are stored when
 * the colliders meet, because Rapier reports the end of a contact only in the step after a collider was removed: its
 * handle is then invalid, or its index refers to a collider that replaced it.
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import { PairMap } from '../../shared/events/pair-map.js';
import type { ContactEvent, Point, SensorEvent } from '../../shared/events/simulation-event.js';
import { requireInteger, requireNumber } from '../../shared/util/validate.js';
import type { Events } from '../api/events.js';
import type {
  AnyCollider,
  AnyContactForceEvent,
  AnyEventQueue,
  AnyRapier,
  AnyRigidBody,
  AnyWorld,
} from './any-rapier.js';
import { MAX_FLOAT32 } from './rapier-builds.js';
import { ContactPoints, UNKNOWN_POINT, type BodyPair } from './rapier-contact-points.js';
import type { RapierWorld } from './rapier-world.js';
import { SleepWatch } from './sleep-watch.js';

/** Receives the events: a simulation's `context.events`. */
export type PairReporter = Pick<Events, 'run' | 'contact' | 'contactForce' | 'sensor' | 'sleep'>;

/** Two colliders that touch. */
interface ContactPair extends BodyPair {
  /** One of the two is a sensor, so they do not push each other. */
  readonly isIntersection: boolean;
  /** The sensor numbers of the colliders, if they have one. */
  readonly sensor1: number | undefined;
  readonly sensor2: number | undefined;
}

/** Receives a contact of the current tick: whose, where, and whether it begins or ends. */
type ContactHandler = (contact: Omit<ContactEvent, 'tick' | 'isLate'>) => void;
/** Receives a body that enters or leaves a sensor in the current tick. */
type SensorHandler = (change: Omit<SensorEvent, 'tick' | 'isLate'>) => void;

/** Reports contacts, forces, sensors and sleep in a Rapier world to the page. */
export class RapierEvents {
  readonly #rapier: AnyRapier;
  readonly #physics: RapierWorld<AnyWorld>;
  readonly #reporter: PairReporter;
  readonly #queue: AnyEventQueue;
  /** Numbers of the sensors, by handle. */
  readonly #sensors = new Map<number, number>();
  readonly #pairs = new PairMap<ContactPair>();
  readonly #sleep: SleepWatch;
  #run: number;
  #world: AnyWorld;
  readonly #points = new ContactPoints();
  readonly #contactHandlers: ContactHandler[] = [];
  readonly #sensorHandlers: SensorHandler[] = [];

  // Created once, to avoid allocations in ticks without events.
  readonly #onCollision = (handle1: number, handle2: number, isTouching: boolean): void => {
    if (isTouching) this.#begin(this.#colliderOf(handle1), this.#colliderOf(handle2), false);
    else this.#end(handle1, handle2);
  };

  /**
   * Collects the world's events from now on. Create only one per world.
   *
   * @param rapier The build that the world belongs to.
   * @param reporter The simulation's `context.events`.
   */
  constructor(rapier: AnyRapier, physics: RapierWorld<AnyWorld>, reporter: PairReporter) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#reporter = reporter;
    this.#run = reporter.run;
    this.#world = physics.world;
    this.#sleep = new SleepWatch(physics.bodies, reporter);
    // Not drained by the step itself: a tick may consist of several steps.
    this.#queue = new rapier.EventQueue(false);
    physics.eventQueue = this.#queue;
  }

  /**
   * Reports the contacts of a collider or rigid body from now on. Of two colliders, only one must be watched. Contacts
   * with things that are not bodies of the snapshot are reported too, but not contacts between two such things.
   *
   * @param watched A collider, or a rigid body with all of its current colliders.
   */
  watchContacts(watched: AnyCollider | AnyRigidBody): void {
    if (!(watched instanceof this.#rapier.RigidBody)) {
      this.#enable(watched, this.#rapier.ActiveEvents.COLLISION_EVENTS);
      this.#beginPresent(watched);
      return;
    }
    for (let index = 0; index < watched.numColliders(); index++) {
      this.watchContacts(watched.collider(index));
    }
  }

  /**
   * Reports each tick in which the force of a contact of this collider exceeds the threshold. If both colliders are
   * watched, the lower threshold applies.
   *
   * @param threshold Sum of the magnitudes of the contact's forces, in the simulation's unit, 0 or more.
   * @throws RangeError if the threshold is negative or not a 32-bit number.
   */
  watchForces(collider: AnyCollider, threshold: number): void {
    requireNumber('threshold', threshold, 0, MAX_FLOAT32);
    collider.setContactForceEventThreshold(threshold);
    this.#enable(collider, this.#rapier.ActiveEvents.CONTACT_FORCE_EVENTS);
  }

  /**
   * Makes a collider a sensor: it pushes nothing, and reports the bodies that enter and leave it.
   *
   * @param number The simulation's number for it, an integer, 0 to 2^32 - 1. Several colliders may form one sensor.
   * @throws RangeError if the number is out of range.
   */
  sensor(collider: AnyCollider, number: number): void {
    requireInteger('the number of a sensor', number, 0, 0xffffffff);
    this.#sensors.set(collider.handle, number);
    collider.setSensor(true);
    this.#enable(collider, this.#rapier.ActiveEvents.COLLISION_EVENTS);
    this.#beginPresent(collider);
  }

  /**
   * Calls a function for each contact that begins or ends, in the tick in which it happens: for rules of the game, which
   * belong to the simulation. Only contacts that are watched; for two bodies, begin and end alternate, however many of
   * their parts touch. In a restored state, contacts that exist already do not begin again; the removal of a body ends
   * its contacts without a call. With a {@link rapierSimulation}, it runs after the scene's `step`, still within the tick.
   *
   * @param handler Depends only on the state of the simulation, like `step`. What it throws, the tick throws.
   */
  onContact(handler: ContactHandler): void {
    this.#contactHandlers.push(handler);
  }

  /** Calls a function for each body that enters or leaves a sensor, as {@link onContact} does. */
  onSensor(handler: SensorHandler): void {
    this.#sensorHandlers.push(handler);
  }

  /** Reports the events of the steps since the last call. Must be called after each `physics.step`. */
  drain(): void {
    const isOtherState = this.#reporter.run !== this.#run || this.#physics.world !== this.#world;
    if (isOtherState) this.#forget();
    this.#queue.drainCollisionEvents(this.#onCollision);
    this.#queue.drainContactForceEvents(this.#reportForce);
    // Rapier reports only changes; in a restored world, pairs may already exist.
    if (isOtherState)
      this.#physics.world.forEachCollider((collider) => this.#beginPresent(collider));
    this.#sleep.report(isOtherState);
  }

  /** Ends the open pairs and frees the engine's memory. May be called before or after freeing the world. */
  free(): void {
    this.#forget();
    if (this.#physics.eventQueue === this.#queue) this.#physics.eventQueue = undefined;
    this.#queue.free();
  }

  /** Ends all pairs. */
  #forget(): void {
    // If the run has changed, the reporter has already ended them, and pairs of the new run may have been reported.
    if (this.#reporter.run === this.#run) {
      for (const pair of this.#pairs.values()) this.#reportPair(pair, false, true, UNKNOWN_POINT);
      this.#sleep.end();
    }
    this.#run = this.#reporter.run;
    this.#world = this.#physics.world;
    this.#pairs.clear();
    this.#sleep.forget();
  }

  #enable(collider: AnyCollider, events: number): void {
    collider.setActiveEvents(collider.activeEvents() | events);
  }

  /** Begins the pairs that a watched collider is already part of. */
  #beginPresent(collider: AnyCollider): void {
    const { world } = this.#physics;
    if ((collider.activeEvents() & this.#rapier.ActiveEvents.COLLISION_EVENTS) === 0) return;
    world.contactPairsWith(collider, (other) => {
      // A pair exists as soon as the bounding boxes overlap.
      if (this.#points.isTouching(world, collider, other)) this.#begin(collider, other, true);
    });
    world.intersectionPairsWith(collider, (other) => {
      if (world.intersectionPair(collider, other)) this.#begin(collider, other, true);
    });
  }

  #begin(c1: AnyCollider | undefined, c2: AnyCollider | undefined, isLate: boolean): void {
    // Removed in the same tick.
    if (c1 === undefined || c2 === undefined) return;
    if (c1.handle > c2.handle) return this.#begin(c2, c1, isLate);
    if (this.#pairs.get(c1.handle, c2.handle) !== undefined) return;
    const isIntersection = c1.isSensor() || c2.isSensor();
    const pair: ContactPair = {
      a: this.#bodyOf(c1),
      b: this.#bodyOf(c2),
      isIntersection,
      sensor1: isIntersection ? this.#sensors.get(c1.handle) : undefined,
      sensor2: isIntersection ? this.#sensors.get(c2.handle) : undefined,
    };
    this.#pairs.set(c1.handle, c2.handle, pair);
    const point = isIntersection
      ? this.#points.between(pair, c1, c2)
      : this.#points.ofContact(this.#physics.world, pair, c1, c2);
    this.#reportPair(pair, true, isLate, point);
  }

  #end(handle1: number, handle2: number): void {
    const first = Math.min(handle1, handle2);
    const second = Math.max(handle1, handle2);
    const pair = this.#pairs.get(first, second);
    if (pair === undefined) return;
    this.#pairs.delete(first, second);
    const point = this.#points.between(pair, this.#colliderOf(first), this.#colliderOf(second));
    this.#reportPair(pair, false, false, point);
  }

  #reportPair(pair: ContactPair, isOn: boolean, isLate: boolean, point: Point): void {
    const { a, b, sensor1, sensor2 } = pair;
    if (sensor1 !== undefined) this.#reportSensor(sensor1, b, isOn, isLate, point);
    if (sensor2 !== undefined) this.#reportSensor(sensor2, a, isOn, isLate, point);
    if (pair.isIntersection || (a === undefined && b === undefined)) return;
    const { x, y, z } = point;
    const isChange = this.#reporter.contact(a, b, isOn, x, y, z, isLate);
    if (!isChange || isLate || this.#contactHandlers.length === 0) return;
    const isOrdered = b === undefined || (a !== undefined && a < b);
    const phase = isOn ? 'begin' : 'end';
    const contact = { phase, a: isOrdered ? a : b, b: isOrdered ? b : a, x, y, z } as const;
    for (const handler of this.#contactHandlers) handler(contact);
  }

  #reportSensor(
    sensor: number,
    body: BodyId | undefined,
    isOn: boolean,
    isLate: boolean,
    { x, y, z }: Point,
  ): void {
    const isChange = this.#reporter.sensor(sensor, body, isOn, x, y, z, isLate);
    if (!isChange || isLate || this.#sensorHandlers.length === 0) return;
    const phase = isOn ? 'enter' : 'leave';
    for (const handler of this.#sensorHandlers) handler({ phase, sensor, body, x, y, z });
  }

  readonly #reportForce = (event: AnyContactForceEvent): void => {
    const c1 = this.#colliderOf(event.collider1());
    const c2 = this.#colliderOf(event.collider2());
    if (c1 === undefined || c2 === undefined) return;
    const bodies = { a: this.#bodyOf(c1), b: this.#bodyOf(c2) };
    if (bodies.a === undefined && bodies.b === undefined) return;
    const { x, y, z } = this.#points.ofContact(this.#physics.world, bodies, c1, c2);
    this.#reporter.contactForce(bodies.a, bodies.b, event.totalForceMagnitude(), x, y, z);
  };

  #bodyOf(collider: AnyCollider): BodyId | undefined {
    // In a restored world, Rapier's `parent()` returns the first rigid body for a collider that has none.
    if (collider.translationWrtParent() === null) return undefined;
    return this.#physics.bodyIdOfCollider(collider);
  }

  #colliderOf(handle: number): AnyCollider | undefined {
    // Despite its type this may be null, and the lookup uses only the index in the handle.
    const collider = this.#physics.world.getCollider(handle) as AnyCollider | null;
    return collider?.handle === handle ? collider : undefined;
  }
}
