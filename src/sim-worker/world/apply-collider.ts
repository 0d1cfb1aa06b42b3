/** Applies what a batch says of a collider to Rapier, apart from its events: see world-colliders.ts. */
import type { ColliderFields } from '../../shared/world/world-fields.js';
import type { Rapier } from '../engines/rapier-builds.js';
import { massArguments } from './apply-body.js';
import type { WorldShapes } from './world-shapes.js';

type Collider = InstanceType<Rapier['Collider']>;

/** What descriptions and colliders set by methods of the same name. */
type Settable = Pick<
  Collider,
  | 'setEnabled'
  | 'setDensity'
  | 'setMass'
  | 'setMassProperties'
  | 'setFriction'
  | 'setRestitution'
  | 'setFrictionCombineRule'
  | 'setRestitutionCombineRule'
  | 'setSensor'
  | 'setCollisionGroups'
  | 'setSolverGroups'
  | 'setActiveHooks'
  | 'setActiveCollisionTypes'
  | 'setContactForceEventThreshold'
  | 'setContactSkin'
>;

/** @throws RangeError if it has no shape, or one that the engine cannot make. */
export function describeCollider(shapes: WorldShapes, fields: ColliderFields) {
  const { shape, translation, rotation } = fields;
  if (shape === undefined) throw new RangeError('a batch of changes to a world has no shape');
  const desc = shapes.describe(shape);
  if (translation !== undefined) desc.setTranslation(translation.x, translation.y, translation.z);
  if (rotation !== undefined) desc.setRotation(rotation);
  // A description returns itself, which nothing here reads.
  setAlike(desc as unknown as Settable, fields);
  return desc;
}

/** @throws RangeError if a new shape is one that the engine cannot make. */
export function setCollider(shapes: WorldShapes, collider: Collider, fields: ColliderFields): void {
  const { shape, translation, rotation } = fields;
  const isAttached = collider.parent() !== null;
  if (shape !== undefined) collider.setShape(shapes.describe(shape).shape);
  if (translation !== undefined) {
    if (isAttached) collider.setTranslationWrtParent(translation);
    else collider.setTranslation(translation);
  }
  if (rotation !== undefined) {
    if (isAttached) collider.setRotationWrtParent(rotation);
    else collider.setRotation(rotation);
  }
  setAlike(collider, fields);
}

function setAlike(target: Settable, fields: ColliderFields): void {
  if (fields.enabled !== undefined) target.setEnabled(fields.enabled);
  if (fields.density !== undefined) target.setDensity(fields.density);
  if (fields.mass !== undefined) target.setMass(fields.mass);
  if (fields.massProperties !== undefined) {
    target.setMassProperties(...massArguments(fields.massProperties));
  }
  if (fields.friction !== undefined) target.setFriction(fields.friction);
  if (fields.restitution !== undefined) target.setRestitution(fields.restitution);
  if (fields.frictionCombineRule !== undefined) {
    target.setFrictionCombineRule(fields.frictionCombineRule);
  }
  if (fields.restitutionCombineRule !== undefined) {
    target.setRestitutionCombineRule(fields.restitutionCombineRule);
  }
  if (fields.sensor !== undefined) target.setSensor(fields.sensor);
  if (fields.collisionGroups !== undefined) target.setCollisionGroups(fields.collisionGroups);
  if (fields.solverGroups !== undefined) target.setSolverGroups(fields.solverGroups);
  if (fields.activeHooks !== undefined) target.setActiveHooks(fields.activeHooks);
  if (fields.activeCollisionTypes !== undefined) {
    target.setActiveCollisionTypes(fields.activeCollisionTypes);
  }
  if (fields.contactForceEventThreshold !== undefined) {
    target.setContactForceEventThreshold(fields.contactForceEventThreshold);
  }
  if (fields.contactSkin !== undefined) target.setContactSkin(fields.contactSkin);
}

/** What the engine tells of a collider; the rest cannot be read. */
export function fieldsOf(collider: Collider): ColliderFields {
  const isAttached = collider.parent() !== null;
  return {
    translation: (isAttached ? collider.translationWrtParent() : null) ?? collider.translation(),
    rotation: (isAttached ? collider.rotationWrtParent() : null) ?? collider.rotation(),
    friction: collider.friction(),
    restitution: collider.restitution(),
    frictionCombineRule: collider.frictionCombineRule(),
    restitutionCombineRule: collider.restitutionCombineRule(),
    sensor: collider.isSensor(),
    collisionGroups: collider.collisionGroups(),
    solverGroups: collider.solverGroups(),
    activeEvents: collider.activeEvents(),
    activeHooks: collider.activeHooks(),
    activeCollisionTypes: collider.activeCollisionTypes(),
    contactForceEventThreshold: collider.contactForceEventThreshold(),
    contactSkin: collider.contactSkin(),
  };
}
