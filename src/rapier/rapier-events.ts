/**
 * Reports what happens in a Rapier world as events: contacts, forces, sensors and sleep.
 *
 * Rapier identifies colliders by handles, but the page knows bodies. The bodies of a pair of colliders are stored when
 * the colliders meet, because Rapier reports the end of a contact only in the step after a collider was removed: its
 * handle is then invalid, or its index refers to a collider that replaced it.
 */
import {
  BODY_ASLEEP,
  GENERATION_MASK,
  IDENTITY_MASK,
  bodyId,
  type BodyId,
} from '../shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../shared/memory/layout.js';
import { requireInteger, requireNumber } from '../shared/util/validate.js';
import type { Bodies } from '../sim-worker/api/bodies.js';
import type { Events } from '../sim-worker/api/events.js';
import { registryOf } from '../sim-worker/bodies/body-registry.js';
import type {
  AnyCollider,
  AnyEventQueue,
  AnyRapier,
  AnyRigidBody,
  AnyWorld,
} from './any-rapier.js';
import type { Impact } from './contact-points.js';
import * as LIMITS from '../shared/util/limits.js';
import { RapierForces } from './rapier-forces.js';
import {
  type CollisionHandler,
  ColliderPairs,
  type ContactHandler,
  type SensorHandler,
} from './rapier-pairs.js';
import { WATCH, watchesOf, type ColliderWatches } from './rapier-watches.js';
import type { RapierWorld, StepWatch } from './rapier-world.js';

/** Receives the events: a simulation's `context.events`. */
export type PairReporter = Pick<Events, 'run' | 'contact' | 'contactForce' | 'sensor' | 'sleep'>;

/** A report of the engine about two colliders after a step. */
interface TouchChange {
  readonly handle1: number;
  readonly handle2: number;
  readonly isTouching: boolean;
  /** If they are watched for collisions. */
  readonly impact: Impact | undefined;
}

/** Reports contacts, forces, sensors and sleep in a Rapier world to the page. */
export class RapierEvents {
  readonly #rapier: AnyRapier;
  readonly #physics: RapierWorld<AnyWorld>;
  readonly #reporter: PairReporter;
  readonly #queue: AnyEventQueue;
  readonly #watches: ColliderWatches;
  readonly #pairs: ColliderPairs;
  readonly #forces: RapierForces;
  /** Since the last drain. */
  #changes: TouchChange[] = [];
  /** The world's `restoreCount` when the changes were collected. */
  #changesRestoreCount: number;
  readonly #sleep: SleepWatch;
  #run: number;
  /** The world's `restoreCount` when the pairs were noted. */
  #pairsRestoreCount: number;
  /** The world's `restoreCount` at the last drain: after another restore, what touches is what was restored. */
  #drainedRestoreCount: number;
  /** Since the last drain. */
  #hasMoved = false;

