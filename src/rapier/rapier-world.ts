/**
 * Connects a Rapier world to the bodies of a simulation: a step also publishes the poses.
 *
 * Calls into WebAssembly are the main cost, so only bodies that the engine considers active are read: about 0.1 µs each
 * for position and rotation. When a body falls asleep, its last pose is written once; after that it costs nothing.
 */
import { slotOf, type BodyId } from '../shared/memory/body-meta.js';
import type { StateHash } from '../shared/recording/state-hash.js';
import { requireChoice } from '../shared/util/validate.js';
import type { Bodies, Pose, SpawnOptions } from '../sim-worker/api/bodies.js';
import { registryOf } from '../sim-worker/bodies/body-registry.js';
import { NO_TAG, bodyNamed } from '../sim-worker/bodies/body-tag.js';
import {
  arenaIndexOf,
  type AnyEventQueue,
  type AnyPhysicsHooks,
  type AnyRigidBody,
  type AnyVector,
  type AnyWorld,
  type RigidBodyOf,
} from './any-rapier.js';
import { engineNameOf, type RapierWorldOf } from './rapier-builds.js';
import { freezeAt, refTo, requireValid, type RigidBodyRef } from './rigid-body.js';
import { packWorld, reviveWorld, unpackWorld, type SavedBody } from './rapier-saved.js';
import { watchesOf } from './rapier-watches.js';
import { lookAtGravity, noteGravity, setEnabled } from './waking.js';

/** Looks at the engine's world around each of its steps. */
export interface StepWatch {
  /** The step of the engine is next. */
  beforeStep(): void;
  /** The step of the engine is done, and nothing has changed its result. */
  afterStep(): void;
}

/** Kept by {@link RapierWorld.keep}. */
export interface KeptBodies<W extends AnyWorld = AnyWorld> {
  /** The engine's world. */
  readonly world: W;
  /** The world's rigid bodies, by slot. */
  readonly rigidBodies: readonly (AnyRigidBody | undefined)[];
  /** The bodies that they belong to, by slot. */
  readonly ids: Uint32Array;
  /** Numbers of the last steps after which they were active, by slot. */
  readonly activeAfter: Uint32Array;
  /** Slots of the rigid bodies, by index in Rapier's arena; -1: none. */
  readonly slots: readonly number[];
  /** The bodies that were active after the last step. */
  readonly active: Uint32Array;
  /** Number of the last step, from 1. */
  readonly steps: number;
  /** The watches of colliders: see rapier-watches.ts. */
  readonly watches: Uint8Array;
  /** The pairs of colliders that touch. */
  readonly pairs: Uint8Array;
  /** The forces between them. */
  readonly forces: Uint8Array;
}

/** The engine has to be given some: it fails as soon as it asks about a collider with active hooks. */
const NO_FILTERS: AnyPhysicsHooks = {
  // Rapier's value of COMPUTE_IMPULSE. Importing its enumeration would select a build.
  filterContactPair: () => 1,
  filterIntersectionPair: () => true,
};

/**
 * A Rapier world whose rigid bodies are bodies of the snapshot. It may be of any build: `AnyWorld` has what all of them
 * have, `RigidBodyOf<W>` is the type of its rigid bodies.
 *
 * @typeParam W The type of Rapier's world, of any build. Default: that of the installed package.
 */
export class RapierWorld<W extends AnyWorld = RapierWorldOf> {
  /** Receives the poses. */
  readonly bodies: Bodies;
  /** Filled by each step with the engine's collision and contact force events. */
  eventQueue: AnyEventQueue | undefined;
  /** Called by each step. `RapierEvents` sets it. Default: none. */
  stepWatch: StepWatch | undefined;
  /**
   * Rapier's `PhysicsHooks`: asked by each step while there is an {@link eventQueue}. They may not touch the world, and
   * must not throw. Default: none.
   */
  hooks: AnyPhysicsHooks | undefined;
  #world: W;
  /** How many times the world was restored, by {@link restore} or {@link adopt}. */
  restoreCount = 0;
  /** By slot. */
  #rigidBodies: (AnyRigidBody | undefined)[] = [];
  /** By slot: the body that the rigid body belongs to. */
  readonly #ids: Uint32Array;
  /** By slot: number of the last step after which the body was active. */
  readonly #activeAfter: Uint32Array;
  /** By index of the rigid body in Rapier's arena: the slot, or -1. */
  #slots: number[] = [];
  /** The bodies that were active after the last step, and an array to fill next. */
  #active: Uint32Array;
  #spare: Uint32Array;
  #activeCount = 0;
  #steps = 1;
  readonly #position = { x: 0, y: 0, z: 0 };
  readonly #rotation = { x: 0, y: 0, z: 0, w: 1 };
  /** Bodies that were changed since the last step. */
  readonly #changed: BodyId[] = [];
  readonly #velocity = { x: 0, y: 0, z: 0 };
  readonly #spin = { x: 0, y: 0, z: 0 };

