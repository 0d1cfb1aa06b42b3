/** Applies what a batch says of a collider to Rapier. */
import { COLLIDER, type ColliderFields } from '../shared/world-fields.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import { applySettings, describeSettings, readSettings } from './apply-settings.js';
import type { WorldShapes } from './world-shapes.js';

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
  if (shape !== undefined) collider.setShape(shapes.describe(shape).shape);
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

/** What the engine tells of a collider; the rest cannot be read. */
export function fieldsOf(collider: Collider): ColliderFields {
  const isAttached = collider.parent() !== null;
  return {
    ...readSettings(COLLIDER, collider),
    translation: (isAttached ? collider.translationWrtParent() : null) ?? collider.translation(),
    rotation: (isAttached ? collider.rotationWrtParent() : null) ?? collider.rotation(),
  };
}
