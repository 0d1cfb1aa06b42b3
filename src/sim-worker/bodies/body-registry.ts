/**
 * The bodies of a simulation: which body has which slot, and the current poses.
 *
 * Poses are stored as lanes in private memory, in the same form as in a snapshot. Publishing a body that was not
 * written costs nothing; each write marks the body's block as changed in the next state.
 */
import {
  BODY_ALIVE,
  BODY_ASLEEP,
  BODY_INVALID,
  GENERATION_MASK,
  IDENTITY_MASK,
  afterTeleport,
  bodyId,
  identityOf,
  nextOwner,
  slotOf,
  withoutOwner,
  type BodyId,
} from '../../shared/memory/body-meta.js';
import { CapacityExceededError } from '../../shared/util/errors.js';
import { BODY_LANES, LANE, VELOCITY_LANE } from '../../shared/memory/layout.js';
import { SpawnList, RecentChanges } from './body-changes.js';
import { blockBodiesOf, type PoseSource } from './snapshot-writer.js';
import type { Json } from '../../shared/util/json.js';
import type { Bodies, Pose, SpawnOptions } from '../api/bodies.js';
import { NO_TAG, bodyNamed, tagOf, type BodyTag } from './body-tag.js';

/** The methods that change bodies. */
export type BodyChange =
  | 'spawn'
  | 'despawn'
  | 'clear'
  | 'setPose'
  | 'setVelocity'
  | 'markInvalid'
  | 'setAsleep';

/** The result of {@link BodyRegistry.save}, in separate memory. */
export interface SavedBodies {
  readonly capacity: number;
  readonly nextSlot: number;
  readonly bodyCount: number;
  readonly generation: number;
  readonly lanes: Int32Array;
  readonly free: Int32Array;
  /** By slot. */
  readonly tags: readonly BodyTag[];
  /** As many lanes as {@link lanes}. Undefined: none were stored. */
  readonly velocities: Float32Array | undefined;
}

const NO_BODIES: readonly BodyId[] = [];
const NO_OPTIONS: SpawnOptions = {};

export class BodyRegistry implements Bodies, PoseSource {
  readonly capacity: number;
  readonly lanes: Int32Array;
  readonly velocities: Float32Array | undefined;
  readonly changedAt: Float64Array;
  readonly recent: RecentChanges;
  readonly spawnList = new SpawnList();
  readonly #poses: Float32Array;
  readonly #blockShift: number;
  /** Freed slots, reused last in, first out: the slots in use stay dense. */
  #free: number[] = [];
  /** By slot. */
  #tags: BodyTag[] = [];
  /** Slots below this have been used since the run began; below `bodyLimit`, since the registry was created. */
  #nextSlot = 0;
  bodyLimit = 0;
  bodyCount = 0;
  invalidPoses = 0;
  /** Initial generation of all slots in this run, 0 to 4095. */
  generation = 0;
  #nextState = 0;
  readonly #newlyInvalid: BodyId[] = [];
  /** The tick that the run is in, or has ended last: for errors. Set by the run. */
  tick = 0;
  #onChange: ((change: BodyChange) => void) | undefined;
  /** Called for every body that is removed. */
  onDespawn: ((id: BodyId) => void) | undefined;

  /**
   * Created by the library; the simulation gets it in its context.
   *
   * @param capacity Most bodies at any time.
   * @param hasVelocities Whether velocities are stored.
   */
  constructor(capacity: number, hasVelocities = false) {
    const memory = new ArrayBuffer(capacity * BODY_LANES * 4);
    const blockBodies = blockBodiesOf(capacity);
    this.capacity = capacity;
    this.lanes = new Int32Array(memory);
    this.#poses = new Float32Array(memory);
    this.velocities = hasVelocities ? new Float32Array(capacity * BODY_LANES) : undefined;
    this.#blockShift = Math.log2(blockBodies);
    this.changedAt = new Float64Array(Math.ceil(capacity / blockBodies)).fill(-1);
    this.recent = new RecentChanges(capacity);
  }

