/** Joints of a glTF: a `physicsJoint` of its extension KHR_physics_rigid_bodies becomes a joint of a world. */
import { float32 } from '../../shared/util/limits.js';
import { integer, number, optional } from '../../shared/util/options.js';
import {
  JointAxis,
  JointData,
  MotorModel,
  type ImpulseJoint,
  type RigidBody,
  type World,
} from '../../world/page/index.js';
import type { Placement } from '../scene-space.js';
import type { NodeJoint } from './gltf-file.js';
import { amount, choiceIn, fields, listOf, mapped, signed } from './gltf-fields.js';

/** The place of a joint in a body, relative to it, in m or the simulation's own unit. Scales of nodes are applied. */
export type JointFrame = Pick<Placement, 'position' | 'rotation'>;

/** A body, and the place of a joint in it. */
export type JointedBody = readonly [RigidBody, JointFrame];

const { LinX, AngX } = JointAxis;
const ORIGIN = { x: 0, y: 0, z: 0 };
/** The greatest limit of an angle that the engine takes, in 32 bits: limits end at half a turn. */
const HALF_TURN = Math.fround(Math.PI);

/** Axes of a limit. @param first The engine numbers angles after lengths. */
const axesFrom = (first: JointAxis) =>
  mapped(listOf(integer(0, 2), []), (given) => given.map((axis) => (first + axis) as JointAxis));

const limitOf = mapped(
  fields({
    linearAxes: axesFrom(LinX),
    angularAxes: axesFrom(AngX),
    min: number(-Infinity, float32, -Infinity),
    max: number(-float32, Infinity, Infinity),
    stiffness: optional(amount()),
    damping: amount(0),
  }),
  ({ linearAxes, angularAxes, ...limit }) => {
    const axes = [...linearAxes, ...angularAxes];
    // Over several, it is one of the distance from a line or a point, or of the angle of a cone.
    return { ...limit, axes, min: axes.length > 1 ? -limit.max : limit.min };
  },
);

type JointLimit = ReturnType<typeof limitOf>;

const driveOf = mapped(
  fields({
    type: choiceIn({ linear: LinX, angular: AngX }),
    mode: choiceIn({ force: MotorModel.ForceBased, acceleration: MotorModel.AccelerationBased }),
    axis: integer(0, 2),
    positionTarget: signed(0),
    velocityTarget: signed(0),
    stiffness: amount(0),
    damping: amount(0),
    maxForce: amount(float32),
  }),
  ({ type, axis, ...rest }) => ({ axis: (type + axis) as JointAxis, ...rest }),
);

/** Whether it leaves no room, and gives way: a drive to its place. */
const isSpring = ({ min, max, stiffness }: JointLimit) => stiffness !== undefined && min === max;

const SPRING = { mode: MotorModel.ForceBased, velocityTarget: 0, maxForce: float32 };
const drivesOf = ({ axes, max, stiffness = 0, damping }: JointLimit) =>
  axes.map((axis) => ({ ...SPRING, axis, positionTarget: max, stiffness, damping }));

/**
 * Reads a `physicsJoint` of a file, which may be made any number of times.
 *
 * @throws TypeError, RangeError that begin with the path of what is wrong, such as `physicsJoints[2].limits[0].min`.
 */
export const checkJoint = mapped(
  fields({ limits: listOf(limitOf, []), drives: listOf(driveOf, []) }),
  ({ limits, drives }, path) => {
    const motors = [...limits.filter(isSpring).flatMap(drivesOf), ...drives];
    const hard = limits.filter((limit) => !isSpring(limit));
    const ranges = Object.entries(JointAxis).map(([name, axis]) => {
      const own = hard.filter(({ axes }) => axes.includes(axis));
      const min = Math.max(...own.map((limit) => limit.min));
      const max = Math.min(...own.map((limit) => limit.max));
      if (min <= max) return { axis, min, max };
      throw new RangeError(`${path}.limits contradict each other on the axis ${name}`);
    });
    // An axis that is held has no motor: it would do nothing.
    const free = ranges.filter(({ min, max }) => min !== 0 || max !== 0);
    const mask = free.reduce((bits, { axis }) => bits & ~(1 << axis), 63);
    const data = JointData.generic(ORIGIN, ORIGIN, { x: 1, y: 0, z: 0 }, mask);
    for (const { axis, min, max } of free) {
      const reach = axis < AngX ? float32 : HALF_TURN;
      if (min > -reach || max < reach) {
        data.setLimits(axis, Math.max(-reach, min), Math.min(max, reach));
      }
      for (const motor of motors.filter((each) => each.axis === axis)) {
        const { positionTarget, velocityTarget, stiffness, damping } = motor;
        data.configureMotor(axis, positionTarget, velocityTarget, stiffness, damping);
        data.configureMotorModel(axis, motor.mode).setMotorMaxForce(axis, motor.maxForce);
      }
    }
    /** Ends of sentences that begin with "the engine cannot". */
    const cannot: string[] = [];
    if (hard.some(({ axes, max }) => axes.length > 1 && max > 0)) cannot.push(TOGETHER);
    if (hard.some(({ stiffness }) => stiffness !== undefined)) cannot.push(SOFT);
    if (new Set(motors.map(({ axis }) => axis)).size < motors.length) cannot.push(TWO);
    /** Whether a drive or a spring may move it, however slowly. */
    const isDriven = motors.some((motor) => motor.velocityTarget !== 0 || motor.stiffness > 0);
    return { data, cannot, isDriven };
  },
);

const TOGETHER = 'limit several axes together: each has the limit for itself';
const SOFT = 'make a limit soft that leaves room';
const TWO = 'have two springs or drives on an axis: the last counts';

/** Makes a joint, which has all its settings from the first tick on. @param ends The connected node's is the second. */
export function addJoint(
  world: World,
  { joint, enableCollision }: Omit<NodeJoint, 'connectedNode'>,
  [[body1, at1], [body2, at2]]: readonly [JointedBody, JointedBody],
): ImpulseJoint {
  const made = world.createImpulseJoint(joint.data, body1, body2, true);
  made.setLocalFrame1(at1.position, at1.rotation);
  made.setLocalFrame2(at2.position, at2.rotation);
  made.setContactsEnabled(enableCollision);
  return made;
}
