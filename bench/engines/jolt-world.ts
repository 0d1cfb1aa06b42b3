/**
 * Connects a Jolt world with the bodies of a simulation: stepping it here also publishes the poses.
 *
 * Calls into WebAssembly, per step: one for the step, one for the number of active bodies, and,
 * unless nothing is or was awake, one per body (`IsActive`) and one more per body awake, which
 * writes position and rotation to the engine's memory, from where they are read as numbers. Nothing
 * is allocated.
 *
 * Facts about jolt-physics 1.1:
 * - An object that was made with `new` is freed with `destroy`; bodies with `DestroyBody`. What a
 *   method returns is not freed: it is part of something, or a place that the method reuses at its
 *   next call.
 * - There is one wrapper object for an address: a new body may have the wrapper of a destroyed one.
 * - Its memory is 128 MB and does not grow; without room in it, the module aborts (`Aborted(OOM)`).
 * - A NaN spreads to touching bodies, but not through static ones. Nothing throws.
 * - Removing a body does not wake what rested on it.
 */
import type JoltModule from 'jolt-physics/wasm-compat';
import type { BodyId, StateHash } from '../../src/shared/index.js';
import type { Bodies, Pose } from '../../src/sim-worker/index.js';
import { EngineBodies } from './engine-bodies.js';
import type { Jolt } from './jolt-module.js';

type Body = JoltModule.Body;

/** A world of Jolt whose bodies are bodies of the snapshot. */
export class JoltWorld {
  /** Steps the world and has its `PhysicsSystem`. */
  readonly physics: JoltModule.JoltInterface;
  /** Where their poses are written to. */
  readonly bodies: Bodies;
  readonly #jolt: Jolt;
  readonly #system: JoltModule.PhysicsSystem;
  /** The kind without locks: there is one thread. */
  readonly #interface: JoltModule.BodyInterface;
  readonly #added: EngineBodies<Body>;
  readonly #known = new Set<Body>();
  // Buffers in the engine's memory, for arguments and results, and their indices in its 32-bit
  // numbers.
  readonly #position: JoltModule.RVec3;
  readonly #rotation: JoltModule.Quat;
  readonly #linear: JoltModule.Vec3;
  readonly #angular: JoltModule.Vec3;
  readonly #positionAt: number;
  readonly #rotationAt: number;
  readonly #heap: Float32Array;
  readonly #isAwake = (body: Body): boolean => body.IsActive();
  readonly #write = (body: Body, id: BodyId): boolean => this.#publish(body, id);

  /**
   * @param jolt The module that the world is of.
   * @param physics Owned by this object from now on; {@link free} frees it.
   * @param bodies The simulation's bodies. Bodies of other engines may be among them.
   */
  constructor(jolt: Jolt, physics: JoltModule.JoltInterface, bodies: Bodies) {
    this.physics = physics;
    this.bodies = bodies;
    this.#jolt = jolt;
    this.#system = physics.GetPhysicsSystem();
    this.#interface = this.#system.GetBodyInterfaceNoLock();
    this.#added = new EngineBodies(bodies);
    this.#position = new jolt.RVec3(0, 0, 0);
    this.#rotation = new jolt.Quat(0, 0, 0, 1);
    this.#linear = new jolt.Vec3(0, 0, 0);
    this.#angular = new jolt.Vec3(0, 0, 0);
    this.#positionAt = jolt.getPointer(this.#position) >>> 2;
    this.#rotationAt = jolt.getPointer(this.#rotation) >>> 2;
    this.#heap = jolt.HEAPF32;
  }

