/**
 * The pairs of colliders that touch in a Rapier world. Contacts, sensors and collisions are views of them: a contact is
 * on while any two colliders of its bodies touch, a collision while its two colliders do.
 */
import { PairMap } from '../../shared/events/pair-map.js';
import type { ContactEvent, Point, SensorEvent } from '../../shared/events/simulation-event.js';
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Events } from '../api/events.js';
import type { PairReports } from '../api/pair-reports.js';
import type { AnyCollider, AnyRapier, AnyWorld } from './any-rapier.js';
import { parentOf } from './collider-parent.js';
import { RapierCollisions, sidesOf, type CollisionSides } from './rapier-collisions.js';
import { ContactPoints, UNKNOWN_POINT, type BodyPair } from './rapier-contact-points.js';
import { UNKNOWN_MEETING, type Meeting } from './rapier-meeting.js';
import { WATCH, watchesOf, type ColliderWatches } from './rapier-watches.js';
import type { RapierWorld } from './rapier-world.js';

/** Two colliders that touch, the one with the lower handle first. */
interface ContactPair extends BodyPair {
  readonly handle1: number;
  readonly handle2: number;
  /** One of the two is a sensor, so they do not push each other. */
  readonly isIntersection: boolean;
  /** The sensor numbers of the colliders, if they have one. */
  readonly sensor1: number | undefined;
  readonly sensor2: number | undefined;
  /** It counts for the contact of the bodies, or for the sensor. */
  isContact: boolean;
  /** Its collision is reported. */
  collision: CollisionSides | undefined;
}

/** Receives a contact of the current tick: whose, where, and whether it begins or ends. */
export type ContactHandler = (contact: Omit<ContactEvent, 'tick' | 'isLate'>) => void;
/** Receives a body that enters or leaves a sensor in the current tick. */
export type SensorHandler = (change: Omit<SensorEvent, 'tick' | 'isLate'>) => void;

export class ColliderPairs {
  readonly contactHandlers: ContactHandler[] = [];
  readonly sensorHandlers: SensorHandler[] = [];
  readonly collisions: RapierCollisions;
  readonly points = new ContactPoints();
  readonly #rapier: AnyRapier;
  readonly #physics: RapierWorld<AnyWorld>;
  readonly #reporter: Pick<Events, 'contact' | 'sensor'>;
  readonly #watches: ColliderWatches;
  readonly #pairs = new PairMap<ContactPair>();
  /** Those with a collision. */
  readonly #colliding = new Set<ContactPair>();

