/** Grabbing a body and pulling it about. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { BodyId, Json } from '../../src/shared/index.js';
import type { Rapier, RapierWorld } from '../../src/rapier/rapier.js';
import type { Grab, Rotation, Vector } from '../contract/scene-contract.js';
import { plus, times, turned, xyz } from './vectors.js';

const REACH = 500;
/** How quickly the held point follows, in rad/s of a critically damped spring. */
const STIFFNESS = 14;
/** Maximum pull, in m/s² of the held body. */
const MAX_PULL = 150;
/** Damping of the held body's spin, in 1/s. */
const SPIN_DAMPING = 3;
const GRAVITY = 9.81;

/** A type and no interface, so that it counts as plain data. */
type Hold = {
  readonly id: BodyId;
  /** The held point in the body's frame. */
  readonly local: Vector;
  /** Maximum change of speed that an impulse of 1 causes at the held point. */
  readonly inverseMass: number;
};

export class MouseJoint {
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  readonly #position = { x: 0, y: 0, z: 0 };
  readonly #rotation = { x: 0, y: 0, z: 0, w: 1 };
  readonly #velocity = { x: 0, y: 0, z: 0 };
  readonly #spin = { x: 0, y: 0, z: 0 };
  #hold: Hold | undefined;
  #target: Vector = [0, 0, 0];

  constructor(rapier: Rapier, physics: RapierWorld) {
    this.#rapier = rapier;
    this.#physics = physics;
  }

  /** Grabs the first moving body on the ray. @param direction A unit vector. */
  grab(origin: Vector, direction: Vector): Grab | undefined {
    this.release();
    const { Ray, QueryFilterFlags } = this.#rapier;
    const ray = new Ray(xyz(origin), xyz(direction));
    const flags = QueryFilterFlags.EXCLUDE_FIXED | QueryFilterFlags.EXCLUDE_KINEMATIC;
    const hit = this.#physics.world.castRay(ray, REACH, true, flags);
    const body = hit?.collider.parent();
    const id = body ? this.#physics.bodyIdOf(body) : undefined;
    if (!hit || !body || id === undefined) return undefined;
    const distance = hit.timeOfImpact;
    const point = plus(origin, times(direction, distance));
    this.#hold = this.#holdAt(id, body, point);
    this.#target = point;
    return { id, point, distance };
  }

  /** Moves the point that the held body is pulled to. */
  drag(point: Vector): void {
    this.#target = point;
  }

  release(): void {
    this.#hold = undefined;
  }

  /** Call it before each step. */
  pull(dt: number): void {
    const hold = this.#hold;
    if (hold === undefined) return;
    const body = this.#physics.rigidBodyOf(hold.id);
    if (body === undefined) {
      this.release();
      return;
    }
    const point = this.#pointOf(body, hold.local);
    const velocity = body.velocityAtPoint(xyz(point), this.#velocity);
    const impulse = springImpulse(
      [this.#target[0] - point[0], this.#target[1] - point[1], this.#target[2] - point[2]],
      [velocity.x, velocity.y - GRAVITY * body.gravityScale() * dt, velocity.z],
      dt,
      hold.inverseMass,
      MAX_PULL * body.mass() * dt,
    );
    body.applyImpulseAtPoint(impulse, xyz(point), true);
    const spin = body.angvel(this.#spin);
    const kept = 1 / (1 + SPIN_DAMPING * dt);
    body.setAngvel({ x: spin.x * kept, y: spin.y * kept, z: spin.z * kept }, true);
  }

  save(): Json {
    return { hold: this.#hold ?? null, target: this.#target };
  }

  restore(saved: Json): void {
    const { hold, target } = saved as { readonly hold: Hold | null; readonly target: Vector };
    this.#hold = hold ?? undefined;
    this.#target = target;
  }

  #holdAt(id: BodyId, body: RigidBody, point: Vector): Hold {
    const { x, y, z } = body.translation(this.#position);
    const q = body.rotation(this.#rotation);
    const away: Vector = [point[0] - x, point[1] - y, point[2] - z];
    const local = turned([-q.x, -q.y, -q.z, q.w], away);
    const center = body.worldCom();
    const arm = Math.hypot(point[0] - center.x, point[1] - center.y, point[2] - center.z);
    const inertia = body.invPrincipalInertia();
    const inverseMass = body.invMass() + arm * arm * Math.max(inertia.x, inertia.y, inertia.z);
    return { id, local, inverseMass };
  }

  #pointOf(body: RigidBody, local: Vector): Vector {
    const { x, y, z } = body.translation(this.#position);
    const q = body.rotation(this.#rotation);
    const rotation: Rotation = [q.x, q.y, q.z, q.w];
    return plus([x, y, z], turned(rotation, local));
  }
}

/**
 * Impulse of a critically damped spring over one step, with the force taken at the step's end
 * (implicit Euler): stable however long the step is, while a force taken at its beginning would
 * oscillate.
 */
function springImpulse(
  way: Vector,
  velocity: Vector,
  dt: number,
  inverseMass: number,
  strongest: number,
): { x: number; y: number; z: number } {
  const k = STIFFNESS * dt;
  const share = 1 / (inverseMass * (1 + k) * (1 + k));
  const along = (index: 0 | 1 | 2): number =>
    share * (STIFFNESS * k * way[index] - (2 * k + k * k) * velocity[index]);
  const impulse: Vector = [along(0), along(1), along(2)];
  const size = Math.hypot(...impulse);
  return xyz(times(impulse, size > strongest ? strongest / size : 1));
}
