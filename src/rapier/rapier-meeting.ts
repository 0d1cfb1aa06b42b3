/** How two colliders of a Rapier world meet: the details of a collision. */
import {
  arenaIndexOf,
  parentOf,
  type AnyCollider,
  type AnyRigidBody,
  type AnyWorld,
} from './any-rapier.js';
import { MAX_POINTS } from '../shared/events/event-record.js';
import type { Collision, Point } from '../shared/events/simulation-event.js';
import { PairPoints, UNKNOWN_POINT, type PairPoint } from './contact-points.js';

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

/** Linear and angular velocity. */
const LENGTH = 6;

/** Keeps the velocities that the bodies have before a step, since the engine only has those after it. */
export class StepVelocities {
  /** By index of the rigid body in Rapier's arena. */
  #velocities = new Float32Array(64 * LENGTH);
  /** By the same index: the number of the step before which the body moved. */
  #movedBefore = new Float64Array(64);
  #step = 0;
  readonly #linear = { x: 0, y: 0, z: 0 };
  readonly #angular = { x: 0, y: 0, z: 0 };
  readonly #center = { x: 0, y: 0, z: 0 };

  /** Must be called before a step of the engine. Looks at all bodies: one that is new is not yet among the active ones. */
  capture(world: AnyWorld): void {
    this.#step += 1;
    world.forEachRigidBody(this.#captureBody);
  }

  /**
   * How fast two colliders approached each other before the step.
   *
   * @param point Where, after the step.
   * @param normal From the first to the second.
   */
  approach(c1: AnyCollider, c2: AnyCollider, point: Point, normal: Point): number {
    return this.#along(c1, point, normal) - this.#along(c2, point, normal);
  }

  // Created once, to avoid allocations per step.
  readonly #captureBody = (rigidBody: AnyRigidBody): void => {
    if (!rigidBody.isMoving()) return;
    const index = arenaIndexOf(rigidBody.handle);
    if (index >= this.#movedBefore.length) this.#grow(index);
    this.#movedBefore[index] = this.#step;
    const linear = rigidBody.linvel(this.#linear);
    const angular = rigidBody.angvel(this.#angular);
    const at = index * LENGTH;
    this.#velocities[at] = linear.x;
    this.#velocities[at + 1] = linear.y;
    this.#velocities[at + 2] = linear.z;
    this.#velocities[at + 3] = angular.x;
    this.#velocities[at + 4] = angular.y;
    this.#velocities[at + 5] = angular.z;
  };

  /** The velocity of a point of a collider's body, along a direction. */
  #along(collider: AnyCollider, point: Point, normal: Point): number {
    const rigidBody = parentOf(collider);
    if (rigidBody === null) return 0;
    const { linear, angular } = this.#of(rigidBody);
    const center = rigidBody.worldCom(this.#center);
    const x = point.x - center.x;
    const y = point.y - center.y;
    const z = point.z - center.z;
    return (
      (linear.x + angular.y * z - angular.z * y) * normal.x +
      (linear.y + angular.z * x - angular.x * z) * normal.y +
      (linear.z + angular.x * y - angular.y * x) * normal.z
    );
  }

  #of(rigidBody: AnyRigidBody): { readonly linear: Point; readonly angular: Point } {
    const linear = this.#linear;
    const angular = this.#angular;
    // The step computes the velocity of a kinematic body from where it is to go, and no contact changes it.
    if (rigidBody.isKinematic()) {
      return { linear: rigidBody.linvel(linear), angular: rigidBody.angvel(angular) };
    }
    const index = arenaIndexOf(rigidBody.handle);
    const hasMoved = this.#movedBefore[index] === this.#step;
    const at = index * LENGTH;
    const read = (offset: number): number => (hasMoved ? (this.#velocities[at + offset] ?? 0) : 0);
    linear.x = read(0);
    linear.y = read(1);
    linear.z = read(2);
    angular.x = read(3);
    angular.y = read(4);
    angular.z = read(5);
    return { linear, angular };
  }

  #grow(index: number): void {
    const length = 2 ** Math.ceil(Math.log2(index + 1));
    const velocities = new Float32Array(length * LENGTH);
    velocities.set(this.#velocities);
    this.#velocities = velocities;
    const movedBefore = new Float64Array(length);
    movedBefore.set(this.#movedBefore);
    this.#movedBefore = movedBefore;
  }
}
