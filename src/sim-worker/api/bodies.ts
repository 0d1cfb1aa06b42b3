/** The bodies of a simulation, as it sees them. */
import type { BodyId } from '../../shared/memory/body-meta.js';

/** Position in metres (or the simulation's own unit) and rotation as a unit quaternion. */
export interface Pose {
  /** Position, in metres or the simulation's own unit. */
  readonly x: number;
  /** As x. */
  readonly y: number;
  /** As x. */
  readonly z: number;
  /** Rotation, a unit quaternion: its i. */
  readonly qx: number;
  /** As qx: its j. */
  readonly qy: number;
  /** As qx: its k. */
  readonly qz: number;
  /** As qx: its real part. */
  readonly qw: number;
}

/** The bodies of a simulation and their poses, of which a snapshot is made after each tick. */
export interface Bodies {
  /** Most bodies at any time: the option `capacity` of `connect`. */
  readonly capacity: number;
  /** Bodies that live now. */
  readonly bodyCount: number;
  /** Poses refused so far because a number in them was NaN or infinite, or the rotation zero. */
  readonly invalidPoses: number;
  /**
   * Takes a slot for a new body.
   *
   * @throws CapacityExceededError when all slots are taken. Nothing has changed then.
   * @throws RangeError if the pose has a NaN or an infinite number, or its rotation is zero.
   */
  spawn(pose: Pose): BodyId;
  /** Gives a body's slot back. Returns false when it was not alive. */
  despawn(id: BodyId): boolean;
  /** Gives all slots back. Ids given out before stay invalid. */
  clear(): void;
  /** Whether the body lives: it was spawned and not removed since. */
  isAlive(id: BodyId): boolean;
  /** Where a body is now, as 32-bit numbers. Undefined when it is not alive. */
  pose(id: BodyId): Pose | undefined;
  /**
   * Writes where a body is now. The display moves it there from where it was.
   *
   * @param x Position, in metres or the simulation's own unit.
   * @param qx Rotation, a unit quaternion qx qy qz qw.
   * @returns False when the body is not alive, or when a number is NaN or infinite (in 32 bits) or the
   *   rotation zero: the last good pose then stays, the body is marked invalid and the refusal counted.
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
  /** Writes a pose that the display must snap to instead of moving there. Returns as {@link setPose}. */
  teleport(id: BodyId, pose: Pose): boolean;
  /** Marks a body as asleep or awake. The display does not need it; debug views and counters do. */
  setAsleep(id: BodyId, isAsleep: boolean): void;
  /**
   * Counts a body as invalid, for an adapter of an engine that finds it out before a pose is written. The last good pose
   * stays, and the option `invalidPosePolicy` says what becomes of the body.
   */
  markInvalid(id: BodyId): void;
}
