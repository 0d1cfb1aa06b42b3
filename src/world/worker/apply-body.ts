/** Applies what a batch says of a body to Rapier, in one order for all bodies: what is set comes before what is added. */
import type { Vector } from '../../shared/util/vectors.js';
import { BODY, type BodyFields } from '../shared/world-fields.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import { applySettings, describeSettings, readSettings } from './apply-settings.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type RigidBodyDesc = InstanceType<Rapier['RigidBodyDesc']>;
type BodyType = ReturnType<RigidBody['bodyType']>;

/** What a description can have. The rest is applied when the body is there. */
export function describeBody({ RigidBodyDesc, RigidBodyType }: Rapier, fields: BodyFields) {
  const type = fields.bodyType ?? RigidBodyType.Dynamic;
  requireBodyType(type, RigidBodyType);
  const desc: RigidBodyDesc = new RigidBodyDesc(type);
  const { translation, linvel, angvel, rotation } = fields;
  if (translation !== undefined) desc.setTranslation(translation.x, translation.y, translation.z);
  if (rotation !== undefined) desc.setRotation(rotation);
  if (linvel !== undefined) desc.setLinvel(linvel.x, linvel.y, linvel.z);
  if (angvel !== undefined) desc.setAngvel(angvel);
  describeSettings(BODY, desc, fields);
  return desc;
}

/** Applies changes of what a body is and where. */
export function setBody(body: RigidBody, fields: BodyFields, rapier: Rapier): void {
  const wake = fields.wakeUp !== false;
  // Those of the class: in development, an application's moves are watched, and these are published as jumps if they are.
  const { setTranslation, setRotation } = rapier.RigidBody.prototype;
  if (fields.bodyType !== undefined) requireBodyType(fields.bodyType, rapier.RigidBodyType);
  applySettings(BODY, body, fields, wake);
  if (fields.translation !== undefined) setTranslation.call(body, fields.translation, wake);
  if (fields.rotation !== undefined) setRotation.call(body, fields.rotation, wake);
  if (fields.linvel !== undefined) body.setLinvel(fields.linvel, wake);
  if (fields.angvel !== undefined) body.setAngvel(fields.angvel, wake);
}

/** Applies what is added to a body once: forces, impulses, targets, sleep. */
export function pushBody(body: RigidBody, fields: BodyFields): void {
  const wake = fields.wakeUp !== false;
  if (fields.resetForces === true) body.resetForces(wake);
  if (fields.resetTorques === true) body.resetTorques(wake);
  if (fields.force !== undefined) body.addForce(fields.force, wake);
  if (fields.torque !== undefined) body.addTorque(fields.torque, wake);
  eachAtPoint(fields.forcesAtPoints, (force, at) => body.addForceAtPoint(force, at, wake));
  if (fields.impulse !== undefined) body.applyImpulse(fields.impulse, wake);
  if (fields.torqueImpulse !== undefined) body.applyTorqueImpulse(fields.torqueImpulse, wake);
  eachAtPoint(fields.impulsesAtPoints, (impulse, at) =>
    body.applyImpulseAtPoint(impulse, at, wake),
  );
  if (fields.nextTranslation !== undefined) {
    body.setNextKinematicTranslation(fields.nextTranslation);
  }
  if (fields.nextRotation !== undefined) body.setNextKinematicRotation(fields.nextRotation);
}

/** @throws RangeError if the engine has no such type. */
function requireBodyType(type: number, types: Rapier['RigidBodyType']): asserts type is BodyType {
  if (types[type] === undefined) {
    throw new RangeError(`a batch of changes to a world has a body of the unknown type ${type}`);
  }
}

function eachAtPoint(
  numbers: BodyFields['forcesAtPoints'],
  apply: (what: Vector, point: Vector) => void,
): void {
  if (numbers === undefined) return;
  const at = (index: number): Vector => ({
    x: numbers[index] ?? 0,
    y: numbers[index + 1] ?? 0,
    z: numbers[index + 2] ?? 0,
  });
  for (let index = 0; index < numbers.length; index += 6) apply(at(index), at(index + 3));
}

/** What the engine tells of a body; the rest cannot be read. */
export const fieldsOf = (body: RigidBody): BodyFields => ({
  ...readSettings(BODY, body),
  translation: body.translation(),
  rotation: body.rotation(),
  linvel: body.linvel(),
  angvel: body.angvel(),
  force: body.userForce(),
  torque: body.userTorque(),
});
