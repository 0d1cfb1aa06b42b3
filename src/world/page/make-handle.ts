/** Makes the handle of something of any kind, which the page has created or the worker has described. */
import type { Kind, KindFields } from '../shared/setting-tables.js';
import type { Collider, RigidBody } from './body-and-collider.js';
import { BodyHandle } from './body-handle.js';
import { CharacterHandle } from './character.js';
import { ColliderHandle } from './collider-handle.js';
import type { ItemHandle } from './item-handle.js';
import { MultibodyJointHandle, jointHandleOf } from './joints.js';
import type { WorldItem } from './page-contents.js';
import { OwnSystem } from './system-handle.js';
import { VehicleHandle } from './vehicle.js';
import type { WorldLink } from './world-link.js';

type MakeHandle<K extends Kind> = (
  link: WorldLink,
  handle: number,
  fields: KindFields<K>,
  parts: never,
) => ItemHandle<K>;

const MAKERS: { readonly [K in Kind]: MakeHandle<K> } = {
  body: (link, handle, fields) => new BodyHandle(link, handle, fields),
  collider: (link, handle, fields, [parent]: [RigidBody?]) =>
    new ColliderHandle(link, handle, fields, parent),
  joint: jointHandleOf,
  multibodyJoint: (link, handle, fields, bodies) =>
    new MultibodyJointHandle(link, handle, fields, bodies),
  system: (link, handle, fields) => new OwnSystem(link, handle, fields),
  character: (link, handle, fields, [collider]: [Collider]) =>
    new CharacterHandle(link, handle, fields, collider),
  vehicle: (link, handle, fields, bodies) => new VehicleHandle(link, handle, fields, bodies),
};

/** @param parts What it is made of. Callers know of which kinds these are. */
export const makeHandle = <K extends Kind>(
  kind: K,
  link: WorldLink,
  handle: number,
  fields: KindFields<K>,
  parts: readonly WorldItem[],
): ItemHandle<K> => MAKERS[kind](link, handle, { ...fields }, parts as never);
