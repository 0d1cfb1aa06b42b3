/** Joints of a glTF: a `physicsJoint` of its extension KHR_physics_rigid_bodies becomes a joint of a world. */
import { float32 } from '../../shared/util/limits.js';
import { integer, number, optional } from '../../shared/util/options.js';
import { requireNumber } from '../../shared/util/validate.js';
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
/** The greatest limit of an angle that the engine takes, in 32 bits. */
const HALF_TURN = Math.fround(Math.PI);

/** Axes of a limit. @param first The engine numbers angles after lengths. */
const axesFrom = (first: JointAxis) =>
  mapped(listOf(integer(0, 2)), (given, path) => {
    if (given.length > 0 && new Set(given).size === given.length) {
      return given.map((axis) => (first + axis) as JointAxis);
    }
    throw new RangeError(`${path} must have one to three different axes`);
  });

const limitOf = mapped(
  fields({
    linearAxes: optional(axesFrom(LinX)),
    angularAxes: optional(axesFrom(AngX)),
    min: number(-Infinity, float32, -Infinity),
    max: number(-float32, Infinity, Infinity),
    stiffness: number(0, Infinity, Infinity),
    damping: amount(0),
  }),
  ({ linearAxes, angularAxes, ...limit }, path) => {
    const axes = linearAxes ?? angularAxes;
    if (axes === undefined || (linearAxes && angularAxes)) {
      throw new TypeError(`${path} must have either linearAxes or angularAxes`);
    }
    // Over several axes, it is a limit of the distance from a line or a point, or of the angle of a cone.
    if (axes.length > 1) requireNumber(`${path}.max`, limit.max, 0, Infinity);
    requireNumber(`${path}.min`, limit.min, -Infinity, limit.max);
    return { ...limit, axes };
  },
);

/** Without a stiffness, it is hard. */
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
    maxForce: number(0, Infinity, Infinity),
  }),
  ({ type, axis, ...rest }) => ({ axis: (type + axis) as JointAxis, ...rest }),
);

type JointDrive = ReturnType<typeof driveOf>;

const checkFields = fields({ limits: listOf(limitOf, []), drives: listOf(driveOf, []) });

/**
 * Reads a `physicsJoint` of a file, which may be made any number of times.
 *
 * @throws TypeError, RangeError that begin with the path of what is wrong, such as `physicsJoints[2].limits[0].min`.
 */
export const checkJoint = mapped(checkFields, (given, path) => {
  const { limits, drives } = given;
  /** Ends of sentences that begin with "the engine cannot". */
  const cannot = new Set<string>();
  /** Whether a drive keeps it moving. */
  const isDriven = drives.some(({ velocityTarget }) => velocityTarget !== 0);
  // The engine only has it alone.
  const distance = limits.length + drives.length === 1 ? limits.find(isDistance) : undefined;
  if (distance !== undefined && isSoft(distance) && distance.min === distance.max) {
    const { max, stiffness, damping } = distance;
    return { data: JointData.spring(max, stiffness, damping, ORIGIN, ORIGIN), cannot, isDriven };
  }
  for (const limit of limits.filter((each) => lowOf(each) < each.max)) {
    const isOfSeveral = limit.axes.length > 1;
    if (isSoft(limit)) cannot.add('make a limit soft that leaves room');
    if (isOfSeveral && limit.min > 0) cannot.add('limit several axes to a least distance');
    if (isOfSeveral && limit.max < Infinity && distance === undefined) {
      cannot.add('limit several axes together: each has the limit for itself');
    }
  }
  const data = distance
    ? JointData.rope(distance.max, ORIGIN, ORIGIN)
    : genericOf(path, given, cannot);
  return { data, cannot, isDriven };
});

/** Makes a joint, which has all its settings from the first tick on. @param ends The connected node's is the second. */
export function addJoint(
  world: World,
  { joint, enableCollision }: Omit<NodeJoint, 'connectedNode'>,
  ends: readonly JointedBody[],
): ImpulseJoint {
  const [[body1, at1], [body2, at2]] = ends as [JointedBody, JointedBody];
  const made = world.createImpulseJoint(joint.data, body1, body2, true);
  made.setLocalFrame1(at1.position, at1.rotation);
  made.setLocalFrame2(at2.position, at2.rotation);
  made.setContactsEnabled(enableCollision);
  return made;
}

const isSoft = ({ stiffness }: JointLimit): boolean => stiffness <= float32;

/** The least value of a limit on each of its axes. */
const lowOf = ({ axes, min, max }: JointLimit): number => (axes.length > 1 ? -max : min);

/** Whether it leaves no room, and gives way. */
const isSpring = (limit: JointLimit): boolean => isSoft(limit) && lowOf(limit) === limit.max;

/** Whether it limits how far two points are apart. */
const isDistance = ({ axes, max }: JointLimit): boolean =>
  axes.length === 3 && axes.includes(LinX) && max > 0 && max <= float32;

const springOf = ({ max, stiffness, damping }: JointLimit): Omit<JointDrive, 'axis'> => {
  const target = { positionTarget: max, velocityTarget: 0, maxForce: Infinity };
  return { mode: MotorModel.ForceBased, ...target, stiffness, damping };
};

type Given = ReturnType<typeof checkFields>;

/** All but the frames. */
function genericOf(path: string, { limits, drives }: Given, cannot: Set<string>): JointData {
  const ranges = Object.entries(JointAxis).map(([name, axis]) => {
    const own = limits.filter((limit) => limit.axes.includes(axis));
    const hard = own.filter((limit) => !isSpring(limit));
    const min = Math.max(...hard.map(lowOf));
    const max = Math.min(...hard.map((limit) => limit.max));
    if (min > max) throw new RangeError(`${path}.limits contradict each other on the axis ${name}`);
    const springs = own.filter(isSpring).map(springOf);
    const motors = [...springs, ...drives.filter((drive) => drive.axis === axis)];
    if (motors.length > 1) cannot.add('have two springs or drives on an axis: the last counts');
    return { axis, min, max, motor: motors.at(-1) };
  });
  // An axis that is held has no motor: it would do nothing.
  const free = ranges.filter(({ min, max }) => min !== 0 || max !== 0);
  const mask = free.reduce((bits, { axis }) => bits & ~(1 << axis), 63);
  const data = JointData.generic(ORIGIN, ORIGIN, { x: 1, y: 0, z: 0 }, mask);
  for (const { axis, min, max, motor } of free) {
    const reach = axis < AngX ? float32 : HALF_TURN;
    if (min > -reach || max < reach) {
      data.setLimits(axis, clamp(min, reach), clamp(max, reach));
      // Angles end at half a turn, so that a limit on one side makes a second one there.
      const isCut = axis >= AngX && Math.max(-min, max) > reach;
      if (isCut) cannot.add('turn by more than half a turn about an axis with a limit');
    }
    if (motor === undefined) continue;
    const { positionTarget, velocityTarget, stiffness, damping, mode, maxForce } = motor;
    data.configureMotor(axis, positionTarget, velocityTarget, stiffness, damping);
    data.configureMotorModel(axis, mode);
    if (maxForce <= float32) data.setMotorMaxForce(axis, maxForce);
  }
  return data;
}

const clamp = (value: number, reach: number): number => Math.max(-reach, Math.min(value, reach));
