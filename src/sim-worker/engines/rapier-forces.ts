/** Reports the forces between colliders of a Rapier world to the page. */
import { writeContactForce } from '../../shared/events/collision-record.js';
import type { ContactForce } from '../../shared/events/simulation-event.js';
import type { Events } from '../api/events.js';
import type { PairReports } from '../api/pair-reports.js';
import type { AnyContactForceEvent, AnyVector, AnyWorld } from './any-rapier.js';
import { collisionOf, sidesOf } from './rapier-collisions.js';
import type { ColliderPairs } from './rapier-pairs.js';
import { watchesOf, type ColliderWatches } from './rapier-watches.js';
import type { RapierWorld } from './rapier-world.js';

export class RapierForces {
  readonly #physics: RapierWorld<AnyWorld>;
  readonly #pairs: ColliderPairs;
  readonly #watches: ColliderWatches;
  readonly #reporter: Pick<Events, 'contactForce'> & Partial<PairReports>;

  constructor(
    physics: RapierWorld<AnyWorld>,
    pairs: ColliderPairs,
    reporter: Pick<Events, 'contactForce'> & Partial<PairReports>,
  ) {
    this.#physics = physics;
    this.#pairs = pairs;
    this.#watches = watchesOf(physics);
    this.#reporter = reporter;
  }

  // Created once, to avoid allocations in ticks without events.
  readonly report = (event: AnyContactForceEvent): void => {
    const c1 = this.#pairs.colliderOf(event.collider1());
    const c2 = this.#pairs.colliderOf(event.collider2());
    if (c1 === undefined || c2 === undefined) return;
    const bodies = { a: this.#pairs.bodyOf(c1), b: this.#pairs.bodyOf(c2) };
    if (bodies.a === undefined && bodies.b === undefined) return;
    const { x, y, z } = this.#pairs.points.ofContact(this.#physics.world, bodies, c1, c2);
    const force = event.totalForceMagnitude();
    const reporter = this.#reporter;
    if (reporter.force === undefined) {
      reporter.contactForce(bodies.a, bodies.b, force, x, y, z);
      return;
    }
    const collision = collisionOf(c1, c2, this.#watches.numberOf);
    const { isSwapped, ...sides } = sidesOf(bodies, collision);
    const sign = isSwapped ? -1 : 1;
    const contact: ContactForce = {
      ...sides,
      force,
      x,
      y,
      z,
      totalForce: scaled(event.totalForce(), sign),
      maxForceDirection: scaled(event.maxForceDirection(), sign),
      maxForceMagnitude: event.maxForceMagnitude(),
    };
    reporter.force((record) => writeContactForce(record, contact));
  };
}

const scaled = ({ x, y, z }: AnyVector, factor: number): AnyVector => ({
  x: x * factor,
  y: y * factor,
  z: z * factor,
});
