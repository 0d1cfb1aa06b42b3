/** The bodies of a simulation, as the simulation sees them. */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Json } from '../../shared/util/json.js';

/** A position in metres (or the simulation's own unit) and a rotation as a unit quaternion. */
export interface Pose {
  /** Position, in metres or the simulation's own unit. */
  readonly x: number;
  /** Same unit as x. */
  readonly y: number;
  /** Same unit as x. */
  readonly z: number;
  /** Rotation, a unit quaternion: the i component. */
  readonly qx: number;
  /** As qx: the j component. */
  readonly qy: number;
  /** As qx: the k component. */
  readonly qz: number;
  /** As qx: the real part. */
  readonly qw: number;
}

/** Options of a new body, apart from its pose. */
export interface SpawnOptions {
  /**
   * Describes the body for the page: plain data of at most 1,000 characters of JSON, such as `{ shape: 'ball' }`. It is
   * copied, saved with the state, and never changes. Default null.
   */
  readonly tag?: Json;
}

/** The bodies of a simulation and their poses. After each tick, a snapshot is made of them. */
export interface Bodies {
  /** Most bodies at any time: the option `capacity` of `connect`. */
  readonly capacity: number;
  /** Bodies currently alive. */
  readonly bodyCount: number;
  /** Poses refused so far because a number was NaN or infinite, or because the rotation was zero. */
  readonly invalidPoses: number;
  /**
   * Creates a body and gives it a slot.
   *
   * @param options Its tag, by which the page knows what to draw.
   * @throws CapacityExceededError if all slots are taken. Nothing changes then.
   * @throws RangeError if a number of the pose is NaN or infinite, the rotation is zero, or the tag is too long.
   * @throws TypeError if JSON cannot hold the tag, or for an unknown option.
   */
  spawn(pose: Pose, options?: SpawnOptions): BodyId;
  /** Removes a body and frees its slot. Returns false if the body is not alive. */
  despawn(id: BodyId): boolean;
  /** Removes all bodies. Their ids stay invalid. */
  clear(): void;
  /** Whether the body has been spawned and not removed since. */
  isAlive(id: BodyId): boolean;
  /** The bodies: in the order in which they were spawned, but a body may take the place of one that was removed. */
  ids(): BodyId[];
  /** The tag that a body was created with, frozen; null if it has none. Undefined if the body is not alive. */
  tag(id: BodyId): Json | undefined;
  /** The current pose of a body, as 32-bit numbers. Undefined if the body is not alive. */
  pose(id: BodyId): Pose | undefined;
  /**
   * Sets the pose of a body. The display interpolates from the previous pose.
   *
   * @param x Position, in metres or the simulation's own unit.
   * @param qx Rotation, a unit quaternion qx qy qz qw.
   * @returns False if the body is not alive, a number is NaN or infinite (in 32 bits), or the rotation is zero. In the
   *   last two cases the body keeps its last valid pose, is marked invalid, and the refusal is counted.
   */
  setPose(
    id: BodyId,
    x: number,
    y: number,
    z: number,
    qx: number,
    qy: number,
    qz: number,
    qw: number,
  ): boolean;
  /** Sets a pose that the display must snap to instead of interpolating. Returns the same as {@link setPose}. */
  teleport(id: BodyId, pose: Pose): boolean;
  /** Whether velocities are published: the option `display.velocities` of `connect`. */
  readonly hasVelocities: boolean;
  /**
   * Sets the velocity of a body that the page reads with `frame.velocity`. It moves nothing: `setPose` does. A new body
   * has a velocity of 0, and every other one keeps what was set last. A `RapierWorld` sets those of its bodies.
   *
   * @param x Per second, in metres or the simulation's own unit.
   * @param wx Rotation about the x axis, in radians per second.
   * @returns False if velocities are not published, the body is not alive, or a number is NaN or infinite (in 32 bits).
   */
  setVelocity(
    id: BodyId,
    x: number,
    y: number,
    z: number,
    wx: number,
    wy: number,
    wz: number,
  ): boolean;
  /** Marks a body as asleep or awake. The display does not need this; debug views and counters do. */
  setAsleep(id: BodyId, isAsleep: boolean): void;
  /**
   * Marks and counts a body as invalid, for engine adapters that detect it before a pose is written. The body keeps its
   * last valid pose, and the option `invalidPosePolicy` decides what happens to it.
   */
  markInvalid(id: BodyId): void;
}
