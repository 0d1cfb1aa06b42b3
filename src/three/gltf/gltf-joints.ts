/** Joints of a glTF: a `physicsJoint` of its extension KHR_physics_rigid_bodies becomes a joint of a world. */
import { float32 } from '../../shared/util/limits.js';
import { list } from '../../shared/util/options.js';
import {
  requireChoice,
  requireInteger,
  requireList,
  requireNumber,
  requireObject,
} from '../../shared/util/validate.js';
import type { Rotation, Vector } from '../../shared/util/vectors.js';
import {
  JointAxis,
  JointData,
  MotorModel,
  type ImpulseJoint,
  type JointMotor,
  type RigidBody,
  type World,
} from '../../world/page/index.js';

/** A joint of a file, checked. It may be made any number of times. */
export interface PhysicsJoint {
  /** All but its frames. */
  readonly data: JointData;
  /** Ends of sentences that begin with "the engine cannot". */
  readonly cannot: ReadonlySet<string>;
  /** Whether a drive keeps it moving. */
  readonly isDriven: boolean;
}

/** The place of a joint in a body, relative to it, in m or the simulation's own unit. Scales of nodes are applied. */
export interface JointFrame {
  readonly position: Readonly<Vector>;
  readonly rotation: Readonly<Rotation>;
}

/** Two bodies with a joint, and its place in each. */
export interface JointedBodies {
  /** The body of the node that has the joint. */
  readonly body1: RigidBody;
  readonly at1: JointFrame;
  /** The body of the connected node. */
  readonly body2: RigidBody;
  readonly at2: JointFrame;
  /** Whether they collide with each other. */
  readonly enableCollision: boolean;
}

/** A limit of a file. */
interface JointLimit {
  readonly axes: readonly JointAxis[];
  readonly min: number;
  readonly max: number;
  /** Infinity: it is hard. */
  readonly stiffness: number;
  readonly damping: number;
}

type JointDrive = readonly [axis: JointAxis, motor: JointMotor];

const { LinX, AngX } = JointAxis;
const ORIGIN = { x: 0, y: 0, z: 0 };
/** The greatest limit of an angle that the engine takes, in 32 bits. */
const HALF_TURN = Math.fround(Math.PI);

/**
 * Reads a `physicsJoint` of a file.
 *
 * @param path The path of the joint in the file, for errors.
 * @throws TypeError, RangeError that begin with the path of what is wrong, such as `physicsJoints[2].limits[0].min`.
 */
export function checkJoint(path: string, value: unknown): PhysicsJoint {
  const given = requireObject(path, value);
  const all = <T>(name: string, check: (path: string, one: unknown) => T): readonly T[] =>
    list(`${path}.${name}`, given[name]).map((one, at) => check(`${path}.${name}[${at}]`, one));
  const limits = all('limits', checkLimit);
  const drives = all('drives', checkDrive);
  const cannot = new Set<string>();
  const [only] = limits;
  const isAlone = limits.length + drives.length === 1;
  const data =
    isAlone && only !== undefined && isDistance(only)
      ? distanceOf(only, cannot)
      : genericOf(path, limits, drives, cannot);
  return { data, cannot, isDriven: drives.some(([, { velocity }]) => velocity !== 0) };
}

/**
 * Makes a joint, which has all its settings from the first tick on.
 *
 * @param cannot Is called for each thing that the engine cannot do, with the end of a sentence that begins with "the
 *   engine cannot".
 */
export function addJoint(
  world: World,
  joint: PhysicsJoint,
  { body1, at1, body2, at2, enableCollision }: JointedBodies,
  cannot: (what: string) => void,
): ImpulseJoint {
  const made = world.createImpulseJoint(joint.data, body1, body2, true);
  made.setLocalFrame1(at1.position, at1.rotation);
  made.setLocalFrame2(at2.position, at2.rotation);
  made.setContactsEnabled(enableCollision);
  for (const what of joint.cannot) cannot(what);
  return made;
}

function checkLimit(path: string, value: unknown): JointLimit {
  const limit = requireObject(path, value);
  const { linearAxes, angularAxes } = limit;
  const isAngular = linearAxes === undefined;
  if (isAngular === (angularAxes === undefined)) {
    throw new TypeError(`${path} must have either linearAxes or angularAxes`);
  }
  const name = `${path}.${isAngular ? 'angularAxes' : 'linearAxes'}`;
  const axes = requireList(name, linearAxes ?? angularAxes).map((axis, index) =>
    axisOf(`${name}[${index}]`, axis, isAngular),
  );
  if (axes.length === 0 || new Set(axes).size < axes.length) {
    throw new RangeError(`${name} must have one to three different axes`);
  }
  // Over several axes, it is a limit of the distance from a line or a point, or of the angle of a cone.
  const max = numberOf(path, limit, 'max', [axes.length > 1 ? 0 : -float32, Infinity, Infinity]);
  return {
    axes,
    min: numberOf(path, limit, 'min', [-Infinity, Math.min(max, float32), -Infinity]),
    max,
    stiffness: numberOf(path, limit, 'stiffness', [0, Infinity, Infinity]),
    damping: numberOf(path, limit, 'damping', [0]),
  };
}

