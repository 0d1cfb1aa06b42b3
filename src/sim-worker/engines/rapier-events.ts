/**
 * What happens in a Rapier world, as events: contacts, forces, sensors, and bodies that fall asleep.
 *
 *     step(dt) {
 *       physics.step(dt);    Rapier fills its queue of events
 *       rapierEvents.drain();   and here they are told, with the tick's stamp
 *     }
 *
 * Rapier tells of colliders, by handles; the page knows bodies. Which bodies a pair of colliders meant is kept
 * from when they met, because Rapier tells of the end of a contact only in the step after a collider was removed:
 * its handle then leads nowhere, or, by its index alone, to a collider that took its place.
 */
import type {
  Collider,
  EventQueue,
  RigidBody,
  TempContactForceEvent,
  World,
} from '@dimforge/rapier3d-simd-compat';
import { BODY_ASLEEP, IDENTITY_MASK, bodyId, type BodyId } from '../../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../shared/memory/layout.js';
import { PairMap } from '../../shared/events/pair-map.js';
import type { Point } from '../../shared/events/simulation-event.js';
import { requireInteger, requireNumber } from '../../shared/util/validate.js';
import type { Events } from '../api/events.js';
import { registryOf } from '../bodies/body-registry.js';
import { MAX_FLOAT32 } from './float32.js';
import type { Rapier } from './rapier-builds.js';
import { ContactPoints, UNKNOWN_POINT, type BodyPair } from './rapier-contact-points.js';
import type { RapierWorld } from './rapier-world.js';

/** What the events are told to: a simulation's `context.events`. */
export type PairReporter = Pick<Events, 'run' | 'contact' | 'contactForce' | 'sensor' | 'sleep'>;

/** Two colliders that touch. */
interface ContactPair extends BodyPair {
  /** One of the two is a sensor: they do not push each other. */
  readonly isIntersection: boolean;
  /** Numbers of those that are sensors with a number. */
  readonly sensor1: number | undefined;
  readonly sensor2: number | undefined;
}

const SLEEP_BITS = IDENTITY_MASK | BODY_ASLEEP;
/** Bits of the meta lane that say which body has the slot; see body-meta.ts. */
const GENERATION_MASK = 0xfff;

/** Tells the page what touches, presses, enters and sleeps in a world of Rapier. */
export class RapierEvents {
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  readonly #reporter: PairReporter;
  readonly #queue: EventQueue;
  /** Numbers of the sensors, by handle. */
  readonly #sensors = new Map<number, number>();
  readonly #pairs = new PairMap<ContactPair>();
  /** By slot: who had it and whether that one slept, as told last. */
  readonly #slept: Int32Array;
  #slotLimit = 0;
  #run: number;
  #world: World;
  readonly #points = new ContactPoints();

