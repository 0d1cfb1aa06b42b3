/** Makes the handles of all kinds of things, from what the worker says of them. */
import type { Kind } from '../shared/world-fields.js';
import { makeBody } from './body-handle.js';
import { makeCharacter } from './character-handle.js';
import { makeCollider } from './collider-handle.js';
import { makeJoint } from './joint-handle.js';
import type { Maker } from './make-handle.js';
import { makeMultibodyJoint } from './multibody-joint.js';
import { makeSystem } from './system-handle.js';
import { makeVehicle } from './vehicle-handle.js';

export const MAKERS: { readonly [K in Kind]: Maker<K> } = {
  body: makeBody,
  collider: makeCollider,
  joint: makeJoint,
  multibodyJoint: makeMultibodyJoint,
  system: makeSystem,
  character: makeCharacter,
  vehicle: makeVehicle,
};
