/** A joint of a world, as the page has it. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import type { JointType, MotorModel } from './constants.js';
import type { RigidBody } from './rigid-body.js';

/**
 * A handle of a joint, made by `World.createImpulseJoint`. It exists at once; the engine has the joint from the next tick
 * on. Methods have the names that Rapier gives them, and those that change something take effect on a later tick. It goes
 * with either of its bodies. On a joint that was removed, methods do nothing, and say so once in the console.
 *
 * All that change something throw TypeError or RangeError, naming the field, for a value of another type or a number that
 * is not finite in 32 bits.
 */
export interface ImpulseJoint {
  /** The joint's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** False after it was removed, or one of its bodies was. */
  isValid(): boolean;
  /** The first body. */
  body1(): RigidBody;
  /** The second body. */
  body2(): RigidBody;
  /** What it holds. */
  type(): JointType;
  /** Where it is attached to the first body, relative to it. */
  anchor1(): Vector;
  /** Where it is attached to the second body, relative to it. */
  anchor2(): Vector;
  /** How it is turned in the first body, as far as it was set. */
  frameX1(): Rotation;
  /** How it is turned in the second body, as far as it was set. */
  frameX2(): Rotation;
  /** Whether the bodies that it holds collide with each other. */
  contactsEnabled(): boolean;
  /** Relative to the first body. */
  setAnchor1(value: Readonly<Vector>): void;
  /** Relative to the second body. */
  setAnchor2(value: Readonly<Vector>): void;
  /** Relative to the first body. */
  setFrameX1(value: Readonly<Rotation>): void;
  /** Relative to the second body. */
  setFrameX2(value: Readonly<Rotation>): void;
  /** Anchor and frame, relative to the first body. */
  setLocalFrame1(anchor: Readonly<Vector>, rotation: Readonly<Rotation>): void;
  /** Anchor and frame, relative to the second body. */
  setLocalFrame2(anchor: Readonly<Vector>, rotation: Readonly<Rotation>): void;
  /** Whether the bodies that it holds collide with each other. */
  setContactsEnabled(enabled: boolean): void;
}

/** A revolute or a prismatic joint, which has limits and a motor. In m for a prismatic joint, in radians for others. */
export interface UnitImpulseJoint extends ImpulseJoint {
  /** Whether it has limits. */
  limitsEnabled(): boolean;
  /** The lower limit, in m or radians; −Infinity if it has none. */
  limitsMin(): number;
  /** The upper limit, in m or radians; Infinity if it has none. */
  limitsMax(): number;
  /** @param min In m or radians, at most the maximum. */
  setLimits(min: number, max: number): void;
  /**
   * Drives it at a velocity.
   *
   * @param velocity In m or radians per second.
   * @param factor How strongly, from 0.
   */
  configureMotorVelocity(velocity: number, factor: number): void;
  /**
   * Drives it to a position.
   *
   * @param position In m or radians.
   * @param stiffness How strongly, from 0; damping also.
   */
  configureMotorPosition(position: number, stiffness: number, damping: number): void;
  /**
   * Drives it to a position at a velocity.
   *
   * @param position In m or radians.
   * @param velocity In m or radians per second.
   * @param stiffness How strongly, from 0; damping also.
   */
  configureMotor(position: number, velocity: number, stiffness: number, damping: number): void;
  /** What stiffness and damping of its motor mean. */
  configureMotorModel(model: MotorModel): void;
  /** @param force The most that its motor uses, in newtons, from 0. */
  setMotorMaxForce(force: number): void;
}
