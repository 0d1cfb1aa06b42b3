/**
 * Ties a Rapier world to the bodies of a simulation: whoever steps it here has the poses published.
 *
 * Crossing into WebAssembly is what costs, so only bodies that the engine calls active are read: about
 * 0.1 µs each for position and rotation. A body leaves the active ones when it falls asleep; its last
 * pose is then written once, and after that it costs nothing at all.
 */
import type { Collider, RigidBody, World } from '@dimforge/rapier3d-simd-compat';
import { slotOf, type BodyId } from '../../shared/body-meta.js';
import type { BodyRegistry, Pose } from '../body-registry.js';

export class RapierWorld {
  readonly world: World;
  readonly bodies: BodyRegistry;
  /** By slot. */
  readonly #rigidBodies: (RigidBody | undefined)[] = [];
  /** By slot: the body that the rigid body belongs to. */
  readonly #ids: Uint32Array;
  /** By slot: number of the last step after which the body was active. */
  readonly #activeAfter: Uint32Array;
  /** By index of the rigid body in Rapier's arena: the slot, or -1. */
  readonly #slots: number[] = [];
  /** The bodies that were active after the last step, and an array to fill next. */
  #active: Uint32Array;
  #spare: Uint32Array;
  #activeCount = 0;
  #steps = 1;
  readonly #position = { x: 0, y: 0, z: 0 };
  readonly #rotation = { x: 0, y: 0, z: 0, w: 1 };
  // One function for all steps: nothing is allocated for a tick.
  readonly #publishActive = (rigidBody: RigidBody): void => this.#publishAwake(rigidBody);

  /**
   * @param world Belongs to this object from now on; {@link free} frees it.
   * @param bodies The simulation's bodies. Others than Rapier's may be among them.
   */
  constructor(world: World, bodies: BodyRegistry) {
    this.world = world;
    this.bodies = bodies;
    this.#ids = new Uint32Array(bodies.capacity);
    this.#activeAfter = new Uint32Array(bodies.capacity);
    this.#active = new Uint32Array(bodies.capacity);
    this.#spare = new Uint32Array(bodies.capacity);
  }

  /**
   * Publishes a rigid body of this world from now on. What is never added, such as the ground, takes part
   * in the simulation and is not published.
   *
   * @throws CapacityExceededError when all bodies of the snapshot are in use.
   * @throws RangeError if it was added before, or if a number of its pose is NaN or infinite.
   */
  add(rigidBody: RigidBody): BodyId {
    if (this.bodyIdOf(rigidBody) !== undefined) {
      throw new RangeError('the rigid body was added before');
    }
    const id = this.bodies.spawn(this.#readPose(rigidBody));
    const slot = slotOf(id);
    this.#rigidBodies[slot] = rigidBody;
    this.#ids[slot] = id;
    this.#activeAfter[slot] = this.#steps;
    this.#slots[arenaIndexOf(rigidBody.handle)] = slot;
    if (rigidBody.isSleeping()) this.bodies.setAsleep(id, true);
    return id;
  }

  /**
   * Removes a body, its rigid body, and that one's colliders and joints. Remove them here and not from the
   * world itself. Returns false when the body is not one of this world's.
   */
  remove(id: BodyId): boolean {
    const rigidBody = this.rigidBodyOf(id);
    if (rigidBody === undefined) return false;
    this.#forget(slotOf(id), rigidBody);
    this.world.removeRigidBody(rigidBody);
    return this.bodies.despawn(id);
  }

  /** Removes all bodies that were added. The rest of the world stays. */
  clear(): void {
    for (const rigidBody of this.#rigidBodies) {
      const id = rigidBody && this.bodyIdOf(rigidBody);
      if (id !== undefined) this.remove(id);
    }
  }

  /** Frees the engine's memory and gives the slots back. Nothing else may be called afterwards. */
  free(): void {
    this.#rigidBodies.forEach((rigidBody, slot) => {
      if (rigidBody !== undefined) this.bodies.despawn(this.#idAt(slot));
    });
    this.#rigidBodies.length = 0;
    this.#activeCount = 0;
    this.world.free();
  }

  rigidBodyOf(id: BodyId): RigidBody | undefined {
    const slot = slotOf(id);
    return this.#ids[slot] === id ? this.#rigidBodies[slot] : undefined;
  }

