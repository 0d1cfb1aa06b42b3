/**
 * The pairs of colliders that touch in a Rapier world. Contacts, sensors and collisions are views of them: a contact is
 * on while any two colliders of its bodies touch, a collision while its two colliders do.
 */
import { inOrder } from '../shared/events/pair-events.js';
import { PairMap } from '../shared/events/pair-map.js';
import type {
  ContactEvent,
  EventStamp,
  Point,
  SensorEvent,
  Collision,
} from '../shared/events/simulation-event.js';
import type { BodyId } from '../shared/memory/body-meta.js';
import type { Events, PairReports } from '../sim-worker/api/events.js';
import { parentOf, type AnyCollider, type AnyRapier, type AnyWorld } from './any-rapier.js';
import { ContactPoints, UNKNOWN_POINT, UNKNOWN_IMPACT, type Impact } from './contact-points.js';
import {
  WATCH,
  watchesOf,
  type ColliderWatches,
  type TouchingPair,
  type BodyPair,
  type CollisionOf,
} from './rapier-watches.js';
import type { RapierWorld } from './rapier-world.js';

/** Receives a contact of the current tick: whose, where, and whether it begins or ends. */
export type ContactHandler = (contact: Omit<ContactEvent, keyof EventStamp>) => void;
/** Receives a body that enters or leaves a sensor in the current tick. */
export type SensorHandler = (change: Omit<SensorEvent, keyof EventStamp>) => void;
/** Receives a collision in the tick in which it begins or ends. */
export type CollisionHandler = (collision: Collision) => void;

export class ColliderPairs {
  readonly contactHandlers: ContactHandler[] = [];
  readonly sensorHandlers: SensorHandler[] = [];
  readonly collisionHandlers: CollisionHandler[] = [];
  readonly points = new ContactPoints();
  readonly rapier: AnyRapier;
  readonly #physics: RapierWorld<AnyWorld>;
  /** One without `pair` leaves out the collisions on the page. */
  readonly #reporter: Pick<Events, 'contact' | 'sensor'> & Partial<PairReports>;
  readonly #watches: ColliderWatches;
  readonly #pairs = new PairMap<TouchingPair>();
  /** The pairs with a collision. */
  readonly #colliding = new Set<TouchingPair>();

  constructor(
    rapier: AnyRapier,
    physics: RapierWorld<AnyWorld>,
    reporter: Pick<Events, 'contact' | 'sensor'> & Partial<PairReports>,
  ) {
    this.rapier = rapier;
    this.#physics = physics;
    this.#reporter = reporter;
    this.#watches = watchesOf(physics);
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

  /** All pairs that touch. */
  values(): IterableIterator<TouchingPair> {
    return this.#pairs.values();
  }

  /**
   * All pairs that touch, for {@link beginRestored}: collisions in the order in which they end if their colliders are removed
   * together, and without what has ended with a body that is gone.
   */
  *toSave(): IterableIterator<TouchingPair> {
    for (const pair of this.#pairs.values())
      if (!this.#colliding.has(pair)) yield this.#living(pair);
    for (const pair of this.#colliding) yield this.#living(pair);
  }

  /** Contacts end with either body, a sensor's with the one inside. The engine says so only in its next step. */
  #living(pair: TouchingPair): TouchingPair {
    const { bodies } = this.#physics;
    const isGone = (id: BodyId | undefined): boolean => id !== undefined && !bodies.isAlive(id);
    const [isGoneA, isGoneB] = [isGone(pair.a), isGone(pair.b)];
    if (!isGoneA && !isGoneB) return pair;
    return {
      ...pair,
      sensor1: isGoneB ? undefined : pair.sensor1,
      sensor2: isGoneA ? undefined : pair.sensor2,
      isContact: pair.isContact && pair.isIntersection,
    };
  }

  /**
   * Begins a pair of a restored state again, late. Either collider may be gone by now: its end then follows as in the run
   * that was saved.
   */
  beginRestored(restored: TouchingPair): void {
    const { handle1, handle2 } = restored;
    const pair = { ...restored };
    this.#pairs.set(handle1, handle2, pair);
    const [c1, c2] = [this.colliderOf(handle1), this.colliderOf(handle2)];
    if (pair.isContact) this.#reportContact(pair, true, true, this.#pointOf(pair, c1, c2));
    if (pair.collision !== undefined) this.#beginCollision(pair, pair.collision, true);
  }

  beginBetween(handle1: number, handle2: number, isLate: boolean, impact?: Impact): void {
    this.begin(this.colliderOf(handle1), this.colliderOf(handle2), isLate, impact);
  }

  /** Colliders that are gone were removed in the same tick. */
  begin(
    c1: AnyCollider | undefined,
    c2: AnyCollider | undefined,
    isLate: boolean,
    impact?: Impact,
  ): void {
    if (c1 === undefined || c2 === undefined) return;
    if (c1.handle > c2.handle) return this.begin(c2, c1, isLate, impact);
    const pair = this.#pairs.get(c1.handle, c2.handle) ?? this.#pairOf(c1, c2);
    this.#pairs.set(c1.handle, c2.handle, pair);
    if (!pair.isContact && this.#isContact(c1, c2)) {
      pair.isContact = true;
      this.#reportContact(pair, true, isLate, this.#pointOf(pair, c1, c2));
    }
    if (pair.collision === undefined && this.isWatched(c1.handle, c2.handle, WATCH.collisions)) {
      this.#beginCollision(pair, collisionOf(c1, c2, this.#watches.numberOf), isLate, impact);
    }
  }

  #pointOf(pair: TouchingPair, c1: AnyCollider | undefined, c2: AnyCollider | undefined): Point {
    return pair.isIntersection || c1 === undefined || c2 === undefined
      ? this.points.between(pair, c1, c2)
      : this.points.ofContact(this.#physics.world, pair, c1, c2);
  }

  #pairOf(c1: AnyCollider, c2: AnyCollider): TouchingPair {
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

  #reportEnd(pair: TouchingPair, isLate: boolean, point: Point): void {
    if (pair.isContact) this.#reportContact(pair, false, isLate, point);
    this.#endCollision(pair, isLate);
  }

  #beginCollision(pair: TouchingPair, collision: CollisionOf, isLate: boolean, impact?: Impact) {
    pair.collision = collision;
    this.#colliding.add(pair);
    this.#reportCollision(pair, collision, true, isLate, impact);
  }

  #endCollision(pair: TouchingPair, isLate: boolean): void {
    const { collision } = pair;
    if (collision === undefined) return;
    pair.collision = undefined;
    this.#colliding.delete(pair);
    this.#reportCollision(pair, collision, false, isLate);
  }