  /** Bodies that became invalid since the last call, because a pose was refused or {@link markInvalid} was called. */
  takeInvalid(): readonly BodyId[] {
    return this.#newlyInvalid.length === 0 ? NO_BODIES : this.#newlyInvalid.splice(0);
  }

  /**
   * Used by the library to detect queries that change something: calls the function once, right before the next change.
   *
   * @param notify Receives the change. Undefined: there is no handler.
   */
  beforeNextChange(notify: ((change: BodyChange) => void) | undefined): void {
    this.#onChange =
      notify &&
      ((change) => {
        this.#onChange = undefined;
        notify(change);
      });
  }

  /** Called by the loop: changes from now on belong to the state with this ordinal. */
  beginState(ordinal: number): void {
    this.#nextState = ordinal;
    this.recent.begin(ordinal);
  }

  spawn(pose: Pose, options: SpawnOptions = NO_OPTIONS): BodyId {
    for (const key in options) {
      if (key !== 'tag') throw new TypeError(`spawn() has no option "${key}": it has tag`);
    }
    const tag = tagOf(options.tag);
    if (!isDrawablePose(pose.x, pose.y, pose.z, pose.qx, pose.qy, pose.qz, pose.qw)) {
      throw new RangeError(
        `the pose of a new body ${bodyNamed(tag, this.tick)} must have finite 32-bit numbers and a rotation ` +
          'that is not zero',
      );
    }
    if (this.#free.length === 0 && this.#nextSlot >= this.capacity) {
      throw new CapacityExceededError(
        `all ${this.capacity} bodies of the snapshot are in use, and a new body ${bodyNamed(tag, this.tick)} has no ` +
          'room: remove some, or connect with a higher capacity',
      );
    }
    this.#onChange?.('spawn');
    const freed = this.#free.pop();
    const slot = freed ?? this.#nextSlot++;
    // A slot without owners has the generation of the run. It is not written ahead, which would touch all memory.
    const meta = nextOwner(freed === undefined ? this.generation : this.#meta(freed));
    this.bodyLimit = Math.max(this.bodyLimit, this.#nextSlot);
    this.bodyCount += 1;
    this.lanes[slot * BODY_LANES + LANE.meta] = meta;
    this.#tags[slot] = tag;
    this.velocities?.fill(0, slot * BODY_LANES, (slot + 1) * BODY_LANES);
    const id = bodyId(slot, meta & GENERATION_MASK);
    this.setPose(id, pose.x, pose.y, pose.z, pose.qx, pose.qy, pose.qz, pose.qw);
    this.spawnList.noteSpawn(id);
    return id;
  }

  despawn(id: BodyId): boolean {
    if (!this.isAlive(id)) return false;
    this.#onChange?.('despawn');
    const slot = slotOf(id);
    this.lanes[slot * BODY_LANES + LANE.meta] = withoutOwner(this.#meta(slot));
    this.#tags[slot] = NO_TAG;
    this.#mark(slot);
    this.#free.push(slot);
    this.bodyCount -= 1;
    this.spawnList.noteDespawn(id);
    this.onDespawn?.(id);
    return true;
  }

  clear(): void {
    this.#onChange?.('clear');
    for (const id of this.ids()) this.despawn(id);
    // Lowest slots first, so that a rebuilt scene gets the same slots as before.
    this.#free.sort((a, b) => b - a);
  }

  /** The living bodies, by slot. */
  ids(): BodyId[] {
    const ids: BodyId[] = [];
    for (let slot = 0; slot < this.#nextSlot; slot++) {
      const meta = this.#meta(slot);
      if ((meta & BODY_ALIVE) !== 0) ids.push(bodyId(slot, meta & GENERATION_MASK));
    }
    return ids;
  }

  /**
   * Begins a run without bodies. Spawned bodies get the same ids as in every run that began with this generation.
   *
   * @param generation 0 to 4095.
   */
  begin(generation: number): void {
    this.restore(noBodies(generation));
  }

  /**
   * Returns the owners of all slots, all poses and tags, and the order in which free slots are reused. The count of invalid
   * poses is not included: it counts what happened and is not part of the state.
   */
  save(): SavedBodies {
    return {
      capacity: this.capacity,
      nextSlot: this.#nextSlot,
      bodyCount: this.bodyCount,
      generation: this.generation,
      lanes: this.lanes.slice(0, this.#nextSlot * BODY_LANES),
      free: Int32Array.from(this.#free),
      tags: this.#tags.slice(0, this.#nextSlot),
      velocities: this.velocities?.slice(0, this.#nextSlot * BODY_LANES),
    };
  }

  /**
   * Restores what {@link save} returned: the same ids are alive, and new bodies get the same ids as then. Marks all
   * blocks as changed.
   */
  restore(saved: SavedBodies): void {
    const { nextSlot, bodyCount, generation, lanes, free, tags, velocities } = saved;
    this.lanes.fill(0, 0, this.#nextSlot * BODY_LANES);
    this.generation = generation;
    this.lanes.set(lanes);
    this.velocities?.fill(0, 0, this.#nextSlot * BODY_LANES);
    this.velocities?.set(velocities ?? []);
    this.#newlyInvalid.length = 0;
    this.#free = [...free];
    this.#tags = [...tags];
    this.spawnList.forget();
    this.#nextSlot = nextSlot;
    this.bodyLimit = Math.max(this.bodyLimit, nextSlot);
    this.bodyCount = bodyCount;
    this.changedAt.fill(this.#nextState);
    this.recent.markAll();
  }

  isAlive(id: BodyId): boolean {
    return (this.#meta(slotOf(id)) & IDENTITY_MASK) === identityOf(id);
  }

  tag(id: BodyId): Json | undefined {
    return this.tagOf(id)?.value;
  }

  /** Like {@link tag}, with its JSON. */
  tagOf(id: BodyId): BodyTag | undefined {
    return this.isAlive(id) ? this.#tags[slotOf(id)] : undefined;
  }

  pose(id: BodyId): Pose | undefined {
    return this.isAlive(id) ? this.poseAt(slotOf(id)) : undefined;
  }

  /** The pose in a slot, regardless of its owner. */
  poseAt(slot: number): Pose {
    const at = slot * BODY_LANES;
    const of = (lane: number): number => this.#poses[at + lane] ?? 0;
    return {
      x: of(LANE.x),
      y: of(LANE.y),
      z: of(LANE.z),
      qx: of(LANE.qx),
      qy: of(LANE.qy),
      qz: of(LANE.qz),
      qw: of(LANE.qw),
    };
  }

  setPose(
    id: BodyId,
    x: number,
    y: number,
    z: number,
    qx: number,
    qy: number,
    qz: number,
    qw: number,
  ): boolean {
    const slot = slotOf(id);
    const meta = this.#meta(slot);
    if ((meta & IDENTITY_MASK) !== identityOf(id)) return false;
    this.#onChange?.('setPose');
    if (!isDrawablePose(x, y, z, qx, qy, qz, qw)) {
      this.markInvalid(id);
      return false;
    }
    const poses = this.#poses;
    const at = slot * BODY_LANES;
    poses[at + LANE.x] = x;
    poses[at + LANE.y] = y;
    poses[at + LANE.z] = z;
    poses[at + LANE.qx] = qx;
    poses[at + LANE.qy] = qy;
    poses[at + LANE.qz] = qz;
    poses[at + LANE.qw] = qw;
    this.#mark(slot);
    if ((meta & BODY_INVALID) !== 0) this.#setFlags(slot, 0, BODY_INVALID);
    return true;
  }

  get hasVelocities(): boolean {
    return this.velocities !== undefined;
  }

  setVelocity(
    id: BodyId,
    x: number,
    y: number,
    z: number,
    wx: number,
    wy: number,
    wz: number,
  ): boolean {
    const { velocities } = this;
    if (velocities === undefined || !this.isAlive(id)) return false;
    const { fround } = Math;
    const sum = fround(x) + fround(y) + fround(z) + fround(wx) + fround(wy) + fround(wz);
    // With a NaN or infinite term, it is not finite either.
    if (!Number.isFinite(sum)) return false;
    this.#onChange?.('setVelocity');
    const slot = slotOf(id);
    const at = slot * BODY_LANES;
    velocities[at + VELOCITY_LANE.x] = x;
    velocities[at + VELOCITY_LANE.y] = y;
    velocities[at + VELOCITY_LANE.z] = z;
    velocities[at + VELOCITY_LANE.wx] = wx;
    velocities[at + VELOCITY_LANE.wy] = wy;
    velocities[at + VELOCITY_LANE.wz] = wz;
    this.#mark(slot);
    return true;
  }

  markInvalid(id: BodyId): void {
    if (!this.isAlive(id)) return;
    this.#onChange?.('markInvalid');
    const slot = slotOf(id);
    this.invalidPoses += 1;
    if ((this.#meta(slot) & BODY_INVALID) === 0) this.#newlyInvalid.push(id);
    this.#setFlags(slot, BODY_INVALID, 0);
  }

  teleport(id: BodyId, pose: Pose): boolean {
    if (!this.setPose(id, pose.x, pose.y, pose.z, pose.qx, pose.qy, pose.qz, pose.qw)) return false;
    const at = slotOf(id) * BODY_LANES + LANE.meta;
    this.lanes[at] = afterTeleport(this.lanes[at] ?? 0);
    return true;
  }

  setAsleep(id: BodyId, isAsleep: boolean): void {
    if (!this.isAlive(id)) return;
    this.#setFlags(slotOf(id), isAsleep ? BODY_ASLEEP : 0, isAsleep ? 0 : BODY_ASLEEP);
  }

  #setFlags(slot: number, set: number, clear: number): void {
    const at = slot * BODY_LANES + LANE.meta;
    const before = this.lanes[at] ?? 0;
    const after = (before | set) & ~clear;
    if (after === before) return;
    this.#onChange?.('setAsleep');
    this.lanes[at] = after;
    this.#mark(slot);
  }

  #meta(slot: number): number {
    return this.lanes[slot * BODY_LANES + LANE.meta] ?? 0;
  }

  #mark(slot: number): void {
    this.changedAt[slot >>> this.#blockShift] = this.#nextState;
    this.recent.mark(slot);
  }
}

/** The registry behind a simulation's bodies, which are always of this class. */
export const registryOf = (bodies: Bodies): BodyRegistry => bodies as BodyRegistry;

/** Bodies of an empty registry. The initial generation of all slots is 0 to 4095. */
export function noBodies(generation: number): SavedBodies {
  const none = new Int32Array(0);
  return {
    capacity: 0,
    nextSlot: 0,
    bodyCount: 0,
    generation,
    lanes: none,
    free: none,
    tags: [],
    velocities: undefined,
  };
}

/**
 * Whether the lanes can hold the pose and a display can draw it. Checked in 32 bits, where 1e39 is infinite. A sum with
 * a NaN or infinite term is not finite either. Drawing divides a rotation by its length.
 */
export function isDrawablePose(
  x: number,
  y: number,
  z: number,
  qx: number,
  qy: number,
  qz: number,
  qw: number,
): boolean {
  const { fround } = Math;
  const lengthSquared = fround(qx) ** 2 + fround(qy) ** 2 + fround(qz) ** 2 + fround(qw) ** 2;
  return lengthSquared > 0 && Number.isFinite(fround(x) + fround(y) + fround(z) + lengthSquared);
}
