/**
 * Reads from the engine where two colliders of a Rapier world touch, and how hard they have met.
 *
 * For most shapes, these are the points at which the solver keeps the two apart. For meshes and height fields, Rapier
 * 0.20 and 0.21 have one solver for all triangles, and report neither its points nor its impulses: the points are then
 * those of the triangles that overlap the other shape.
 */
import { MAX_POINTS } from '../shared/events/event-record.js';
import type { CollisionPoint, Point, Collision } from '../shared/events/simulation-event.js';
import {
  type AnyCollider,
  type AnyContactManifold,
  type AnyWorld,
  arenaIndexOf,
  parentOf,
  type AnyRigidBody,
} from './any-rapier.js';
import { plus, rotated } from '../shared/util/vectors.js';
import type { BodyPair } from './rapier-watches.js';

export const UNKNOWN_POINT: Point = { x: Number.NaN, y: Number.NaN, z: Number.NaN };

interface PairPoint extends CollisionPoint {
  /** From the first collider to the second. */
  readonly normal: Point;
}

/** The length by which the engine looks ahead, and within which points of neighboring triangles are the same, in units of length. */
const TOLERANCE = 0.002;

/** Where and how hard two colliders met. */
export type Impact = Pick<Collision, 'normal' | 'points' | 'impulse' | 'impactSpeed'>;

export const UNKNOWN_IMPACT: Impact = {
  normal: UNKNOWN_POINT,
  points: [],
  impulse: Number.NaN,
  impactSpeed: Number.NaN,
};

/** Where and how two colliders touch. A returned point is valid until the next call. */
export class ContactPoints {
  /** The points of the last {@link #read}. */
  readonly #points: PairPoint[] = [];
  /** Sum of the impulses along the normals in the last step; NaN if the engine does not report them. */
  #impulse = 0;
  /** The points are those of triangles. */
  #isMesh = false;
  #tolerance = 0;
  #first: Transform | undefined;
  #second: Transform | undefined;
  readonly #velocities = new StepVelocities();
  readonly #center = { x: 0, y: 0, z: 0 };
  readonly #point = { x: 0, y: 0, z: 0 };

  /** Must be called before each step after which {@link impact} is called. */
  beforeStep(world: AnyWorld): void {
    this.#velocities.capture(world);
  }

  /** Whether two colliders touch according to the engine, and not only their bounding boxes overlap. */
  isTouching(world: AnyWorld, c1: AnyCollider, c2: AnyCollider): boolean {
    return this.#read(world, c1, c2).length > 0;
  }

  /**
   * How two colliders met in the step that has just been done. Undefined with a sensor, and if the engine does not report
   * where.
   */
  impact(world: AnyWorld, c1: AnyCollider, c2: AnyCollider): Impact | undefined {
    if (c1.isSensor() || c2.isSensor()) return undefined;
    // Points of one depth stay in the engine's order.
    const points = this.#read(world, c1, c2).toSorted((one, other) => other.depth - one.depth);
    const [deepest] = points;
    if (deepest === undefined) return undefined;
    const normal = this.#isMesh ? meanNormal(points, deepest.normal) : deepest.normal;
    return {
      normal,
      points: points.slice(0, MAX_POINTS).map(({ x, y, z, depth }) => ({ x, y, z, depth })),
      impulse: this.#impulse,
      impactSpeed: this.#velocities.approach(c1, c2, deepest, normal),
    };
  }

  /** The center of the points at which two colliders touch. */
  ofContact(world: AnyWorld, bodies: BodyPair, c1: AnyCollider, c2: AnyCollider): Point {
    const points = this.#read(world, c1, c2);
    if (points.length === 0) return this.between(bodies, c1, c2);
    const center = this.#center;
    center.x = 0;
    center.y = 0;
    center.z = 0;
    for (const { x, y, z } of points) {
      center.x += x / points.length;
      center.y += y / points.length;
      center.z += z / points.length;
    }
    return center;
  }

  /**
   * The center between two colliders that do not press on each other. If only one of them belongs to a body, its
   * position, since the center of a floor may be far away. Unknown if both are gone.
   */
  between({ a, b }: BodyPair, c1: AnyCollider | undefined, c2: AnyCollider | undefined): Point {
    const center = this.#center;
    if (c1 === undefined || c2 === undefined) {
      return (c1 ?? c2)?.translation(center) ?? UNKNOWN_POINT;
    }
    if (a === undefined && b !== undefined) return c2.translation(center);
    const one = c1.translation(center);
    if (a !== undefined && b === undefined) return one;
    const other = c2.translation(this.#point);
    center.x = (one.x + other.x) / 2;
    center.y = (one.y + other.y) / 2;
    center.z = (one.z + other.z) / 2;
    return center;
  }

  #read(world: AnyWorld, c1: AnyCollider, c2: AnyCollider): readonly PairPoint[] {
    this.#points.length = 0;
    this.#impulse = 0;
    this.#isMesh = false;
    world.contactPair(c1, c2, this.#addSolved);
    if (this.#points.length > 0) return this.#points;
    this.#isMesh = true;
    this.#impulse = Number.NaN;
    this.#tolerance = TOLERANCE * world.lengthUnit;
    this.#first = transformOf(c1);
    this.#second = transformOf(c2);
    world.contactPair(c1, c2, this.#addOverlaps);
    return this.#points;
  }

  readonly #addSolved = (manifold: AnyContactManifold, isFlipped: boolean): void => {
    const solved = manifold.numSolverContacts();
    const normal = solved > 0 ? normalOf(manifold, isFlipped) : undefined;
    for (let index = 0; index < solved; index++) {
      const point = manifold.solverContactPoint(index);
      if (point === null || normal === undefined) continue;
      const { x, y, z } = point;
      this.#points.push({ x, y, z, depth: -manifold.solverContactDist(index), normal });
    }
    for (let index = 0; index < manifold.numContacts(); index++) {
      this.#impulse += manifold.contactImpulse(index);
    }
  };

  readonly #addOverlaps = (manifold: AnyContactManifold, isFlipped: boolean): void => {
    const [own, other] = isFlipped ? [this.#second, this.#first] : [this.#first, this.#second];
    if (own === undefined || other === undefined) return;
    for (let index = 0; index < manifold.numContacts(); index++) {
      const depth = -manifold.contactDist(index);
      if (depth < -this.#tolerance) continue;
      const point1 = manifold.localContactPoint1(index);
      const point2 = manifold.localContactPoint2(index);
      if (point1 === null || point2 === null) continue;
      const one = transformed(own, point1);
      const two = transformed(other, point2);
      const point = { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2, z: (one.z + two.z) / 2 };
      if (this.#points.some((known) => distance(known, point) < this.#tolerance)) continue;
      this.#points.push({ ...point, depth, normal: normalOf(manifold, isFlipped) });
    }
  };
}

function normalOf(manifold: AnyContactManifold, isFlipped: boolean): Point {
  const { x, y, z } = manifold.normal();
  return isFlipped ? { x: -x, y: -y, z: -z } : { x, y, z };
}

const distance = (one: Point, other: Point): number =>
  Math.hypot(one.x - other.x, one.y - other.y, one.z - other.z);

interface Transform {
  readonly position: Point;
  readonly rotation: Point & { readonly w: number };
}

const transformOf = (collider: AnyCollider): Transform => ({
  position: collider.translation(),
  rotation: collider.rotation(),
});

const transformed = ({ position, rotation }: Transform, point: Point): Point =>
  plus(position, rotated(rotation, point));

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
