/**
 * Applies fields of a batch to the engine's objects, and reads them back. Settings follow from the tables of
 * `setting-tables.ts`; motion, shapes, joints and forces are handled here, in one order: what is set comes before what is added.
 */
import type { Rapier } from '../../rapier/rapier-builds.js';
import { lookAgainAt } from '../../rapier/waking.js';
import { eachAtPoint } from '../shared/at-points.js';
import { filled } from '../shared/partial-vector.js';
import {
  type MassProperties,
  settingsIn,
  type Describers,
  type Getters,
  type Setting,
  type SettingTable,
  type Setters,
} from '../shared/setting-types.js';
import {
  AXIS_NAMES,
  BODY,
  type BodyFields,
  COLLIDER,
  type ColliderFields,
  JOINT,
  type JointFields,
  ORIGIN,
  UPRIGHT,
  WORLD,
  type WorldFields,
} from '../shared/setting-tables.js';
import type { WorldShapes } from './world-shapes.js';

/** The methods that a table names: the compiler says which of them a class of the engine lacks. */
type Methods<Names extends string> = { readonly [Name in Names]: (...args: never[]) => unknown };
type Fields = Readonly<Record<string, unknown>>;

/** Gives a description its settings. */
function describeSettings<T extends SettingTable>(
  table: T,
  desc: Methods<Describers<T>>,
  fields: object,
): void {
  for (const { name, row, describe } of settingsIn(table)) {
    const value = (fields as Fields)[name];
    if (value === undefined || describe === undefined) continue;
    call(desc, describe, ...argumentsOf(row, value));
  }
}

/** Applies settings to an object of the engine. @param wakeUp For methods that take whether they wake a body. */
export function applySettings<T extends SettingTable>(
  table: T,
  object: Methods<Setters<T>>,
  fields: object,
  wakeUp: boolean,
): void {
  for (const { name, row, set } of settingsIn(table)) {
    const value = (fields as Fields)[name];
    if (value === undefined || set === undefined) continue;
    const args = argumentsOf(row, value);
    call(object, set, ...(row.wakes ? [...args, wakeUp] : args));
  }
}

/** The settings that an object of the engine reports. */
function readSettings<T extends SettingTable>(table: T, object: Methods<Getters<T>>): object {
  const readable = settingsIn(table).filter(({ get }) => get !== undefined);
  return Object.fromEntries(readable.map(({ name, get = '' }) => [name, call(object, get)]));
}

const call = (object: object, method: string, ...args: unknown[]): unknown =>
  (object as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args);

function argumentsOf({ kind }: Setting['row'], value: unknown): readonly unknown[] {
  if (kind === 'flags') return value as readonly boolean[];
  if (kind !== 'mass') return [value];
  const { mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame } =
    value as MassProperties;
  return [mass, centerOfMass, principalAngularInertia, angularInertiaLocalFrame];
}

type Solver = Record<Getters<typeof WORLD>, number>;

/** Applies the settings of a world. */
export function setSolver(solver: Solver, fields: WorldFields): void {
  for (const { name, get } of settingsIn(WORLD)) {
    const value = (fields as Fields)[name];
    if (value !== undefined) solver[get as keyof Solver] = value as number;
  }
}

/** The settings that the engine reports of a world: some can only be set. */
export function solverFields(solver: Solver): WorldFields {
  const all = settingsIn(WORLD).map(({ name, get }) => [name, solver[get as keyof Solver]]);
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as WorldFields;
}

type RigidBody = InstanceType<Rapier['RigidBody']>;
type RigidBodyDesc = InstanceType<Rapier['RigidBodyDesc']>;
type BodyType = ReturnType<RigidBody['bodyType']>;

/** Without the settings that Rapier does not have: see `belts.ts`. */
const { surfaceVelocity: _linear, surfaceAngularVelocity: _angular, ...OF_ENGINE } = BODY;

