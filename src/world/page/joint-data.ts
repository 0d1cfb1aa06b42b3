/** Descriptions of joints, with Rapier's names. They load no engine. */
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import { warnOnce } from '../../shared/util/development.js';
import type { JointFields } from '../shared/setting-tables.js';
import { direction, integer, limits, notNegative, rotation, vector } from './checked-values.js';
import { JointType } from './constants.js';
import type { ImpulseJoint, UnitImpulseJoint } from './joints.js';
import { fromEngine, type EngineClass, type EngineJointData } from './engine-data.js';

/** For the world that makes a joint of a description: a copy of what was set. */
export let fieldsOfJoint: (data: JointData | EngineJointData) => JointFields;

/**
 * The description of a joint, which may be used for any number of joints between two bodies. Anchors are points of each
 * body, relative to it, in m or the simulation's own unit; axes are directions of each body.
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
        fields.limits = limits(data.limits[0] as number, data.limits[1] as number);
      } else {
        warnOnce(
          'limits of a description',
          'limits of a description are for prismatic joints, and do nothing for others, as in Rapier: call setLimits of ' +
            'the joint that is created',
        );
      }
      return fields;
    };
  }

  /** Whether a prismatic joint has {@link limits}. As in Rapier, they count only if this is true. Default false. */
  limitsEnabled = false;
  /** The least and the greatest distance of a prismatic joint, in m or the simulation's own unit. Default: none. */
  limits: [number, number] = [0, 0];

  private constructor(type: JointType, anchor1: Readonly<Vector>, anchor2: Readonly<Vector>) {
    this.#fields = {
      type,
      anchor1: vector('anchor1', anchor1),
      anchor2: vector('anchor2', anchor2),
    };
  }

  /** The bodies move as one. @param frame1 How the joint is turned in the first body; frame2 in the second. */
  static fixed(
    anchor1: Readonly<Vector>,
    frame1: Readonly<Rotation>,
    anchor2: Readonly<Vector>,
    frame2: Readonly<Rotation>,
  ): JointData {
    const data = new JointData(JointType.Fixed, anchor1, anchor2);
    data.#fields.frame1 = rotation('frame1', frame1);
    data.#fields.frame2 = rotation('frame2', frame2);
    return data;
  }

  /** The anchors stay together, and the bodies turn freely. */
  static spherical(anchor1: Readonly<Vector>, anchor2: Readonly<Vector>): JointData {
    return new JointData(JointType.Spherical, anchor1, anchor2);
  }

  /** The anchors stay together, and the bodies turn about one axis. */
  static revolute(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
    axis: Readonly<Vector>,
  ): JointData<UnitImpulseJoint> {
    const data = new JointData<UnitImpulseJoint>(JointType.Revolute, anchor1, anchor2);
    data.#fields.axis = direction('axis', axis);
    return data;
  }

  /** Like {@link revolute}, with an axis for each body. */
  static revoluteWithAxes(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
    axis1: Readonly<Vector>,
    axis2: Readonly<Vector>,
  ): JointData<UnitImpulseJoint> {
    const data = new JointData<UnitImpulseJoint>(JointType.Revolute, anchor1, anchor2);
    data.#fields.axis1 = direction('axis1', axis1);
    data.#fields.axis2 = direction('axis2', axis2);
    return data;
  }

  /** The bodies slide along one axis, and do not turn. */
  static prismatic(
    anchor1: Readonly<Vector>,
    anchor2: Readonly<Vector>,
    axis: Readonly<Vector>,
  ): JointData<UnitImpulseJoint> {
    const data = new JointData<UnitImpulseJoint>(JointType.Prismatic, anchor1, anchor2);
    data.#fields.axis = direction('axis', axis);
    return data;
  }

  /**
   * The anchors are at most a length apart.
   *
   * @param length From 0, in m or the simulation's own unit.
   */
  static rope(length: number, anchor1: Readonly<Vector>, anchor2: Readonly<Vector>): JointData {
    const data = new JointData(JointType.Rope, anchor1, anchor2);
    data.#fields.length = notNegative('length', length);
    return data;
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
    const data = new JointData(JointType.Spring, anchor1, anchor2);
    data.#fields.length = notNegative('restLength', restLength);
    data.#fields.stiffness = notNegative('stiffness', stiffness);
    data.#fields.damping = notNegative('damping', damping);
    return data;
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
  ): JointData {
    const data = new JointData(JointType.Generic, anchor1, anchor2);
    data.#fields.axis = direction('axis', axis);
    data.#fields.axesMask = maskOf('axesMask', axesMask);
    return data;
  }
}

const OF_RAPIER: EngineClass<EngineJointData, JointFields> = {
  className: 'JointData',
  mark: 'jointType',
  table: {},
  checks: {
    anchor1: vector,
    anchor2: vector,
    frame1: rotation,
    frame2: rotation,
    axis: direction,
    axis1: direction,
    axis2: direction,
    length: notNegative,
    stiffness: notNegative,
    damping: notNegative,
    axesMask: maskOf,
  },
  others: ({ jointType }) => ({ type: integer('jointType', jointType, 0, JointType.Generic) }),
};

function maskOf(name: string, mask: number): number {
  return integer(name, mask, 0, 63);
}
