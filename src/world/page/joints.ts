/** Joints and multibody joints of a world, as applications have them, and their handles. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { JOINT, type JointFields, type Kind } from '../shared/setting-tables.js';
import { breakForces, flag, rotation, vector } from './checked-values.js';
import { JointAxis, JointType, type MotorModel } from './constants.js';
import { ItemHandle } from './item-handle.js';
import { defineAxisMethods, type AxisMethods, type JointMotor } from './axis-methods.js';
import type { RigidBody } from './body-and-collider.js';
import { defineSettings, type SettingMethods } from './setting-methods.js';

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
  /** The kind of the joint. */
  type(): JointType;
  /** Where it is attached to the first body, relative to it. */
  anchor1(target?: Vector): Vector;
  /** Where it is attached to the second body, relative to it. */
  anchor2(target?: Vector): Vector;
  /** How it is turned in the first body, as far as it was set. */
  frameX1(target?: Rotation): Rotation;
  /** How it is turned in the second body, as far as it was set. */
  frameX2(target?: Rotation): Rotation;
  /** Whether the bodies that it holds collide with each other. */
  contactsEnabled(): boolean;
  /** The axes that it holds: 6 bits, flags of `JointAxesMask`. A rope or a spring holds none. */
  lockedAxes(): number;
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
  /** The force in newtons and the torque in newton metres at which it breaks; Infinity: never. */
  breakForce(): [force: number, torque: number];
  /**
   * Lets it break in the first step in which it carries more, in whatever direction: it is removed, its bodies wake, and the
   * world has an event `broken`. The forces of limits and motors do not count, but the pull of a rope or a spring does. Of
   * impacts, only the last solver iteration of a tick is seen.
   *
   * @param force In newtons, from 0. Infinity: it never breaks by a force.
   * @param torque In newton metres, from 0, at the anchor of the second body. Default Infinity.
   */
  setBreakForce(force: number, torque?: number): void;
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
  /** Chooses the meaning of its motor's stiffness and damping. */
  configureMotorModel(model: MotorModel): void;
  /** @param force The most that its motor uses, in newtons, or newton metres of a revolute joint, from 0. */
  setMotorMaxForce(force: number): void;
  /** The joint's motor; undefined before it is configured. */
  motor(): JointMotor | undefined;
}

/** The methods of {@link UnitImpulseJoint} that read and set limits and motors, with the axis as their first argument. */
type ByAxis = {
  readonly [Name in keyof Pick<UnitImpulseJoint, AxisMethods>]: (
    axis: JointAxis,
    ...args: Parameters<UnitImpulseJoint[Name]>
  ) => ReturnType<UnitImpulseJoint[Name]>;
};

/**
 * A spherical or a generic joint, which has limits and a motor on each axis that it leaves free: the methods of
 * {@link UnitImpulseJoint}, with an axis as their first argument, such as `setLimits(JointAxis.AngX, -0.5, 0.5)`. Values are in m
 * for `LinX`, `LinY` and `LinZ`, and in radians for `AngX`, `AngY` and `AngZ`. Axes are those of the joint's frame in the first
 * body: {@link ImpulseJoint.setFrameX1}. What is set of an axis that the joint holds does nothing.
 */
export interface GenericImpulseJoint extends ImpulseJoint, ByAxis {}

/** Rapier's name for a joint that holds two bodies together. */
export type FixedImpulseJoint = ImpulseJoint;
/** Rapier's name for a joint with a maximum distance. */
export type RopeImpulseJoint = ImpulseJoint;
/** Rapier's name for a joint that is a spring. */
export type SpringImpulseJoint = ImpulseJoint;
/** Rapier's name for a ball joint. */
export type SphericalImpulseJoint = GenericImpulseJoint;
/** Rapier's name for a slider. */
export type PrismaticImpulseJoint = UnitImpulseJoint;
/** Rapier's name for a hinge. */
export type RevoluteImpulseJoint = UnitImpulseJoint;

/**
 * A handle of a multibody joint, made by `World.createMultibodyJoint`: the bodies of such joints form trees, and cannot drift
 * apart. It exists at once; the engine has the joint from the next tick on. Rapier 0.20 gives these joints no limits or motors
 * after their creation. It goes with either of its bodies. On a joint that was removed, methods do nothing, and say so once in
 * the console.
 */
export interface MultibodyJoint {
  /** The joint's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** False after it was removed, or one of its bodies was. */
  isValid(): boolean;
  /** The first body, nearer to the root of the tree. */
  body1(): RigidBody;
  /** The second body. */
  body2(): RigidBody;
  /** The kind of the joint. */
  type(): JointType;
  /** Whether the bodies that it holds collide with each other. */
  contactsEnabled(): boolean;
  /** Whether the bodies that it holds collide with each other. */
  setContactsEnabled(enabled: boolean): void;
}

/** A joint of two bodies. */
class JointBase extends ItemHandle<'joint'> {
  body1(): RigidBody {
    return this.parts[0] as RigidBody;
  }

  body2(): RigidBody {
    return this.parts[1] as RigidBody;
  }

  type(): JointType {
    return this.fields.type as JointType;
  }
}

export class MultibodyJointHandle extends JointBase implements MultibodyJoint {
  static override readonly kind: Kind = 'multibodyJoint';

  contactsEnabled(): boolean {
    return this.fields.contactsEnabled ?? true;
  }

  setContactsEnabled(enabled: boolean): void {
    const isEnabled = flag(enabled);
    if (this.isValid() && this.contactsEnabled() === isEnabled) return;
    this.setField('contactsEnabled', isEnabled);
  }
}

export interface JointHandle extends SettingMethods<ImpulseJoint, typeof JOINT> {}

/** By `JointType`, which ends with the generic joint: bits of the axes that it holds. */
const HELD = [0b110111, 0b111111, 0b111110, 0, 0, 0b000111];
const ONLY_AXIS = new Map<JointType, JointAxis>([
  [JointType.Revolute, JointAxis.AngX],
  [JointType.Prismatic, JointAxis.LinX],
]);

/** A joint of any type, until it is removed and after. */
export class JointHandle extends JointBase implements ImpulseJoint {
  static override readonly kind: Kind = 'joint';

  static {
    defineSettings(this.prototype, JOINT, (joint, { name }, value) =>
      joint.setField(name as keyof JointFields, value as never),
    );
    defineAxisMethods(this.prototype, {
      fieldsOf: ({ fields }) => fields,
      change: (joint, name, row) => joint.setField(name, row),
      only: (joint) => ONLY_AXIS.get(joint.type()),
    });
  }

  /** The tick in which it broke; undefined in a state in which it has not. */
  brokenAt: number | undefined;

  breakForce(): [number, number] {
    const { 0: force = Infinity, 1: torque = Infinity } = this.fields.breakForce ?? [];
    return [force, torque];
  }

  setBreakForce(force: number, torque?: number): void {
    this.setField('breakForce', breakForces(force, torque));
  }

  lockedAxes(): number {
    return HELD[this.type()] ?? this.fields.axesMask ?? 0;
  }

  setLocalFrame1(anchor: Readonly<Vector>, turned: Readonly<Rotation>): void {
    const checked = [vector('anchor', anchor), rotation('rotation', turned)] as const;
    this.setField('anchor1', checked[0]);
    this.setField('frame1', checked[1]);
  }

  setLocalFrame2(anchor: Readonly<Vector>, turned: Readonly<Rotation>): void {
    const checked = [vector('anchor', anchor), rotation('rotation', turned)] as const;
    this.setField('anchor2', checked[0]);
    this.setField('frame2', checked[1]);
  }
}