  /**
   * @param world Owned by this object from now on; {@link free} frees it.
   * @param bodies The simulation's bodies, which may include bodies of other engines.
   */
  constructor(world: W, bodies: Bodies) {
    this.#world = world;
    this.bodies = bodies;
    this.#ids = new Uint32Array(bodies.capacity);
    this.#activeAfter = new Uint32Array(bodies.capacity);
    this.#active = new Uint32Array(bodies.capacity);
    this.#spare = new Uint32Array(bodies.capacity);
  }

  /** The engine's world. Read it each time: {@link restore} replaces it. */
  get world(): W {
    return this.#world;
  }

  /**
   * Publishes a rigid body from now on. One that is never added, such as the ground, is simulated but not published.
   *
   * @param options Its tag, by which the page knows what to draw.
   * @throws CapacityExceededError if all bodies of the snapshot are in use.
   * @throws RangeError if it was added before, if a number of its pose is NaN or infinite, or if the tag is too long.
   * @throws TypeError if JSON cannot hold the tag, or for an unknown option.
   */
  add(rigidBody: RigidBodyOf<W>, options?: SpawnOptions): BodyId {
    const added = this.bodyIdOf(rigidBody);
    if (added !== undefined) {
      const registry = registryOf(this.bodies);
      const named = bodyNamed(registry.tagOf(added) ?? NO_TAG, registry.tick);
      throw new RangeError(`the rigid body was added before: it is a body ${named} already`);
    }
    const id = this.bodies.spawn(this.#readPose(rigidBody), options);
    const slot = slotOf(id);
    this.#rigidBodies[slot] = rigidBody;
    this.#ids[slot] = id;
    const isAsleep = rigidBody.isSleeping();
    // The next step may wake it, which is a change then.
    this.#activeAfter[slot] = isAsleep ? 0 : this.#steps;
    this.#slots[arenaIndexOf(rigidBody.handle)] = slot;
    if (isAsleep) this.bodies.setAsleep(id, true);
    if (this.bodies.hasVelocities) this.#publishVelocity(id, rigidBody);
    return id;
  }

  /**
   * Removes a body with its rigid body, colliders and joints. Do not remove them from the world directly. Returns false
   * if the body does not belong to this world.
   */
  remove(id: BodyId): boolean {
    const rigidBody = this.#bodyOf(id);
    if (rigidBody === undefined) return false;
    this.#rigidBodies[slotOf(id)] = undefined;
    this.#slots[arenaIndexOf(rigidBody.handle)] = -1;
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

  /** Frees the engine's memory and the slots of the bodies. Do not use the object afterwards. */
  free(): void {
    this.#rigidBodies.forEach((rigidBody, slot) => {
      if (rigidBody !== undefined) this.bodies.despawn(this.#idAt(slot));
    });
    this.freeEngine();
  }

  /**
   * Frees the engine's memory but keeps the bodies: for a world that a restored one replaces. Do not use it afterwards.
   */
  freeEngine(): void {
    this.#rigidBodies.length = 0;
    this.#activeCount = 0;
    this.world.free();
  }

  /** Returns a reference to a rigid body that stays valid after {@link restore}. */
  ref(rigidBody: RigidBodyOf<W>): RigidBodyRef<RigidBodyOf<W>> {
    return refTo(this, rigidBody);
  }

  /** The engine's body for an id; undefined if it is gone or belongs to another engine. */
  rigidBodyOf(id: BodyId): RigidBodyOf<W> | undefined {
    return this.#bodyOf(id) as RigidBodyOf<W> | undefined;
  }

  /** The id of one of the engine's bodies; undefined if it is not a body of the snapshot. */
  bodyIdOf(rigidBody: AnyRigidBody): BodyId | undefined {
    const slot = this.#slotOf(rigidBody);
    return slot < 0 ? undefined : this.#idAt(slot);
  }

  /**
   * Takes a body out of the simulation, or puts it back: while it is disabled, it stays where it is and nothing touches
   * it. Use this instead of the rigid body's own method: the engine disables a body with a NaN or infinite number, so one
   * that is found disabled counts as invalid.
   *
   * @returns False if the body does not belong to this world.
   */
  setEnabled(id: BodyId, enabled: boolean): boolean {
    const rigidBody = this.#bodyOf(id);
    if (rigidBody === undefined) return false;
    setEnabled(this.world, rigidBody, enabled);
    // As if it were active after the next step: it has not fallen asleep then.
    if (!enabled) this.#activeAfter[slotOf(id)] = this.#steps + 1;
    return true;
  }

  /**
   * Moves a body to a pose; the display snaps to it. Its velocity stays the same, and it wakes up.
   *
   * @returns False if the body does not belong to this world or a number is NaN or infinite. It then stays where it is.
   */
  teleport(id: BodyId, pose: Pose): boolean {
    const rigidBody = this.#bodyOf(id);
    if (rigidBody === undefined || !this.bodies.teleport(id, pose)) return false;
    rigidBody.setTranslation({ x: pose.x, y: pose.y, z: pose.z }, true);
    rigidBody.setRotation({ x: pose.qx, y: pose.qy, z: pose.qz, w: pose.qw }, true);
    return true;
  }

  /**
   * Publishes where a body is now. Call it after moving one that the engine does not simulate: a fixed or disabled body,
   * or a sleeping one that was moved without waking it. {@link step} publishes only what is active, which costs nothing
   * for the others.
   *
   * @param how `motion`: the display moves it there, from where it was in the last tick. `teleport`: it snaps to it.
   *   Default `motion`.
   * @returns False if the body does not belong to this world, or a number of its pose is NaN or infinite.
   * @throws RangeError if there is no such way.
   * @throws Error if its rigid body was removed from the world directly.
   */
  publish(id: BodyId, how: 'motion' | 'teleport' = 'motion'): boolean {
    requireChoice('how', how, ['motion', 'teleport']);
    const rigidBody = this.rigidBodyOf(id);
    if (rigidBody === undefined) return false;
    requireValid(rigidBody, id, this.bodies);
    if (how === 'motion') return this.#publish(id, rigidBody);
    if (this.bodies.hasVelocities) this.#publishVelocity(id, rigidBody);
    return this.bodies.teleport(id, this.#readPose(rigidBody));
  }

  /**
   * Notes that a body was changed: one that is not active after the next step may have fallen asleep or got another velocity.
   *
   * @internal
   */
  noteChanged(id: BodyId): void {
    this.#changed.push(id);
  }

  /**
   * Advances the world by one step and publishes the poses of the bodies that moved. If gravity has changed, it wakes the
   * bodies that it pulls, which the engine itself does not.
   *
   * A pose with a NaN or infinite number is refused and counted by the bodies; the others are not affected.
   *
   * @param dt Simulated seconds.
   * @param beforePublication Called after the step and before any pose is read, to make corrections that are published.
   * @throws Error naming a body whose rigid body was removed from the world directly.
   */
  step(dt: number, beforePublication?: () => void): void {
    this.world.timestep = dt;
    lookAtGravity(this.world);
    this.stepWatch?.beforeStep();
    this.world.step(this.eventQueue, this.hooks ?? NO_FILTERS);
    this.stepWatch?.afterStep();
    beforePublication?.();
    const before = this.#active;
    const beforeCount = this.#activeCount;
    this.#active = this.#spare;
    this.#spare = before;
    this.#activeCount = 0;
    this.#steps += 1;
    this.world.forEachActiveRigidBody(this.#publishAwake);
    this.#publishFallenAsleep(before, beforeCount);
    if (this.#changed.length > 0) this.#publishChanged();
  }

  /**
   * Saves the world as bytes: bodies with their velocities, contacts, joints, what sleeps, the engine's settings, and
   * which rigid body belongs to which body. Saving does not change the world. Vehicle and character controllers are not
   * included: create them again after a {@link restore}. Nor is a checksum: the saved state of a run has one.
   *
   * @throws Error if the engine cannot save the world, or was not loaded with `loadRapier`: nothing would tell in which
   *   engine the world can be restored.
   */
  save(): Uint8Array {
    const engine = engineNameOf(this.world);
    if (engine === '') {
      throw new Error(
        'a world of an unknown engine cannot be saved: load Rapier with loadRapier of betwixt/rapier, which starts it ' +
          'and knows its build and version',
      );
    }
    const snapshot = this.world.takeSnapshot() as Uint8Array | undefined;
    if (snapshot === undefined) throw new Error('Rapier cannot save this world');
    const bodies: SavedBody[] = [];
    this.#rigidBodies.forEach((rigidBody, slot) => {
      if (rigidBody === undefined) return;
      const wasActive = this.#activeAfter[slot] === this.#steps;
      bodies.push({ id: this.#idAt(slot), handle: rigidBody.handle, wasActive });
    });
    const active = Array.from(this.#active.subarray(0, this.#activeCount), (id) => id as BodyId);
    const present = active.filter((id) => this.#bodyOf(id) !== undefined);
    const watches = watchesOf(this);
    return packWorld({
      engine,
      snapshot,
      bodies,
      active: present,
      watches: watches.save(),
      pairs: watches.savePairs(),
      forces: watches.saveForces(),
    });
  }

  /**
   * Restores what {@link save} returned, in this object or another one: the same steps then produce the same bits. The
   * registry restores the bodies themselves.
   *
   * This replaces {@link world} by one with the same handles. Do not use objects of the old world, such as rigid
   * bodies, colliders, joints and controllers; {@link ref} and {@link rigidBodyOf} return the new ones.
   *
   * @throws RangeError if the bytes are not a saved world, are from another engine, or have more bodies
   *   than there is room for. Nothing changes then.
   */
  restore(bytes: Uint8Array): void {
    const saved = unpackWorld(bytes);
    const { bodies, active } = saved;
    const world = reviveWorld(saved, this.world, this.bodies.capacity);
    this.world.free();
    this.#world = world;
    noteGravity(this.#world);
    this.restoreCount += 1;
    this.#rigidBodies.length = 0;
    this.#slots.length = 0;
    // A fill of the whole arrays would take memory for bodies that never were.
    const { bodyLimit } = registryOf(this.bodies);
    this.#ids.fill(0, 0, bodyLimit);
    this.#activeAfter.fill(0, 0, bodyLimit);
    this.#steps = 1;
    for (const { id, handle, wasActive } of bodies) {
      const slot = slotOf(id);
      this.#rigidBodies[slot] = this.world.getRigidBody(handle);
      this.#ids[slot] = id;
      this.#activeAfter[slot] = wasActive ? this.#steps : 0;
      this.#slots[arenaIndexOf(handle)] = slot;
    }
    this.#active.set(active);
    this.#activeCount = active.length;
    const watches = watchesOf(this);
    watches.restore(saved.watches);
    watches.restorePairs(saved.pairs);
    watches.restoreForces(saved.forces);
  }

  /** Keeps which rigid body belongs to which body: for {@link adopt}, with the engine's memory of this moment. */
  keep(): KeptBodies<W> {
    const { length } = this.#rigidBodies;
    const watches = watchesOf(this);
    return {
      world: this.#world,
      rigidBodies: this.#rigidBodies.slice(),
      ids: this.#ids.slice(0, length),
      activeAfter: this.#activeAfter.slice(0, length),
      slots: this.#slots.slice(),
      active: this.#active.slice(0, this.#activeCount),
      steps: this.#steps,
      watches: watches.save(),
      pairs: watches.savePairs(),
      forces: watches.saveForces(),
    };
  }

  /**
   * Takes over what this object or another one has kept. The engine has its world again as it was then. Frees the own one
   * if it is another.
   */
  adopt(kept: KeptBodies<W>): void {
    if (this.world !== kept.world) this.world.free();
    this.#world = kept.world;
    noteGravity(this.#world);
    this.restoreCount += 1;
    this.#rigidBodies = kept.rigidBodies.slice();
    this.#slots = kept.slots.slice();
    this.#ids.fill(0);
    this.#ids.set(kept.ids);
    this.#activeAfter.fill(0);
    this.#activeAfter.set(kept.activeAfter);
    this.#active.set(kept.active);
    this.#activeCount = kept.active.length;
    this.#steps = kept.steps;
    const watches = watchesOf(this);
    watches.restore(kept.watches);
    watches.restorePairs(kept.pairs);
    watches.restoreForces(kept.forces);
  }

  /**
   * Adds the velocities of all bodies, by slot, to a state hash. The registry adds the poses.
   *
   * @throws Error naming a body whose rigid body was removed from the world directly.
   */
  hashInto(hash: StateHash): void {
    for (const [slot, rigidBody] of this.#rigidBodies.entries()) {
      if (rigidBody === undefined) continue;
      requireValid(rigidBody, this.#idAt(slot), this.bodies);
      addVector(hash, rigidBody.linvel(this.#velocity));
      addVector(hash, rigidBody.angvel(this.#velocity));
    }
  }

  /**
   * Permanently freezes a body at its last published pose: for bodies whose pose became NaN or infinite. It stays solid
   * and others rest on it, but it no longer moves.
   *
   * The engine disables a body with such a number. If a force or a mass was the cause, it also disables everything that
   * the body touches or is joined to: those other bodies stay disabled.
   *
   * @returns False if the body does not belong to this world.
   */
  freeze(id: BodyId): boolean {
    const rigidBody = this.#bodyOf(id);
    if (rigidBody === undefined) return false;
    freezeAt(rigidBody, registryOf(this.bodies).poseAt(slotOf(id)));
    return true;
  }

  // Created once, to avoid allocations per tick.
  readonly #publishAwake = (rigidBody: AnyRigidBody): void => {
    const slot = this.#slotOf(rigidBody);
    if (slot < 0) return;
    const id = this.#idAt(slot);
    if (this.#activeAfter[slot] !== this.#steps - 1) this.bodies.setAsleep(id, false);
    this.#activeAfter[slot] = this.#steps;
    this.#active[this.#activeCount++] = id;
    this.#publish(id, rigidBody);
  };

  /** Handles bodies that were active before and no longer are. */
  #publishFallenAsleep(before: Uint32Array, count: number): void {
    for (let index = 0; index < count; index++) {
      const id = before[index] as BodyId;
      const rigidBody = this.#bodyOf(id);
      if (rigidBody === undefined || this.#activeAfter[slotOf(id)] === this.#steps) continue;
      requireValid(rigidBody, id, this.bodies);
      // The engine disables a body with a NaN or infinite number and clears its velocity, so its pose does not show it.
      if (!rigidBody.isEnabled()) {
        this.bodies.markInvalid(id);
        continue;
      }
      if (this.#publish(id, rigidBody)) this.bodies.setAsleep(id, true);
    }
  }

  #publishChanged(): void {
    for (const id of this.#changed) {
      const rigidBody = this.#bodyOf(id);
      if (rigidBody === undefined) continue;
      const isAsleep = rigidBody.isSleeping();
      const isActive = this.#activeAfter[slotOf(id)] === this.#steps && rigidBody.isEnabled();
      this.bodies.setAsleep(id, isAsleep);
      if (this.bodies.hasVelocities && (isAsleep || !isActive)) {
        this.#publishVelocity(id, rigidBody);
      }
    }
    this.#changed.length = 0;
  }

  #publish(id: BodyId, rigidBody: AnyRigidBody): boolean {
    const p = rigidBody.translation(this.#position);
    const q = rigidBody.rotation(this.#rotation);
    if (this.bodies.hasVelocities) this.#publishVelocity(id, rigidBody);
    return this.bodies.setPose(id, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
  }

  #publishVelocity(id: BodyId, rigidBody: AnyRigidBody): void {
    const v = rigidBody.linvel(this.#velocity);
    const w = rigidBody.angvel(this.#spin);
    this.bodies.setVelocity(id, v.x, v.y, v.z, w.x, w.y, w.z);
  }

  #readPose(rigidBody: AnyRigidBody): Pose {
    const p = rigidBody.translation(this.#position);
    const q = rigidBody.rotation(this.#rotation);
    return { x: p.x, y: p.y, z: p.z, qx: q.x, qy: q.y, qz: q.z, qw: q.w };
  }

  #bodyOf(id: BodyId): AnyRigidBody | undefined {
    const slot = slotOf(id);
    return this.#ids[slot] === id ? this.#rigidBodies[slot] : undefined;
  }

  #idAt(slot: number): BodyId {
    return this.#ids[slot] as BodyId;
  }

  #slotOf(rigidBody: AnyRigidBody): number {
    const slot = this.#slots[arenaIndexOf(rigidBody.handle)] ?? -1;
    // An index is reused after its rigid body was removed; comparing the objects distinguishes the two.
    return slot >= 0 && this.#rigidBodies[slot] === rigidBody ? slot : -1;
  }
}

function addVector(hash: StateHash, { x, y, z }: AnyVector): void {
  hash.addFloat(x);
  hash.addFloat(y);
  hash.addFloat(z);
}
