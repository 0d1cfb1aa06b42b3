/** Joints and multibody joints of a world, as applications have them, and their handles. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import {
  JOINT,
  MOTOR,
  MOTOR_METHODS,
  type JointFields,
  type Kind,
  type Motor,
  type MotorMethod,
} from '../shared/setting-tables.js';
import { settingsIn } from '../shared/setting-types.js';
import { flag, limits, rotation, settingValue, vector } from './checked-values.js';
import { JointType, type MotorModel } from './constants.js';
import { ItemHandle, type NewItem } from './item-handle.js';
import type { RigidBody } from './body-and-collider.js';
import { defineMethods, defineSettings, type SettingMethods } from './setting-methods.js';
import type { WorldLink } from './world-link.js';

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
  /** Chooses the meaning of its motor's stiffness and damping. */
  configureMotorModel(model: MotorModel): void;
  /** @param force The most that its motor uses, in newtons, from 0. */
  setMotorMaxForce(force: number): void;
}

/** Rapier's name for a joint that holds two bodies together. */
export type FixedImpulseJoint = ImpulseJoint;
/** Rapier's name for a joint with a maximum distance. */
export type RopeImpulseJoint = ImpulseJoint;
/** Rapier's name for a joint that is a spring. */
export type SpringImpulseJoint = ImpulseJoint;
/** Rapier's name for a ball joint. */
export type SphericalImpulseJoint = ImpulseJoint;
/** Rapier's name for a joint whose free axes were chosen. */
export type GenericImpulseJoint = ImpulseJoint;
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

/** A joint, until it is removed and after. */
export class JointHandle extends JointBase implements ImpulseJoint {
  static override readonly kind: Kind = 'joint';

  static {
    defineSettings(this.prototype, JOINT, (joint, { name }, value) =>
      joint.setField(name as keyof JointFields, value as never),
    );
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

export interface UnitJointHandle extends Pick<UnitImpulseJoint, keyof typeof MOTOR_METHODS> {}

export class UnitJointHandle extends JointHandle implements UnitImpulseJoint {
  static {
    for (const [method, { takes, sets }] of Object.entries<MotorMethod>(MOTOR_METHODS)) {
      defineMethods(this.prototype, {
        [method](this: UnitJointHandle, ...args: unknown[]): void {
          const motor = { ...sets };
          for (const [index, [argument, name]] of Object.entries(takes).entries()) {
            motor[name] = settingValue(MOTOR[name], argument, [args[index]]) as number;
          }
          this.#configure(motor);
        },
      });
    }
  }

  limitsEnabled(): boolean {
    return this.fields.limits !== undefined;
  }

  limitsMin(): number {
    return this.fields.limits?.[0] ?? Number.NEGATIVE_INFINITY;
  }

  limitsMax(): number {
    return this.fields.limits?.[1] ?? Number.POSITIVE_INFINITY;
  }

  setLimits(min: number, max: number): void {
    this.setField('limits', limits(min, max));
  }

  #configure(changed: Motor): void {
    const before = this.fields.motor ?? [];
    const motor = settingsIn(MOTOR).map(
      ({ name, row }, index) => changed[name as keyof Motor] ?? before[index] ?? row.standard,
    );
    this.setField('motor', motor as number[]);
  }
}

/** Makes the handle of an impulse joint of any type. */
export function jointHandleOf(link: WorldLink, item: NewItem<'joint'>): JointHandle {
  const { type } = item.fields;
  const isUnit = type === JointType.Revolute || type === JointType.Prismatic;
  return isUnit ? new UnitJointHandle(link, item) : new JointHandle(link, item);
}
