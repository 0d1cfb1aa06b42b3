/** Applies what a batch says of a joint to Rapier. */
import { JOINT, type JointFields } from '../shared/world-fields.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import { lookAgainAt } from '../../rapier/waking.js';
import { applySettings, readSettings } from './apply-settings.js';

type JointData = ReturnType<Rapier['JointData']['spherical']>;
type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;
type UnitJoint = InstanceType<Rapier['UnitImpulseJoint']>;
type MotorModel = Parameters<UnitJoint['configureMotorModel']>[0];

const ORIGIN = { x: 0, y: 0, z: 0 };
const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };
const X_AXIS = { x: 1, y: 0, z: 0 };

/** @throws RangeError if the engine has no such joint. */
export function describeJoint({ JointData, JointType }: Rapier, fields: JointFields): JointData {
  const { type, anchor1 = ORIGIN, anchor2 = ORIGIN, frame1 = UPRIGHT, frame2 = UPRIGHT } = fields;
  const { axis = X_AXIS, axis1, axis2, length = 0, stiffness = 0, damping = 0 } = fields;
  switch (type) {
    case JointType.Fixed:
      return JointData.fixed(anchor1, frame1, anchor2, frame2);
    case JointType.Spherical:
      return JointData.spherical(anchor1, anchor2);
    case JointType.Revolute:
      if (axis1 === undefined || axis2 === undefined) {
        return JointData.revolute(anchor1, anchor2, axis);
      }
      return JointData.revoluteWithAxes(anchor1, anchor2, axis1, axis2);
    case JointType.Prismatic:
      return limited(JointData.prismatic(anchor1, anchor2, axis), fields);
    case JointType.Rope:
      return JointData.rope(length, anchor1, anchor2);
    case JointType.Spring:
      return JointData.spring(length, stiffness, damping, anchor1, anchor2);
    case JointType.Generic:
      return JointData.generic(anchor1, anchor2, axis, fields.axesMask ?? 0);
    default:
      throw new RangeError(`a batch of changes to a world has a joint of the unknown type ${type}`);
  }
}

/** The engine reads limits of a description only for prismatic joints. */
function limited(data: JointData, { limits }: JointFields): JointData {
  if (limits === undefined || limits.length === 0) return data;
  data.limitsEnabled = true;
  data.limits = Array.from(limits);
  return data;
}

/** @param isNew Its anchors and frames are those of its description. */
export function setJoint(
  rapier: Rapier,
  joint: ImpulseJoint,
  fields: JointFields,
  isNew: boolean,
): void {
  const { limits, contactsEnabled, motor } = fields;
  const bodies = contactsEnabled === undefined ? [] : [joint.body1(), joint.body2()];
  const areAtRest = isNew || bodies.some((body) => body.isSleeping());
  applySettings(JOINT, joint, isNew ? { contactsEnabled } : fields, true);
  // While they rest on each other, the engine keeps where they touch.
  if (areAtRest) bodies.forEach(lookAgainAt);
  if (!(joint instanceof rapier.UnitImpulseJoint)) return;
  const unit = joint as UnitJoint;
  if (limits !== undefined) unit.setLimits(limits[0] ?? 0, limits[1] ?? 0);
  if (motor !== undefined) setMotor(unit, Array.from(motor));
}

function setMotor(joint: UnitJoint, numbers: readonly number[]): void {
  const [model = -1, position = 0, velocity = 0, stiffness = -1, damping = 0, force = -1] = numbers;
  if (model >= 0) joint.configureMotorModel(model as MotorModel);
  if (stiffness >= 0) joint.configureMotor(position, velocity, stiffness, damping);
  if (force >= 0) joint.setMotorMaxForce(force);
}

/** What the engine tells of a joint; the rest cannot be read. */
export function fieldsOf(rapier: Rapier, joint: ImpulseJoint): JointFields {
  const fields: JointFields = {
    ...readSettings(JOINT, joint),
    type: joint.type(),
  };
  const unit = joint instanceof rapier.UnitImpulseJoint ? (joint as UnitJoint) : undefined;
  if (unit?.limitsEnabled() === true) fields.limits = [unit.limitsMin(), unit.limitsMax()];
  return fields;
}