  /**
   * Publishes a body from now on, and adds it to the world, awake, if it is in none. A body that is
   * never added here, such as the ground, takes part in the simulation but is not published.
   *
   * @throws CapacityExceededError when all bodies of the snapshot are in use.
   * @throws RangeError if it was added before, or if a number of its pose is NaN or infinite.
   */
  add(body: Body): BodyId {
    if (this.#known.has(body)) throw new RangeError('the body was added before');
    const isNew = !this.#interface.IsAdded(body.GetID());
    const isAwake = isNew ? !body.IsStatic() : body.IsActive();
    const isAsleep = !isAwake && !body.IsStatic();
    const id = this.#added.add(body, this.#readPose(body), isAwake, isAsleep);
    this.#known.add(body);
    if (isNew) this.#interface.AddBody(body.GetID(), this.#jolt.EActivation_Activate);
    return id;
  }

  /** Frees the engine's memory and the slots. No other method may be called afterwards. */
  free(): void {
    this.#added.forEach((_body, id) => this.#added.remove(id));
    this.#known.clear();
    for (const own of [this.#position, this.#rotation, this.#linear, this.#angular, this.physics]) {
      this.#jolt.destroy(own);
    }
  }

  /** The engine's body with an id; undefined when it is gone or another engine's. */
  bodyOf(id: BodyId): Body | undefined {
    return this.#added.of(id);
  }

  /**
   * Moves a body to another place; the display snaps to it. Its velocity stays as it was, and it
   * wakes up.
   *
   * @returns False when the body is not one of this world's, or when a number is NaN or infinite:
   * it then
   *   stays where it is.
   */
  teleport(id: BodyId, pose: Pose): boolean {
    const body = this.bodyOf(id);
    if (body === undefined || !this.bodies.teleport(id, pose)) return false;
    this.#moveTo(body, pose, this.#jolt.EActivation_Activate);
    return true;
  }

  /**
   * Advances the world by one step, of one collision step, and publishes the poses of the bodies
   * that are awake.
   *
   * A pose with NaN or an infinite number is refused and counted by the bodies; the others
   * continue.
   *
   * @param dt Simulated seconds.
   */
  step(dt: number): void {
    this.physics.Step(dt, 1);
    const active = this.#system.GetNumActiveBodies(this.#jolt.EBodyType_RigidBody);
    if (active === 0 && this.#added.awakeCount === 0) return;
    this.#added.publish(this.#isAwake, this.#write);
  }

  /** Adds the velocities of all bodies, by slot, to a hash of the state. Poses are the registry's. */
  hashInto(hash: StateHash): void {
    this.#added.forEach((body) => {
      this.#interface.GetLinearAndAngularVelocity(body.GetID(), this.#linear, this.#angular);
      hash.addFloat(this.#linear.GetX());
      hash.addFloat(this.#linear.GetY());
      hash.addFloat(this.#linear.GetZ());
      hash.addFloat(this.#angular.GetX());
      hash.addFloat(this.#angular.GetY());
      hash.addFloat(this.#angular.GetZ());
    });
  }

  #moveTo(body: Body, pose: Pose, activation: JoltModule.EActivation): void {
    this.#position.Set(pose.x, pose.y, pose.z);
    // The engine does not normalize a rotation.
    const length = Math.hypot(pose.qx, pose.qy, pose.qz, pose.qw);
    const { qx, qy, qz, qw } = pose;
    this.#rotation.Set(qx / length, qy / length, qz / length, qw / length);
    this.#interface.SetPositionAndRotation(
      body.GetID(),
      this.#position,
      this.#rotation,
      activation,
    );
  }

  #publish(body: Body, id: BodyId): boolean {
    this.#interface.GetPositionAndRotation(body.GetID(), this.#position, this.#rotation);
    const heap = this.#heap;
    const p = this.#positionAt;
    const q = this.#rotationAt;
    return this.bodies.setPose(
      id,
      heap[p] ?? Number.NaN,
      heap[p + 1] ?? Number.NaN,
      heap[p + 2] ?? Number.NaN,
      heap[q] ?? Number.NaN,
      heap[q + 1] ?? Number.NaN,
      heap[q + 2] ?? Number.NaN,
      heap[q + 3] ?? Number.NaN,
    );
  }

  #readPose(body: Body): Pose {
    const p = body.GetPosition();
    const q = body.GetRotation();
    const [x, y, z] = [p.GetX(), p.GetY(), p.GetZ()];
    return { x, y, z, qx: q.GetX(), qy: q.GetY(), qz: q.GetZ(), qw: q.GetW() };
  }
}