  // One function each for all steps: nothing is allocated for a tick without events.
  readonly #onCollision = (handle1: number, handle2: number, isTouching: boolean): void => {
    if (isTouching) this.#begin(this.#colliderOf(handle1), this.#colliderOf(handle2), false);
    else this.#end(handle1, handle2);
  };
  readonly #onForce = (event: TempContactForceEvent): void => this.#reportForce(event);

  /**
   * Has the world's events collected from now on. One such object for a world.
   *
   * @param rapier The build that the world is of.
   * @param reporter The simulation's `context.events`.
   */
  constructor(rapier: Rapier, physics: RapierWorld, reporter: PairReporter) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#reporter = reporter;
    this.#run = reporter.run;
    this.#world = physics.world;
    this.#slept = new Int32Array(physics.bodies.capacity);
    // Not drained by the step itself: a tick may be several steps.
    this.#queue = new rapier.EventQueue(false);
    physics.eventQueue = this.#queue;
  }

  /**
   * Tells from now on when this touches something: of two colliders, one has to be watched. A contact with
   * something that is no body of the snapshot is told too; one between two such is not.
   *
   * @param watched A collider, or a rigid body with all colliders that it has now.
   */
  watchContacts(watched: Collider | RigidBody): void {
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
   * Tells in each tick in which a contact of this collider presses harder than that. Of two colliders that are
   * watched, the lower threshold holds.
   *
   * @param threshold Sum of the magnitudes of the contact's forces, in the simulation's unit, 0 or more.
   * @throws RangeError if it is negative or no 32-bit number.
   */
  watchForces(collider: Collider, threshold: number): void {
    requireNumber('threshold', threshold, 0, MAX_FLOAT32);
    collider.setContactForceEventThreshold(threshold);
    this.#enable(collider, this.#rapier.ActiveEvents.CONTACT_FORCE_EVENTS);
  }

  /**
   * Makes a collider a sensor: it pushes nothing, and tells who enters and leaves it.
   *
   * @param number The simulation's number for it, a whole number of 32 bits without sign. Several colliders may
   *   be one sensor.
   * @throws RangeError if it is another number.
   */
  sensor(collider: Collider, number: number): void {
    requireInteger('the number of a sensor', number, 0, 0xffffffff);
    this.#sensors.set(collider.handle, number);
    collider.setSensor(true);
    this.#enable(collider, this.#rapier.ActiveEvents.COLLISION_EVENTS);
    this.#beginPresent(collider);
  }

  /** Tells what happened in the steps since the last call. After each `physics.step`. */
  drain(): void {
    const isOtherState = this.#isOtherState;
    if (isOtherState) this.#forget();
    this.#queue.drainCollisionEvents(this.#onCollision);
    this.#queue.drainContactForceEvents(this.#onForce);
    // Rapier tells of changes alone; in a restored world much has begun before.
    if (isOtherState)
      this.#physics.world.forEachCollider((collider) => this.#beginPresent(collider));
    this.#reportSleep(isOtherState);
  }

  /** Ends what is open and frees the engine's memory. Before or after that of the world. */
  free(): void {
    this.#forget();
    if (this.#physics.eventQueue === this.#queue) this.#physics.eventQueue = undefined;
    this.#queue.free();
  }

  /** The run started over, or goes on from another state. */
  get #isOtherState(): boolean {
    return this.#reporter.run !== this.#run || this.#physics.world !== this.#world;
  }

  /** What began is over. */
  #forget(): void {
    // In another run the reporter has forgotten it, and what is on now may have been told already.
    if (this.#reporter.run === this.#run) this.#endAll();
    this.#run = this.#reporter.run;
    this.#world = this.#physics.world;
    this.#pairs.clear();
    this.#slept.fill(0);
  }

  #endAll(): void {
    for (const pair of this.#pairs.values()) this.#reportPair(pair, false, true, UNKNOWN_POINT);
    this.#slept.forEach((meta, slot) => {
      if ((meta & BODY_ASLEEP) !== 0) this.#reporter.sleep(idOf(slot, meta), false, true);
    });
  }

  #enable(collider: Collider, events: number): void {
    collider.setActiveEvents(collider.activeEvents() | events);
  }

  /** Begins what a collider that is watched is in already. */
  #beginPresent(collider: Collider): void {
    const { world } = this.#physics;
    if ((collider.activeEvents() & this.#rapier.ActiveEvents.COLLISION_EVENTS) === 0) return;
    world.contactPairsWith(collider, (other) => {
      // A pair is there as soon as the boxes around the two overlap.
      if (this.#points.isTouching(world, collider, other)) this.#begin(collider, other, true);
    });
    world.intersectionPairsWith(collider, (other) => {
      if (world.intersectionPair(collider, other)) this.#begin(collider, other, true);
    });
  }

  #begin(c1: Collider | undefined, c2: Collider | undefined, isLate: boolean): void {
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

  #reportPair(pair: ContactPair, isOn: boolean, isLate: boolean, { x, y, z }: Point): void {
    const { a, b, sensor1, sensor2 } = pair;
    const reporter = this.#reporter;
    if (sensor1 !== undefined) reporter.sensor(sensor1, b, isOn, x, y, z, isLate);
    if (sensor2 !== undefined) reporter.sensor(sensor2, a, isOn, x, y, z, isLate);
    if (pair.isIntersection || (a === undefined && b === undefined)) return;
    reporter.contact(a, b, isOn, x, y, z, isLate);
  }

  #reportForce(event: TempContactForceEvent): void {
    const c1 = this.#colliderOf(event.collider1());
    const c2 = this.#colliderOf(event.collider2());
    if (c1 === undefined || c2 === undefined) return;
    const bodies = { a: this.#bodyOf(c1), b: this.#bodyOf(c2) };
    if (bodies.a === undefined && bodies.b === undefined) return;
    const { x, y, z } = this.#points.ofContact(this.#physics.world, bodies, c1, c2);
    this.#reporter.contactForce(bodies.a, bodies.b, event.totalForceMagnitude(), x, y, z);
  }

  /** Told are all bodies of the snapshot that are marked as asleep, those of other engines too. */
  #reportSleep(isLate: boolean): void {
    const { lanes, bodyLimit } = registryOf(this.#physics.bodies);
    this.#slotLimit = Math.max(this.#slotLimit, bodyLimit);
    for (let slot = 0; slot < this.#slotLimit; slot++) {
      const meta = (lanes[slot * BODY_LANES + LANE.meta] ?? 0) & SLEEP_BITS;
      const before = this.#slept[slot] ?? 0;
      if (meta !== before) this.#reportSleepOf(slot, before, meta, isLate);
    }
  }

  #reportSleepOf(slot: number, before: number, meta: number, isLate: boolean): void {
    this.#slept[slot] = meta;
    const isSameBody = ((before ^ meta) & IDENTITY_MASK) === 0;
    // A body that is removed asleep does not sleep on.
    if ((before & BODY_ASLEEP) !== 0) {
      if (isSameBody) return this.#reporter.sleep(idOf(slot, meta), false);
      this.#reporter.sleep(idOf(slot, before), false);
    }
    if ((meta & BODY_ASLEEP) !== 0) {
      this.#reporter.sleep(idOf(slot, meta), true, isLate);
    }
  }

  #bodyOf(collider: Collider): BodyId | undefined {
    // In a restored world, Rapier's `parent()` of a collider without one is the first rigid body that there is.
    if (collider.translationWrtParent() === null) return undefined;
    return this.#physics.bodyIdOfCollider(collider);
  }

  #colliderOf(handle: number): Collider | undefined {
    // Whatever its type says, there may be none; and the look-up goes by the index in the handle alone.
    const collider = this.#physics.world.getCollider(handle) as Collider | null;
    return collider?.handle === handle ? collider : undefined;
  }
}

function idOf(slot: number, meta: number): BodyId {
  return bodyId(slot, meta & GENERATION_MASK);
}