  // Created once, to avoid allocations in ticks without events.
  readonly #onChange = (one: number, other: number, isTouching: boolean): void => {
    const handle1 = Math.min(one, other);
    const handle2 = Math.max(one, other);
    const isCollision = isTouching && this.#pairs.isWatched(handle1, handle2, WATCH.collisions);
    const c1 = isCollision ? this.#pairs.colliderOf(handle1) : undefined;
    const c2 = isCollision ? this.#pairs.colliderOf(handle2) : undefined;
    const impact = c1 && c2 && this.#pairs.points.impact(this.#physics.world, c1, c2);
    this.#changes.push({ handle1, handle2, isTouching, impact });
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
    this.#watches = watchesOf(physics);
    this.#pairs = new ColliderPairs(rapier, physics, reporter);
    this.#forces = new RapierForces(physics, this.#pairs, reporter);
    // The pairs of a restored world begin with the first drain in it; it may be saved before.
    this.#watches.pairs = () =>
      physics.restoreCount === this.#pairsRestoreCount
        ? this.#pairs.toSave()
        : this.#watches.restoredPairs;
    this.#run = reporter.run;
    this.#changesRestoreCount = physics.restoreCount;
    this.#pairsRestoreCount = physics.restoreCount;
    this.#drainedRestoreCount = physics.restoreCount;
    this.#sleep = new SleepWatch(physics.bodies, reporter);
    // Not drained by the step itself: a tick may consist of several steps.
    this.#queue = new rapier.EventQueue(false);
    physics.eventQueue = this.#queue;
    physics.stepWatch = this.#stepWatch;
  }

  /**
   * Reports the contacts of a collider or rigid body from now on. Of two colliders, only one must be watched. Contacts
   * with things that are not bodies of the snapshot are reported too, but not contacts between two such things.
   *
   * @param watched A collider, or a rigid body with all of its current colliders.
   */
  watchContacts(watched: AnyCollider | AnyRigidBody): void {
    this.#watch(watched, WATCH.contacts);
  }

  /**
   * Reports the collisions of a collider or rigid body from now on: which colliders touch, where, and how hard, also
   * between things that are not bodies of the snapshot, and with sensors. Of two colliders, only one must be watched.
   * {@link watchContacts} is simpler and costs less. While anything is watched for collisions, each step also reads the
   * velocities of all bodies that move: about 0.1 µs each.
   *
   * @param watched A collider, or a rigid body with all of its current colliders.
   */
  watchCollisions(watched: AnyCollider | AnyRigidBody): void {
    this.#watch(watched, WATCH.collisions);
  }

  /**
   * Ends what {@link watchCollisions} began. Collisions that are on end now, unless the other collider is watched.
   *
   * @param watched A collider, or a rigid body with all of its current colliders.
   */
  unwatchCollisions(watched: AnyCollider | AnyRigidBody): void {
    this.#followRestored();
    for (const { handle } of this.#collidersOf(watched)) {
      this.#watches.drop(handle, WATCH.collisions);
      this.#pairs.endUnwatchedCollisions(handle);
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
    requireNumber('threshold', threshold, 0, LIMITS.float32);
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
    collider.setSensor(true);
    this.#watch(collider, WATCH.contacts | WATCH.sensor, number);
  }

  /**
   * Calls a function for each contact that begins or ends, in the tick in which it happens: for rules of the game, which
   * belong to the simulation. Only contacts that are watched; for two bodies, begin and end alternate, however many of
   * their parts touch. In a restored state, contacts that exist already do not begin again; the removal of a body ends
   * its contacts without a call. With a {@link rapierSimulation}, it runs after the scene's `step`, still within the tick.
   *
   * @param handler Depends only on the state of the simulation, like `step`. An error that it throws fails the tick.
   */
  onContact(handler: ContactHandler): void {
    this.#pairs.contactHandlers.push(handler);
  }

  /** Calls a function for each body that enters or leaves a sensor, as {@link onContact} does. */
  onSensor(handler: SensorHandler): void {
    this.#pairs.sensorHandlers.push(handler);
  }

  /**
   * Calls a function for each collision that begins or ends, as {@link onContact} does, for those that are watched with
   * {@link watchCollisions}. The removal of a collider or its body ends its collisions with a call: in the same tick, or
   * in the next one if it is removed after the step.
   */
  onCollision(handler: CollisionHandler): void {
    this.#pairs.collisionHandlers.push(handler);
  }

  /** Reports the events of the steps since the last call. Must be called after each `physics.step`. */
  drain(): void {
    if (this.#reporter.run !== this.#run) this.#moveOn();
    else this.#followRestored();
    const hasMoved = this.#hasMoved;
    this.#hasMoved = false;
    this.#drainedRestoreCount = this.#physics.restoreCount;
    // Also reads what a step of the world itself has left.
    this.#collect();
    const changes = this.#changes;
    this.#changes = [];
    for (const { handle1, handle2, isTouching, impact } of changes) {
      if (isTouching) this.#pairs.beginBetween(handle1, handle2, false, impact);
      else this.#pairs.end(handle1, handle2);
    }
    this.#forces.drain(this.#queue);
    // Pairs that the engine knows and that are not reported yet, such as those of a world that was saved without events.
    if (hasMoved)
      this.#physics.world.forEachCollider((collider) => this.#pairs.beginPresent(collider));
    while (this.#pairs.endCollisionsOfRemoved());
    this.#sleep.report(hasMoved);
  }

  /** Ends the open pairs and frees the engine's memory. May be called before or after freeing the world. */
  free(): void {
    this.#forget();
    if (this.#physics.eventQueue === this.#queue) this.#physics.eventQueue = undefined;
    if (this.#physics.stepWatch === this.#stepWatch) this.#physics.stepWatch = undefined;
    this.#queue.free();
  }

  readonly #stepWatch: StepWatch = {
    beforeStep: () => {
      if (this.#watches.hasCollisions) this.#pairs.points.beforeStep(this.#physics.world);
    },
    afterStep: () => this.#collect(),
  };

  /** Must be called before the next step changes how the colliders meet. */
  #collect(): void {
    // Changes of a world that this one has replaced are over.
    if (this.#changesRestoreCount !== this.#physics.restoreCount) this.#changes = [];
    this.#changesRestoreCount = this.#physics.restoreCount;
    this.#queue.drainCollisionEvents(this.#onChange);
  }

  /** Before anything else changes what is known of a world that was restored since. */
  #followRestored(): void {
    if (this.#physics.restoreCount !== this.#pairsRestoreCount) this.#moveOn();
  }

  /**
   * Continues with another run, or in a restored world: the pairs that touch in it begin late, before the changes of the
   * first step, which may end them.
   */
  #moveOn(): void {
    const isRestored = this.#physics.restoreCount !== this.#drainedRestoreCount;
    const touching = isRestored ? this.#watches.restoredPairs : [...this.#pairs.values()];
    this.#forget();
    this.#hasMoved = true;
    for (const pair of touching) {
      if (isRestored) this.#pairs.beginRestored(pair);
      // The simulation may have built another run in the same world, with other bodies.
      else this.#pairs.beginBetween(pair.handle1, pair.handle2, true);
    }
  }

  /** Ends all pairs. */
  #forget(): void {
    // If the run has changed, the reporter has already ended them, and pairs of the new run may have been reported.
    if (this.#reporter.run === this.#run) {
      this.#pairs.endAll();
      this.#sleep.end();
    }
    this.#run = this.#reporter.run;
    this.#pairsRestoreCount = this.#physics.restoreCount;
    this.#pairs.clear();
    this.#sleep.forget();
  }

  #watch(watched: AnyCollider | AnyRigidBody, kinds: number, sensor?: number): void {
    this.#followRestored();
    const exists = (handle: number): boolean => this.#pairs.colliderOf(handle) !== undefined;
    for (const collider of this.#collidersOf(watched)) {
      const { handle } = collider;
      // Without a watch, it reports that it touches something only for its contacts.
      const before =
        this.#watches.has(handle, WATCH.contacts) ?? this.#pairs.reportsTouching(collider);
      const all = kinds | (before ? WATCH.contacts : 0);
      this.#watches.add(handle, all, exists, sensor);
      this.#enable(collider, this.#rapier.ActiveEvents.COLLISION_EVENTS);
      this.#pairs.beginPresent(collider);
    }
  }

  #collidersOf(watched: AnyCollider | AnyRigidBody): AnyCollider[] {
    if (!(watched instanceof this.#rapier.RigidBody)) return [watched as AnyCollider];
    return Array.from({ length: watched.numColliders() }, (_, index) => watched.collider(index));
  }

  #enable(collider: AnyCollider, events: number): void {
    collider.setActiveEvents(collider.activeEvents() | events);
  }
}

const SLEEP_BITS = IDENTITY_MASK | BODY_ASLEEP;

export class SleepWatch {
  readonly #bodies: Bodies;
  readonly #reporter: Pick<Events, 'sleep'>;
  /** By slot: the body in it and whether it was asleep, as reported last. */
  readonly #slept: Int32Array;

  constructor(bodies: Bodies, reporter: Pick<Events, 'sleep'>) {
    this.#bodies = bodies;
    this.#reporter = reporter;
    this.#slept = new Int32Array(bodies.capacity);
  }

  report(isLate: boolean): void {
    const { lanes, bodyLimit } = registryOf(this.#bodies);
    for (let slot = 0; slot < bodyLimit; slot++) {
      const meta = (lanes[slot * BODY_LANES + LANE.meta] ?? 0) & SLEEP_BITS;
      const before = this.#slept[slot] ?? 0;
      if (meta === before) continue;
      this.#slept[slot] = meta;
      // A body that was removed asleep ends its sleep.
      if ((before & BODY_ASLEEP) !== 0) this.#reporter.sleep(idOf(slot, before), false);
      if ((meta & BODY_ASLEEP) !== 0) this.#reporter.sleep(idOf(slot, meta), true, isLate);
    }
  }

  /** Reports all sleeping bodies as awake. */
  end(): void {
    this.#used.forEach((meta, slot) => {
      if ((meta & BODY_ASLEEP) !== 0) this.#reporter.sleep(idOf(slot, meta), false, true);
    });
  }

  forget(): void {
    this.#used.fill(0);
  }

  /** Without the slots that no body ever had. */
  get #used(): Int32Array {
    return this.#slept.subarray(0, registryOf(this.#bodies).bodyLimit);
  }
}

function idOf(slot: number, meta: number): BodyId {
  return bodyId(slot, meta & GENERATION_MASK);
}
