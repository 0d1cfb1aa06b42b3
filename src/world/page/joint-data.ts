/** Descriptions of joints, with Rapier's names. They load no engine. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { warnOnce } from '../../shared/util/development.js';
import { JOINT, type JointFields } from '../shared/setting-tables.js';
import { settingsIn } from '../shared/setting-types.js';
import { breakForces, integer, notNegative, settingValue } from './checked-values.js';
import { JointType } from './constants.js';
import { defineAxisMethods, rowAfter, type AxisSetters } from './axis-methods.js';
import type {
  GenericImpulseJoint,
  ImpulseJoint,
  SphericalImpulseJoint,
  UnitImpulseJoint,
} from './joints.js';
import { fromEngine, type EngineClass, type EngineJointData } from './engine-data.js';

/** As the methods of {@link GenericImpulseJoint}, also for joints with one axis. Each returns the description. */
type AxisDescription<J extends ImpulseJoint> = {
  readonly [Name in AxisSetters]: (...args: Parameters<GenericImpulseJoint[Name]>) => JointData<J>;
};

/** For the world that makes a joint of a description: a copy of what was set. */
export let fieldsOfJoint: (data: JointData | EngineJointData) => JointFields;

export interface JointData<J extends ImpulseJoint = ImpulseJoint> extends AxisDescription<J> {}

/**
 * The description of a joint, which may be used for any number of joints between two bodies. Anchors are points of each
 * body, relative to it, in m or the simulation's own unit; axes are directions of each body.
 *
 * Descriptions of joints with free axes have the methods of {@link GenericImpulseJoint} that set limits and motors:
 * `JointData.spherical(a, b).setLimits(JointAxis.AngX, -0.5, 0.5)`. Each returns the description.
 *
 * All methods throw TypeError or RangeError, naming the field, for a value of another type or a number that is not finite
 * in 32 bits.
 *
 * @typeParam J The joint that a world makes of it.
 */
export class JointData<J extends ImpulseJoint = ImpulseJoint> {
  /** Never read: the type of the joint. */
  declare readonly joint?: J;
  readonly #fields: JointFields;

  static {
    fieldsOfJoint = (data) => {
      const fields =
        data instanceof JointData ? { ...data.#fields } : fromEngine('data', data, OF_RAPIER);
      if (!data.limitsEnabled) return fields;
      if (fields.type === JointType.Prismatic) {
        fields.linX = rowAfter(fields.linX, 'setLimits', ...data.limits);
      } else {
        warnOnce(
          'limits of a description',
          'limits of a description are for prismatic joints alone, as in Rapier: call setLimits of the joint',
        );
      }
      return fields;
    };
    defineAxisMethods(this.prototype as JointData, {
      fieldsOf: (data) => data.#fields,
      change(data, name, row) {
        data.#fields[name] = row;
        return data;
      },
    });
  }

  /** Whether a prismatic joint has {@link limits}. As in Rapier, they count only if this is true. Default false. */
  limitsEnabled = false;
  /** The least and the greatest distance of a prismatic joint, in m or the simulation's own unit. Default: none. */
  limits: [number, number] = [0, 0];

  private constructor(type: JointType, given: Readonly<Record<string, unknown>>) {
    const settings = settingsIn(JOINT).filter(({ name }) => name in given);
    // A copy.
    const own = settings.map(({ name, row }) => [name, settingValue(row, name, [given[name]])]);
    this.#fields = { type, ...Object.fromEntries(own) };
  }

  /**
   * As {@link ImpulseJoint.setBreakForce}. Returns the description.
   *
   * @param force In newtons, from 0.
   * @param torque In newton metres, from 0. Default Infinity.
   */
  setBreakForce(force: number, torque?: number): this {
    this.#fields.breakForce = breakForces(force, torque);
    return this;
  }

  /** The bodies move as one. @param frame1 How the joint is turned in the first body; frame2 in the second. */
  static fixed(
    anchor1: Readonly<Vector>,
    frame1: Readonly<Rotation>,
    anchor2: Readonly<Vector>,
    frame2: Readonly<Rotation>,
  ): JointData {
    return new JointData(JointType.Fixed, { anchor1, anchor2, frame1, frame2 });
  }

  /** The anchors stay together, and the bodies turn freely. */
  static spherical(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
  ): JointData<SphericalImpulseJoint> {
    return new JointData(JointType.Spherical, { anchor1, anchor2 });
  }

  /** The anchors stay together, and the bodies turn about one axis. */
  static revolute(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
    axis: Readonly<Vector>,
  ): JointData<UnitImpulseJoint> {
    return new JointData(JointType.Revolute, { anchor1, anchor2, axis });
  }

  /** Like {@link revolute}, with an axis for each body. */
  static revoluteWithAxes(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
    axis1: Readonly<Vector>,
    axis2: Readonly<Vector>,
  ): JointData<UnitImpulseJoint> {
    return new JointData(JointType.Revolute, { anchor1, anchor2, axis1, axis2 });
  }

  /** The bodies slide along one axis, and do not turn. */
  static prismatic(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
    axis: Readonly<Vector>,
  ): JointData<UnitImpulseJoint> {
    return new JointData(JointType.Prismatic, { anchor1, anchor2, axis });
  }

  /**
   * The anchors are at most a length apart.
   *
   * @param length From 0, in m or the simulation's own unit.
   */
  static rope(length: number, anchor1: Readonly<Vector>, anchor2: Readonly<Vector>): JointData {
    return new JointData(JointType.Rope, { anchor1, anchor2, length });
  }

  /**
   * The anchors are drawn to a distance.
   *
   * @param restLength From 0, in m or the simulation's own unit.
   * @param stiffness In N/m, from 0.
   * @param damping In N s/m, from 0.
   */
  static spring(
    restLength: number,
    stiffness: number,
    damping: number,
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
  ): JointData {
    const length = notNegative('restLength', restLength);
    return new JointData(JointType.Spring, { anchor1, anchor2, length, stiffness, damping });
  }

  /**
   * Holds any axes.
   *
   * @param axis The joint's x axis.
   * @param axesMask 6 bits of `JointAxesMask`: what is held.
   * @throws TypeError, RangeError for anything else.
   */
  static generic(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
    axis: Readonly<Vector>,
    axesMask: number,
  ): JointData<GenericImpulseJoint> {
    return new JointData(JointType.Generic, { anchor1, anchor2, axis, axesMask });
  }
}

const OF_RAPIER: EngineClass<EngineJointData, JointFields> = {
  className: 'JointData',
  mark: 'jointType',
  table: JOINT,
  checks: {},
  others: ({ jointType }) => ({ type: integer('jointType', jointType, 0, JointType.Generic) }),
};
