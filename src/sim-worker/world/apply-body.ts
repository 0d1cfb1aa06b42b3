/** Applies what a batch says of a body to Rapier, in one order for all bodies: what is set comes before what is added. */
import type { MassProperties, Vector } from '../../shared/world/fields.js';
import type { BodyFields } from '../../shared/world/world-fields.js';
import type { Rapier } from '../engines/rapier-builds.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type RigidBodyDesc = InstanceType<Rapier['RigidBodyDesc']>;
type BodyType = ReturnType<RigidBody['bodyType']>;

/** In the order of the engine's methods. */
export const massArguments = ({
  mass,
  centerOfMass,
  principalAngularInertia,
  angularInertiaLocalFrame,
}: MassProperties) =>
  [mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame] as const;

/** What a description can have. The rest is applied when the body is there. */
export function describeBody({ RigidBodyDesc, RigidBodyType }: Rapier, fields: BodyFields) {
  const type = fields.bodyType ?? RigidBodyType.Dynamic;
  requireBodyType(type, RigidBodyType);
  const desc: RigidBodyDesc = new RigidBodyDesc(type);
  const { translation, linvel, angvel, rotation, enabledTranslations, enabledRotations } = fields;
  if (translation !== undefined) desc.setTranslation(translation.x, translation.y, translation.z);
  if (rotation !== undefined) desc.setRotation(rotation);
  if (linvel !== undefined) desc.setLinvel(linvel.x, linvel.y, linvel.z);
  if (angvel !== undefined) desc.setAngvel(angvel);
  if (fields.enabled !== undefined) desc.setEnabled(fields.enabled);
  if (fields.gravityScale !== undefined) desc.setGravityScale(fields.gravityScale);
  if (fields.linearDamping !== undefined) desc.setLinearDamping(fields.linearDamping);
  if (fields.angularDamping !== undefined) desc.setAngularDamping(fields.angularDamping);
  if (fields.canSleep !== undefined) desc.setCanSleep(fields.canSleep);
  if (fields.sleeping !== undefined) desc.setSleeping(fields.sleeping);
  if (fields.ccdEnabled !== undefined) desc.setCcdEnabled(fields.ccdEnabled);
  if (fields.softCcdPrediction !== undefined) desc.setSoftCcdPrediction(fields.softCcdPrediction);
  if (fields.dominanceGroup !== undefined) desc.setDominanceGroup(fields.dominanceGroup);
  if (fields.additionalSolverIterations !== undefined) {
    desc.setAdditionalSolverIterations(fields.additionalSolverIterations);
  }
  if (enabledTranslations !== undefined) desc.enabledTranslations(...enabledTranslations);
  if (enabledRotations !== undefined) desc.enabledRotations(...enabledRotations);
  if (fields.additionalMass !== undefined) desc.setAdditionalMass(fields.additionalMass);
  if (fields.additionalMassProperties !== undefined) {
    desc.setAdditionalMassProperties(...massArguments(fields.additionalMassProperties));
  }
  return desc;
}

/** Applies changes of what a body is and where, apart from whether it is enabled. */
export function setBody(body: RigidBody, fields: BodyFields, rapier: Rapier): void {
  const wake = fields.wakeUp !== false;
  const { RigidBodyType } = rapier;
  // Those of the class: in development, an application's moves are watched, and these are published as jumps if they are.
  const { setTranslation, setRotation } = rapier.RigidBody.prototype;
  if (fields.bodyType !== undefined) {
    requireBodyType(fields.bodyType, RigidBodyType);
    body.setBodyType(fields.bodyType, wake);
  }
  if (fields.translation !== undefined) setTranslation.call(body, fields.translation, wake);
  if (fields.rotation !== undefined) setRotation.call(body, fields.rotation, wake);
  if (fields.linvel !== undefined) body.setLinvel(fields.linvel, wake);
  if (fields.angvel !== undefined) body.setAngvel(fields.angvel, wake);
  if (fields.gravityScale !== undefined) body.setGravityScale(fields.gravityScale, wake);
  if (fields.linearDamping !== undefined) body.setLinearDamping(fields.linearDamping);
  if (fields.angularDamping !== undefined) body.setAngularDamping(fields.angularDamping);
  if (fields.ccdEnabled !== undefined) body.enableCcd(fields.ccdEnabled);
  if (fields.softCcdPrediction !== undefined) body.setSoftCcdPrediction(fields.softCcdPrediction);
  if (fields.dominanceGroup !== undefined) body.setDominanceGroup(fields.dominanceGroup);
  if (fields.additionalSolverIterations !== undefined) {
    body.setAdditionalSolverIterations(fields.additionalSolverIterations);
  }
  const { enabledTranslations, enabledRotations } = fields;
  if (enabledTranslations !== undefined) {
    body.setEnabledTranslations(...enabledTranslations, wake);
  }
  if (enabledRotations !== undefined) body.setEnabledRotations(...enabledRotations, wake);
  if (fields.additionalMass !== undefined) body.setAdditionalMass(fields.additionalMass, wake);
  if (fields.additionalMassProperties !== undefined) {
    body.setAdditionalMassProperties(...massArguments(fields.additionalMassProperties), wake);
  }
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
  bodyType: body.bodyType(),
  enabled: body.isEnabled(),
  translation: body.translation(),
  rotation: body.rotation(),
  linvel: body.linvel(),
  angvel: body.angvel(),
  gravityScale: body.gravityScale(),
  linearDamping: body.linearDamping(),
  angularDamping: body.angularDamping(),
  ccdEnabled: body.isCcdEnabled(),
  softCcdPrediction: body.softCcdPrediction(),
  dominanceGroup: body.dominanceGroup(),
  additionalSolverIterations: body.additionalSolverIterations(),
  force: body.userForce(),
  torque: body.userTorque(),
});