  constructor(
    rapier: AnyRapier,
    physics: RapierWorld<AnyWorld>,
    reporter: Pick<Events, 'contact' | 'sensor'> & Partial<PairReports>,
  ) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#reporter = reporter;
    this.#watches = watchesOf(physics);
    this.collisions = new RapierCollisions(reporter);
  }

  /** Ends all, late. */
  endAll(): void {
    for (const pair of this.#pairs.values()) this.#reportEnd(pair, true, UNKNOWN_POINT);
  }

  clear(): void {
    this.#pairs.clear();
    this.#colliding.clear();
  }

  /** Begins the pairs that a watched collider is already part of. */
  beginPresent(collider: AnyCollider): void {
    const { world } = this.#physics;
    if (!this.reportsTouching(collider)) return;
    world.contactPairsWith(collider, (other) => {
      // A pair exists as soon as the bounding boxes overlap.
      if (this.points.isTouching(world, collider, other)) this.begin(collider, other, true);
    });
    world.intersectionPairsWith(collider, (other) => {
      if (world.intersectionPair(collider, other)) this.begin(collider, other, true);
    });
  }

  /** Those that touch, by their handles. */
  *handles(): IterableIterator<readonly [number, number]> {
    for (const { handle1, handle2 } of this.#pairs.values()) yield [handle1, handle2];
  }

  beginBetween(handle1: number, handle2: number, isLate: boolean, meeting?: Meeting): void {
    this.begin(this.colliderOf(handle1), this.colliderOf(handle2), isLate, meeting);
  }

  /** Colliders that are gone were removed in the same tick. */
  begin(
    c1: AnyCollider | undefined,
    c2: AnyCollider | undefined,
    isLate: boolean,
    meeting: Meeting = UNKNOWN_MEETING,
  ): void {
    if (c1 === undefined || c2 === undefined) return;
    if (c1.handle > c2.handle) return this.begin(c2, c1, isLate, meeting);
    const pair = this.#pairs.get(c1.handle, c2.handle) ?? this.#pairOf(c1, c2);
    this.#pairs.set(c1.handle, c2.handle, pair);
    if (!pair.isContact && this.#isContact(c1, c2)) {
      pair.isContact = true;
      const point = pair.isIntersection
        ? this.points.between(pair, c1, c2)
        : this.points.ofContact(this.#physics.world, pair, c1, c2);
      this.#reportPair(pair, true, isLate, point);
    }
    if (pair.collision === undefined && this.isWatched(c1.handle, c2.handle, WATCH.collisions)) {
      pair.collision = sidesOf(pair, c1, c2, this.#watches.numberOf);
      this.#colliding.add(pair);
      this.collisions.report(pair.collision, true, isLate, meeting);
    }
  }

  #pairOf(c1: AnyCollider, c2: AnyCollider): ContactPair {
    const isIntersection = c1.isSensor() || c2.isSensor();
    return {
      a: this.bodyOf(c1),
      b: this.bodyOf(c2),
      handle1: c1.handle,
      handle2: c2.handle,
      isIntersection,
      sensor1: isIntersection ? this.#watches.sensorOf(c1.handle) : undefined,
      sensor2: isIntersection ? this.#watches.sensorOf(c2.handle) : undefined,
      isContact: false,
      collision: undefined,
    };
  }

  /** @param handle1 The lower one. */
  end(handle1: number, handle2: number): void {
    const pair = this.#pairs.get(handle1, handle2);
    if (pair === undefined) return;
    this.#pairs.delete(handle1, handle2);
    const point = this.points.between(pair, this.colliderOf(handle1), this.colliderOf(handle2));
    this.#reportEnd(pair, false, point);
  }

  #reportEnd(pair: ContactPair, isLate: boolean, point: Point): void {
    if (pair.isContact) this.#reportPair(pair, false, isLate, point);
    this.#endCollision(pair, isLate);
  }

  #endCollision(pair: ContactPair, isLate: boolean): void {
    const { collision } = pair;
    if (collision === undefined) return;
    pair.collision = undefined;
    this.#colliding.delete(pair);
    this.collisions.report(collision, false, isLate, UNKNOWN_MEETING);
  }

  /**
   * The engine reports those in its next step, or not at all. Contacts end with their bodies.
   *
   * @returns Whether a handler may have removed more.
   */
  endCollisionsOfRemoved(): boolean {
    let isChanged = false;
    for (const pair of this.#colliding) {
      const { handle1, handle2 } = pair;
      if (this.colliderOf(handle1) !== undefined && this.colliderOf(handle2) !== undefined)
        continue;
      if (!pair.isContact) this.#pairs.delete(handle1, handle2);
      this.#endCollision(pair, false);
      isChanged = true;
    }
    return isChanged && this.collisions.hasHandlers;
  }

  /** Ends those of a collider for which neither is watched any more. */
  endUnwatchedCollisions(handle: number): void {
    for (const pair of this.#colliding) {
      const { handle1, handle2 } = pair;
      if (handle !== handle1 && handle !== handle2) continue;
      if (this.isWatched(handle1, handle2, WATCH.collisions)) continue;
      if (!pair.isContact) this.#pairs.delete(handle1, handle2);
      this.#endCollision(pair, false);
    }
  }

  /** Whether something is watched for in a pair that the engine reports. */
  isWatched(handle1: number, handle2: number, kind: number): boolean {
    return [handle1, handle2].some((handle) => this.#watches.has(handle, kind) === true);
  }

  /** Contacts of colliders are watched for, too, if the application itself made the engine report them. */
  #isContact(c1: AnyCollider, c2: AnyCollider): boolean {
    return [c1, c2].some(
      (collider) =>
        this.#watches.has(collider.handle, WATCH.contacts) ?? this.reportsTouching(collider),
    );
  }

  reportsTouching(collider: AnyCollider): boolean {
    return (collider.activeEvents() & this.#rapier.ActiveEvents.COLLISION_EVENTS) !== 0;
  }

  #reportPair(pair: ContactPair, isOn: boolean, isLate: boolean, point: Point): void {
    const { a, b, sensor1, sensor2 } = pair;
    if (sensor1 !== undefined) this.#reportSensor(sensor1, b, isOn, isLate, point);
    if (sensor2 !== undefined) this.#reportSensor(sensor2, a, isOn, isLate, point);
    if (pair.isIntersection || (a === undefined && b === undefined)) return;
    const { x, y, z } = point;
    const isChange = this.#reporter.contact(a, b, isOn, x, y, z, isLate);
    if (!isChange || isLate || this.contactHandlers.length === 0) return;
    const isOrdered = b === undefined || (a !== undefined && a < b);
    const phase = isOn ? 'begin' : 'end';
    const contact = { phase, a: isOrdered ? a : b, b: isOrdered ? b : a, x, y, z } as const;
    for (const handler of this.contactHandlers) handler(contact);
  }

  #reportSensor(
    sensor: number,
    body: BodyId | undefined,
    isOn: boolean,
    isLate: boolean,
    { x, y, z }: Point,
  ): void {
    const isChange = this.#reporter.sensor(sensor, body, isOn, x, y, z, isLate);
    if (!isChange || isLate || this.sensorHandlers.length === 0) return;
    const phase = isOn ? 'enter' : 'leave';
    for (const handler of this.sensorHandlers) handler({ phase, sensor, body, x, y, z });
  }

  bodyOf(collider: AnyCollider): BodyId | undefined {
    const rigidBody = parentOf(collider);
    return rigidBody === null ? undefined : this.#physics.bodyIdOf(rigidBody);
  }

  colliderOf(handle: number): AnyCollider | undefined {
    // Despite its type this may be null, and the lookup uses only the index in the handle.
    const collider = this.#physics.world.getCollider(handle) as AnyCollider | null;
    return collider?.handle === handle ? collider : undefined;
  }
}
