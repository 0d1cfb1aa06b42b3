/** How two colliders of a Rapier world meet: the details of a collision. */
import type { AnyCollider, AnyWorld } from './any-rapier.js';
import { MAX_POINTS } from '../../shared/events/event-record.js';
import type { Collision, Point } from '../../shared/events/simulation-event.js';
import { PairPoints, type PairPoint } from './pair-points.js';
import { UNKNOWN_POINT } from './rapier-contact-points.js';
import type { StepVelocities } from './step-velocities.js';

/** Where and how hard two colliders met. */
export type Meeting = Pick<Collision, 'normal' | 'points' | 'impulse' | 'impactSpeed'>;

export const UNKNOWN_MEETING: Meeting = {
  normal: UNKNOWN_POINT,
  points: [],
  impulse: Number.NaN,
  impactSpeed: Number.NaN,
};

export class MeetingReader {
  readonly #velocities: StepVelocities;
  readonly #pair = new PairPoints();

  /** @param velocities Those before the step. */
  constructor(velocities: StepVelocities) {
    this.#velocities = velocities;
  }

  /** Must be called right after the step in which the two met. */
  read(world: AnyWorld, c1: AnyCollider, c2: AnyCollider): Meeting {
    this.#pair.read(world, c1, c2);
    // Of points that are as deep, the engine's order decides.
    const points = this.#pair.points.toSorted((one, other) => other.depth - one.depth);
    const [deepest] = points;
    if (deepest === undefined) return UNKNOWN_MEETING;
    const normal = this.#pair.isMesh ? meanNormal(points, deepest.normal) : deepest.normal;
    return {
      normal,
      points: points.slice(0, MAX_POINTS).map(({ x, y, z, depth }) => ({ x, y, z, depth })),
      impulse: this.#pair.impulse,
      impactSpeed: this.#velocities.approach(c1, c2, deepest, normal),
    };
  }
}

/** A shape may overlap a single triangle deepest across its edge, in a direction in which the whole mesh does not push. */
function meanNormal(points: readonly PairPoint[], otherwise: Point): Point {
  const sum = { x: 0, y: 0, z: 0 };
  for (const { normal } of points) {
    sum.x += normal.x;
    sum.y += normal.y;
    sum.z += normal.z;
  }
  const length = Math.hypot(sum.x, sum.y, sum.z);
  if (length < 1e-3) return otherwise;
  return { x: sum.x / length, y: sum.y / length, z: sum.z / length };
}
