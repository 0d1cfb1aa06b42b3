/**
 * Reports the forces between colliders of a Rapier world to the page.
 *
 * Rapier 0.20 counts what a contact begins a step with, the impulse of the last iteration of the step before, twice: a body
 * of 1 kg at rest weighs 12.5 N with 4 iterations, and one that has bounced off pushes a second time. That share is
 * subtracted. It is an n-th of the last force, or what it is at rest, whichever is less.
 */
import { PairMap } from '../shared/events/pair-map.js';
import type { Events, PairReports } from '../sim-worker/api/events.js';
import {
  parentOf,
  type AnyCollider,
  type AnyContactForceEvent,
  type AnyEventQueue,
  type AnyVector,
  type AnyWorld,
} from './any-rapier.js';
import { scaled, ZERO } from '../shared/util/vectors.js';
import { minorOf } from './rapier-builds.js';
import { collisionOf, orderedPair, type ColliderPairs } from './rapier-pairs.js';
import { watchesOf, type ColliderWatches } from './rapier-watches.js';
import type { RapierWorld } from './rapier-world.js';

/** The length by which the engine looks ahead, in units of length. */
const REACH = 0.002;

export class RapierForces {
  readonly #physics: RapierWorld<AnyWorld>;
  readonly #pairs: ColliderPairs;
  readonly #watches: ColliderWatches;
  readonly #reporter: Pick<Events, 'contactForce'> & Partial<PairReports>;
  readonly #countsTwice: boolean;
  /** The forces of the step before, by the handles of the colliders. */
  readonly #before = new PairMap<number>();

  constructor(
    physics: RapierWorld<AnyWorld>,
    pairs: ColliderPairs,
    reporter: Pick<Events, 'contactForce'> & Partial<PairReports>,
  ) {
    this.#physics = physics;
    this.#pairs = pairs;
    this.#watches = watchesOf(physics);
    this.#reporter = reporter;
    this.#countsTwice = minorOf(pairs.rapier.version()) === 20;
  }

  drain(queue: AnyEventQueue): void {
    this.#before.clear();
    for (const [handle1, handle2, force] of this.#watches.forces) {
      this.#before.set(handle1, handle2, force);
    }
    this.#watches.forces = [];
    queue.drainContactForceEvents(this.#report);
  }

  // Created once, to avoid allocations in ticks without events.
  readonly #report = (event: AnyContactForceEvent): void => {
    const c1 = this.#pairs.colliderOf(event.collider1());
    const c2 = this.#pairs.colliderOf(event.collider2());
    if (c1 === undefined || c2 === undefined) return;
    const bodies = { a: this.#pairs.bodyOf(c1), b: this.#pairs.bodyOf(c2) };
    if (bodies.a === undefined && bodies.b === undefined) return;
    const share = this.#countsTwice ? this.#shareOf(event, c1, c2) : 1;
    const force = event.totalForceMagnitude() * share;
    if (share < 1 && force <= this.#thresholdOf(c1, c2)) return;
    const { x, y, z } = this.#pairs.points.ofContact(this.#physics.world, bodies, c1, c2);
    const reporter = this.#reporter;
    if (reporter.force === undefined) {
      reporter.contactForce(bodies.a, bodies.b, force, x, y, z);
      return;
    }
    const collision = collisionOf(c1, c2, this.#watches.numberOf);
    const { ordered, isSwapped } = orderedPair(bodies, collision);
    const sign = isSwapped ? -1 : 1;
    reporter.force({
      ...ordered,
      force,
      x,
      y,
      z,
      totalForce: scaled(event.totalForce(), sign * share),
      maxForceDirection: scaled(event.maxForceDirection(), sign),
      maxForceMagnitude: event.maxForceMagnitude() * share,
    });
  };

  /** How much of what the engine says was there in the step. */
  #shareOf(event: AnyContactForceEvent, c1: AnyCollider, c2: AnyCollider): number {
    const counted = event.totalForceMagnitude();
    const before = this.#before.get(c1.handle, c2.handle) ?? 0;
    let force = counted;
    if (before > 0 && this.#haveParted(c1, c2)) force = 0;
    else if (before > 0) {
      const added = [c1, c2].map((one) => parentOf(one)?.additionalSolverIterations() ?? 0);
      const iterations = this.#physics.world.numSolverIterations + Math.max(...added);
      const atRest = iterations > 1 ? counted / (iterations + 1) : counted;
      force -= Math.min(before / iterations, atRest);
    }
    // A tick may have several steps.
    this.#before.set(c1.handle, c2.handle, force);
    this.#watches.forces.push([c1.handle, c2.handle, force]);
    return counted > 0 ? force / counted : 1;
  }

  #haveParted(c1: AnyCollider, c2: AnyCollider): boolean {
    const { timestep, lengthUnit } = this.#physics.world;
    const reach = REACH * lengthUnit;
    const [v1, v2] = [c1, c2].map((one) => parentOf(one)?.linvel() ?? ZERO) as [
      AnyVector,
      AnyVector,
    ];
    const way = Math.hypot(v1.x - v2.x, v1.y - v2.y, v1.z - v2.z) * timestep;
    return way > reach && c1.contactCollider(c2, reach) === null;
  }

  /** As in the engine: the lower one of those that are watched. */
  #thresholdOf(...colliders: readonly AnyCollider[]): number {
    const { CONTACT_FORCE_EVENTS } = this.#pairs.rapier.ActiveEvents;
    const watched = colliders.filter((one) => (one.activeEvents() & CONTACT_FORCE_EVENTS) !== 0);
    return Math.min(...watched.map((one) => one.contactForceEventThreshold()));
  }
}
