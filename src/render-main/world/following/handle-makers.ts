/** Makes the handles of all kinds of things, from what the worker says of them. */
import type { Kind } from '../../../shared/world/world-fields.js';
import { makeBody } from '../bodies/body-handle.js';
import { makeCharacter } from '../characters/character-handle.js';
import { makeCollider } from '../bodies/collider-handle.js';
import { makeJoint } from '../joints/joint-handle.js';
import type { Maker } from '../handles/make-handle.js';
import { makeMultibodyJoint } from '../joints/multibody-joint.js';
import { makeSystem } from '../systems/system-handle.js';
import { makeVehicle } from '../vehicles/vehicle-handle.js';

export const MAKERS: { readonly [K in Kind]: Maker<K> } = {
  body: makeBody,
  collider: makeCollider,
  joint: makeJoint,
  multibodyJoint: makeMultibodyJoint,
  system: makeSystem,
  character: makeCharacter,
  vehicle: makeVehicle,
};