/** A description of a body with all that a description can have. The rest is applied when the body is there. */
export function describeBody({ RigidBodyDesc, RigidBodyType }: Rapier, fields: BodyFields) {
  const type = fields.bodyType ?? RigidBodyType.Dynamic;
  requireBodyType(type, RigidBodyType);
  const desc: RigidBodyDesc = new RigidBodyDesc(type);
  const { translation, linvel, angvel, rotation } = fields;
  if (translation !== undefined) desc.setTranslation(translation.x, translation.y, translation.z);
  if (rotation !== undefined) desc.setRotation(rotation);
  if (linvel !== undefined) desc.setLinvel(linvel.x, linvel.y, linvel.z);
  if (angvel !== undefined) desc.setAngvel(angvel);
  describeSettings(OF_ENGINE, desc, fields);
  return desc;
}

/** @throws RangeError if the engine has no such type of bodies. */
export function requireKnownType({ bodyType }: BodyFields, { RigidBodyType }: Rapier): void {
  if (bodyType !== undefined) requireBodyType(bodyType, RigidBodyType);
}

/** Applies what is set of a body: what it is, where, and how it moves. */
export function setBody(body: RigidBody, fields: BodyFields, rapier: Rapier): void {
  const wake = fields.wakeUp !== false;
  // The methods of the class: in development, those of the object warn of jumps, and this one is published as such.
  const { setTranslation, setRotation } = rapier.RigidBody.prototype;
  requireKnownType(fields, rapier);
  applySettings(OF_ENGINE, body, fields, wake);
  const translation = fields.translation && filled(fields.translation, () => body.translation());
  const linvel = fields.linvel && filled(fields.linvel, () => body.linvel());
  const angvel = fields.angvel && filled(fields.angvel, () => body.angvel());
  if (translation !== undefined) setTranslation.call(body, translation, wake);
  if (fields.rotation !== undefined) setRotation.call(body, fields.rotation, wake);
  if (linvel !== undefined) body.setLinvel(linvel, wake);
  if (angvel !== undefined) body.setAngvel(angvel, wake);
}