function checkDrive(path: string, value: unknown): JointDrive {
  const drive = requireObject(path, value);
  const type = requireChoice(`${path}.type`, drive.type, ['linear', 'angular']);
  const axis = axisOf(`${path}.axis`, drive.axis, type === 'angular');
  const mode = requireChoice(`${path}.mode`, drive.mode, ['force', 'acceleration']);
  const motor = {
    model: mode === 'force' ? MotorModel.ForceBased : MotorModel.AccelerationBased,
    position: numberOf(path, drive, 'positionTarget', [-float32]),
    velocity: numberOf(path, drive, 'velocityTarget', [-float32]),
    stiffness: numberOf(path, drive, 'stiffness', [0]),
    damping: numberOf(path, drive, 'damping', [0]),
    maxForce: numberOf(path, drive, 'maxForce', [0, Infinity, Infinity]),
  };
  return [axis, motor];
}

const numberOf = (
  path: string,
  given: Readonly<Record<string, unknown>>,
  name: string,
  [low, high = float32, standard = 0]: readonly [number, number?, number?],
): number => requireNumber(`${path}.${name}`, name in given ? given[name] : standard, low, high);

const axisOf = (name: string, value: unknown, isAngular: boolean): JointAxis =>
  (requireInteger(name, value, 0, 2) + (isAngular ? AngX : LinX)) as JointAxis;

const isSoft = ({ stiffness }: JointLimit): boolean => stiffness <= float32;

/** Its least value on each of its axes. */
const lowOf = ({ axes, min, max }: JointLimit): number => (axes.length > 1 ? -max : min);

/** Whether it leaves no room, and gives way. */
const isSpring = (limit: JointLimit): boolean => isSoft(limit) && lowOf(limit) === limit.max;

/** Whether it limits how far two points are apart. */
const isDistance = ({ axes, max }: JointLimit): boolean =>
  axes.length === 3 && axes.includes(LinX) && max > 0 && max <= float32;

function distanceOf(limit: JointLimit, cannot: Set<string>): JointData {
  const { min, max, stiffness, damping } = limit;
  if (isSoft(limit) && min === max) {
    return JointData.spring(max, stiffness, damping, ORIGIN, ORIGIN);
  }
  addInexact(limit, cannot);
  return JointData.rope(max, ORIGIN, ORIGIN);
}

/** Adds what the engine does not do of a limit that leaves room. */
function addInexact(limit: JointLimit, cannot: Set<string>): void {
  if (isSoft(limit)) cannot.add('make a limit soft that leaves room');
  if (limit.axes.length > 1 && limit.min > 0) cannot.add('limit several axes to a least distance');
}

const springsOf = ({ axes, max, stiffness, damping }: JointLimit): readonly JointDrive[] => {
  const target = { position: max, velocity: 0, maxForce: Infinity };
  const motor = { model: MotorModel.ForceBased, ...target, stiffness, damping };
  return axes.map((axis) => [axis, motor]);
};

function genericOf(
  path: string,
  limits: readonly JointLimit[],
  drives: readonly JointDrive[],
  cannot: Set<string>,
): JointData {
  for (const limit of limits.filter((one) => lowOf(one) < one.max)) {
    addInexact(limit, cannot);
    if (limit.axes.length === 1 || limit.max === Infinity) continue;
    cannot.add('limit several axes together: each has the limit for itself');
  }
  const motors = new Map<JointAxis, JointMotor>();
  for (const [axis, motor] of [...limits.filter(isSpring).flatMap(springsOf), ...drives]) {
    if (motors.has(axis)) cannot.add('have two springs or drives on an axis: the last counts');
    motors.set(axis, motor);
  }
  const ranges = Object.entries(JointAxis).map(([name, axis]) => {
    const hard = limits.filter((limit) => limit.axes.includes(axis) && !isSpring(limit));
    const min = Math.max(...hard.map(lowOf));
    const max = Math.min(...hard.map((limit) => limit.max));
    if (min > max) throw new RangeError(`${path}.limits contradict each other on the axis ${name}`);
    return { axis, min, max };
  });
  // An axis that is held has no motor: it would do nothing.
  const free = ranges.filter(({ min, max }) => min !== 0 || max !== 0);
  const mask = free.reduce((bits, { axis }) => bits & ~(1 << axis), 63);
  const data = JointData.generic(ORIGIN, ORIGIN, { x: 1, y: 0, z: 0 }, mask);
  for (const { axis, min, max } of free) {
    const reach = axis < AngX ? float32 : HALF_TURN;
    if (min > -reach || max < reach) {
      data.setLimits(axis, clamp(min, reach), clamp(max, reach));
      // Angles end at half a turn, so that a limit on one side makes a second one there.
      const isCut = axis >= AngX && Math.max(-min, max) > reach;
      if (isCut) cannot.add('turn by more than half a turn about an axis with a limit');
    }
    const motor = motors.get(axis);
    if (motor === undefined) continue;
    data.configureMotor(axis, motor.position, motor.velocity, motor.stiffness, motor.damping);
    data.configureMotorModel(axis, motor.model);
    if (motor.maxForce <= float32) data.setMotorMaxForce(axis, motor.maxForce);
  }
  return data;
}

const clamp = (value: number, reach: number): number => Math.max(-reach, Math.min(value, reach));