  bodyIdOf(rigidBody: RigidBody): BodyId | undefined {
    const slot = this.#slotOf(rigidBody);
    return slot < 0 ? undefined : this.#idAt(slot);
  }

  /** The body that a collider is part of, such as the one that a ray met. */
  bodyIdOfCollider(collider: Collider): BodyId | undefined {
    const rigidBody = collider.parent();
    return rigidBody === null ? undefined : this.bodyIdOf(rigidBody);
  }

  /**
   * Puts a body somewhere else; the display snaps to it. Its velocity stays as it was, and it wakes up.
   *
   * @returns False when the body is not one of this world's, or when a number is NaN or infinite: it then
   *   stays where it is.
   */
  teleport(id: BodyId, pose: Pose): boolean {
    const rigidBody = this.rigidBodyOf(id);
    if (rigidBody === undefined || !this.bodies.teleport(id, pose)) return false;
    rigidBody.setTranslation({ x: pose.x, y: pose.y, z: pose.z }, true);
    rigidBody.setRotation({ x: pose.qx, y: pose.qy, z: pose.qz, w: pose.qw }, true);
    return true;
  }

  /**
   * Advances the world by one step and publishes the poses of the bodies that moved.
   *
   * A pose with NaN or an infinite number is refused and counted by the bodies; the others go on.
   *
   * @param stepS Simulated seconds.
   * @param beforePublication Called when the world has been stepped and before any pose is read: what it
   *   corrects is never seen uncorrected.
   */
  step(stepS: number, beforePublication?: () => void): void {
    this.world.timestep = stepS;
    this.world.step();
    beforePublication?.();
    const before = this.#active;
    const beforeCount = this.#activeCount;
    this.#active = this.#spare;
    this.#spare = before;
    this.#activeCount = 0;
    this.#steps += 1;
    this.world.forEachActiveRigidBody(this.#publishActive);
    this.#publishFallenAsleep(before, beforeCount);
  }

  #publishAwake(rigidBody: RigidBody): void {
    const slot = this.#slotOf(rigidBody);
    if (slot < 0) return;
    const id = this.#idAt(slot);
    if (this.#activeAfter[slot] !== this.#steps - 1) this.bodies.setAsleep(id, false);
    this.#activeAfter[slot] = this.#steps;
    this.#active[this.#activeCount++] = id;
    this.#publish(id, rigidBody);
  }

  /** Of the bodies that were active before, those that no longer are. */
  #publishFallenAsleep(before: Uint32Array, count: number): void {
    for (let index = 0; index < count; index++) {
      const id = before[index] as BodyId;
      const rigidBody = this.rigidBodyOf(id);
      if (rigidBody === undefined || this.#activeAfter[slotOf(id)] === this.#steps) continue;
      if (this.#publish(id, rigidBody)) this.bodies.setAsleep(id, true);
    }
  }

  #publish(id: BodyId, rigidBody: RigidBody): boolean {
    const p = rigidBody.translation(this.#position);
    const q = rigidBody.rotation(this.#rotation);
    return this.bodies.setPose(id, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
  }

  #readPose(rigidBody: RigidBody): Pose {
    const p = rigidBody.translation(this.#position);
    const q = rigidBody.rotation(this.#rotation);
    return { x: p.x, y: p.y, z: p.z, qx: q.x, qy: q.y, qz: q.z, qw: q.w };
  }

  #forget(slot: number, rigidBody: RigidBody): void {
    this.#rigidBodies[slot] = undefined;
    this.#slots[arenaIndexOf(rigidBody.handle)] = -1;
  }

  #idAt(slot: number): BodyId {
    return this.#ids[slot] as BodyId;
  }

  #slotOf(rigidBody: RigidBody): number {
    const slot = this.#slots[arenaIndexOf(rigidBody.handle)] ?? -1;
    // An index is used again after its rigid body was removed; the object tells them apart.
    return slot >= 0 && this.#rigidBodies[slot] === rigidBody ? slot : -1;
  }
}

const handleValue = new Float64Array(1);
const handleWords = new Uint32Array(handleValue.buffer);

/** Rapier's handles are the bits of a double: the index in its arena below, the generation above. */
function arenaIndexOf(handle: number): number {
  handleValue[0] = handle;
  return handleWords[0] ?? 0;
}