/** Applies what is added to a body once: forces, impulses, targets, sleep. */
export function pushBody(body: RigidBody, fields: BodyFields): void {
  const wake = fields.wakeUp !== false;
  const { resets = 0 } = fields;
  if ((resets & 1) !== 0) body.resetForces(wake);
  if ((resets & 2) !== 0) body.resetTorques(wake);
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

/** The fields that the engine reports of a body. */
export const bodyFields = (body: RigidBody): BodyFields => ({
  ...readSettings(OF_ENGINE, body),
  translation: body.translation(),
  rotation: body.rotation(),
  linvel: body.linvel(),
  angvel: body.angvel(),
  force: body.userForce(),
  torque: body.userTorque(),
});

type Collider = InstanceType<Rapier['Collider']>;

/** @throws RangeError if it has no shape, or one that the engine cannot make. */
export function describeCollider(shapes: WorldShapes, fields: ColliderFields) {
  const { shape, translation, rotation } = fields;
  if (shape === undefined) throw new RangeError('a batch of changes to a world has no shape');
  const desc = shapes.describe(shape);
  if (translation !== undefined) desc.setTranslation(translation.x, translation.y, translation.z);
  if (rotation !== undefined) desc.setRotation(rotation);
  describeSettings(COLLIDER, desc, fields);
  return desc;
}

/** @throws RangeError if a new shape is one that the engine cannot make. */
export function setCollider(shapes: WorldShapes, collider: Collider, fields: ColliderFields): void {
  const { shape, translation, rotation } = fields;
  const isAttached = collider.parent() !== null;
  if (shape !== undefined) collider.setShape(shapes.make(shape));
  if (translation !== undefined) {
    if (isAttached) collider.setTranslationWrtParent(translation);
    else collider.setTranslation(translation);
  }
  if (rotation !== undefined) {
    if (isAttached) collider.setRotationWrtParent(rotation);
    else collider.setRotation(rotation);
  }
  applySettings(COLLIDER, collider, fields, true);
}

/** The fields that the engine reports of a collider. */
export function colliderFields(collider: Collider): ColliderFields {
  const isAttached = collider.parent() !== null;
  return {
    ...readSettings(COLLIDER, collider),
    translation: (isAttached ? collider.translationWrtParent() : null) ?? collider.translation(),
    rotation: (isAttached ? collider.rotationWrtParent() : null) ?? collider.rotation(),
  };
}

type JointData = ReturnType<Rapier['JointData']['spherical']>;
type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;

const X_AXIS = { x: 1, y: 0, z: 0 };

/** Fields of the engine's description have the same names. @throws RangeError if the engine has no such joint. */
export function describeJoint({ JointData, JointType }: Rapier, fields: JointFields): JointData {
  const { type = -1, axis = X_AXIS, frame1 = UPRIGHT, frame2 = UPRIGHT, ...others } = fields;
  if (JointType[type] === undefined) {
    throw new RangeError(`a batch of changes to a world has a joint of the unknown type ${type}`);
  }
  // The engine reads them only for prismatic joints.
  const { 0: min = 0, 1: max = Infinity } = fields.linX ?? [];
  const limits = { limitsEnabled: max < Infinity, limits: [min, max] };
  const given = { jointType: type, axis, frame1, frame2, ...others, ...limits };
  return Object.assign(JointData.spherical(ORIGIN, ORIGIN), given);
}

/** @param isNew Its anchors are those of its description, and if it is fixed, its frames: to set them wakes its bodies. */
export function setJoint(
  rapier: Rapier,
  joint: ImpulseJoint,
  fields: JointFields,
  isNew: boolean,
): void {
  const { contactsEnabled, frame1, frame2 } = fields;
  const bodies = contactsEnabled === undefined ? [] : [joint.body1(), joint.body2()];
  const areAtRest = isNew || bodies.some((body) => body.isSleeping());
  // The engine calls a joint that holds all axes fixed, however it was described.
  const isFixed = fields.type === rapier.JointType.Fixed;
  const undescribed = isFixed ? { contactsEnabled } : { contactsEnabled, frame1, frame2 };
  applySettings(JOINT, joint, isNew ? undescribed : fields, true);
  // While they rest on each other, the engine keeps where they touch.
  if (areAtRest) bodies.forEach(lookAgainAt);
  for (const [axis, name] of AXIS_NAMES.entries()) {
    const [min = 0, max = Infinity, model = 0, ...motor] = Array.from(fields[name] ?? []);
    // In the order of `AXIS`.
    const [position = 0, velocity = 0, stiffness = 0, damping = -1, maxForce = 0] = motor;
    const one = axisOf(rapier, joint, axis);
    if (max < Infinity) one.setLimits(min, max);
    if (damping < 0) continue;
    one.configureMotorModel(model);
    one.configureMotor(position, velocity, stiffness, damping);
    if (maxForce < Infinity) one.setMotorMaxForce(maxForce);
  }
}

type UnitImpulseJoint = InstanceType<Rapier['UnitImpulseJoint']>;

/** An axis of any joint as a joint that has no other: the engine's methods by axis are those of joints with one. */
const axisOf = (
  { UnitImpulseJoint }: Rapier,
  joint: ImpulseJoint,
  axis: number,
): UnitImpulseJoint =>
  Object.assign(Object.create(UnitImpulseJoint.prototype) as UnitImpulseJoint, joint, {
    rawAxis: () => axis,
  });

/** The fields that the engine reports of a joint. @param unreported The others. */
export const jointFields = (joint: ImpulseJoint, unreported: JointFields): JointFields => ({
  ...readSettings(JOINT, joint),
  type: joint.type(),
  ...unreported,
});
