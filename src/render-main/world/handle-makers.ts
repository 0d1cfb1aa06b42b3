/** Makes the handles of things, from what the page or the worker says of them. */
import { KIND_NAMES, type Kind, type KindFields } from '../../shared/world/world-fields.js';
import { BodyHandle } from './body-handle.js';
import { CharacterHandle } from './character-handle.js';
import type { Collider } from './collider.js';
import { ColliderHandle } from './collider-handle.js';
import { JointType } from './constants.js';
import { JointHandle, UnitJointHandle } from './joint-handle.js';
import { MultibodyJointHandle } from './multibody-joint.js';
import type { Thing } from './page-contents.js';
import { ProbeHandle } from './probe-handle.js';
import type { RigidBody } from './rigid-body.js';
import { OwnSystem } from './system-handle.js';
import { VehicleHandle } from './vehicle-handle.js';
import type { WorldLink } from './world-link.js';

/** A handle that can be brought in line with the worker. */
export interface Followed<K extends Kind> extends Thing {
  /** Replaces what is known of it, apart from what was written since. What the engine cannot tell is left out. */
  adopt(fields: KindFields<K>): void;
}

export type Maker<K extends Kind> = (
  link: WorldLink,
  handle: number,
  parts: readonly Thing[],
  fields: KindFields<K>,
) => Followed<K>;

export const MAKERS: { readonly [K in Kind]: Maker<K> } = {
  body: (link, handle, _, fields) => new BodyHandle(link, handle, fields),
  collider: (link, handle, [parent], fields) =>
    new ColliderHandle(link, handle, fields, parent as RigidBody | undefined),
  joint: (link, handle, [body1, body2], fields) => {
    const Handle = isUnitJoint(fields.type as JointType) ? UnitJointHandle : JointHandle;
    return new Handle(link, handle, fields, [body1 as RigidBody, body2 as RigidBody]);
  },
  multibodyJoint: (link, handle, [body1, body2], fields) =>
    new MultibodyJointHandle(link, handle, fields, [body1 as RigidBody, body2 as RigidBody]),
  probe: (link, handle, [parent], fields) =>
    new ProbeHandle(link, handle, fields, parent as RigidBody | undefined),
  system: (link, handle, _, fields) => new OwnSystem(link, handle, fields),
  character: (link, handle, [collider], fields) =>
    new CharacterHandle(link, handle, fields, collider as Collider),
  vehicle: (link, handle, bodies, fields) =>
    new VehicleHandle(link, handle, fields, bodies as readonly RigidBody[]),
};

const isUnitJoint = (type: JointType): boolean =>
  type === JointType.Revolute || type === JointType.Prismatic;

const HANDLES: { readonly [K in Kind]: abstract new (...given: never[]) => Thing } = {
  body: BodyHandle,
  collider: ColliderHandle,
  joint: JointHandle,
  multibodyJoint: MultibodyJointHandle,
  probe: ProbeHandle,
  system: OwnSystem,
  character: CharacterHandle,
  vehicle: VehicleHandle,
};

/** What a value is a handle of; undefined: none of this library. */
export const kindOf = (value: unknown): Kind | undefined =>
  KIND_NAMES.find((kind) => value instanceof HANDLES[kind]);