  /**
   * Ends the collisions of removed colliders, which the engine reports in its next step or not at all. Contacts end with
   * their bodies.
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
    return isChanged && this.collisionHandlers.length > 0;
  }

  /** Ends the collisions of a collider for which neither is watched any more. */
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
    return (collider.activeEvents() & this.rapier.ActiveEvents.COLLISION_EVENTS) !== 0;
  }

  #reportContact(pair: TouchingPair, isOn: boolean, isLate: boolean, point: Point): void {
    const { a, b, sensor1, sensor2 } = pair;
    if (sensor1 !== undefined) this.#reportSensor(sensor1, b, isOn, isLate, point);
    if (sensor2 !== undefined) this.#reportSensor(sensor2, a, isOn, isLate, point);
    if (pair.isIntersection || (a === undefined && b === undefined)) return;
    const { x, y, z } = point;
    const isChange = this.#reporter.contact(a, b, isOn, x, y, z, isLate);
    if (!isChange || isLate || this.contactHandlers.length === 0) return;
    const [first, second] = inOrder(a, b);
    const contact = { phase: isOn ? 'begin' : 'end', a: first, b: second, x, y, z } as const;
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
    const change = { phase: isOn ? 'enter' : 'leave', sensor, body, x, y, z } as const;
    for (const handler of this.sensorHandlers) handler(change);
  }

  #reportCollision(
    pair: TouchingPair,
    collision: CollisionOf,
    isOn: boolean,
    isLate: boolean,
    impact?: Impact,
  ): void {
    const { ordered, isSwapped } = orderedPair(pair, collision);
    const fields = Object.assign(ordered, impact && isSwapped ? flipped(impact) : impact);
    this.#reporter.pair?.('collision', fields, isOn, isLate);
    if (isLate || this.collisionHandlers.length === 0) return;
    const reported = { phase: isOn ? 'begin' : 'end', ...UNKNOWN_IMPACT, ...fields } as const;
    for (const handler of this.collisionHandlers) handler(reported);
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

/** @param numberOf The number by which the page knows a collider. */
export const collisionOf = (
  c1: AnyCollider,
  c2: AnyCollider,
  numberOf: (collider: AnyCollider) => number,
): CollisionOf => ({
  number1: numberOf(c1),
  number2: numberOf(c2),
  isSensor: c1.isSensor() || c2.isSensor(),
});

/** The pair of a collision in the order of its event, and whether the first one is the second of the colliders. */
export function orderedPair(pair: BodyPair, { number1, number2, isSensor }: CollisionOf) {
  const [a, b] = inOrder(pair.a, pair.b);
  const isSwapped = a !== pair.a;
  const [colliderA, colliderB] = isSwapped ? [number2, number1] : [number1, number2];
  return { ordered: { a, b, isSensor, colliderA, colliderB }, isSwapped };
}

function flipped(impact: Impact): Impact {
  const { x, y, z } = impact.normal;
  return { ...impact, normal: { x: -x, y: -y, z: -z } };
}
