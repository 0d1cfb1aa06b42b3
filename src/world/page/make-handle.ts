/** Makes the handle of something of any kind, which the page has created or the worker has described. */
import type { Kind } from '../shared/setting-tables.js';
import { BodyHandle } from './body-handle.js';
import { CharacterHandle } from './character.js';
import { ColliderHandle } from './collider-handle.js';
import type { ItemHandle, NewItem } from './item-handle.js';
import { JointHandle, MultibodyJointHandle } from './joints.js';
import { OwnSystem } from './system-handle.js';
import { VehicleControllerHandle } from './vehicle-controller.js';
import { VehicleHandle } from './vehicle.js';
import type { WorldLink } from './world-link.js';

const MAKERS: {
  readonly [K in Kind]: (link: WorldLink, item: NewItem<K>) => ItemHandle<K>;
} = {
  body: (link, item) => new BodyHandle(link, item),
  collider: (link, item) => new ColliderHandle(link, item),
  joint: (link, item) => new JointHandle(link, item),
  multibodyJoint: (link, item) => new MultibodyJointHandle(link, item),
  system: (link, item) => new OwnSystem(link, item),
  character: (link, item) => new CharacterHandle(link, item),
  vehicle: (link, item) =>
    item.fields.rays === undefined
      ? new VehicleHandle(link, item)
      : new VehicleControllerHandle(link, item),
};

export const makeHandle = <K extends Kind>(
  kind: K,
  link: WorldLink,
  item: NewItem<K>,
): ItemHandle<K> => MAKERS[kind](link, item);
