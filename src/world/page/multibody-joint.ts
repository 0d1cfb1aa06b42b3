/** Multibody joints of a world, as the page has them. */
import type { JointFields, Kind } from '../shared/world-fields.js';
import { flag } from './checked-values.js';
import type { JointType } from './constants.js';
import type { Maker } from './make-handle.js';
import type { RigidBody } from './rigid-body.js';
import type { WorldLink } from './world-link.js';

/**
 * A handle of a multibody joint, made by `World.createMultibodyJoint`: the bodies of such joints form trees, and cannot drift
 * apart. It exists at once; the engine has the joint from the next tick on. Rapier 0.20 gives these joints no limits or motors
 * after their creation. It goes with either of its bodies. On a joint that was removed, methods do nothing, and say so once in
 * the console.
 */
export interface MultibodyJoint {
  /** The joint's number in commands and recordings: things of a world are counted from 1. */
  readonly handle: number;
  /** False after it was removed, or one of its bodies was. */
  isValid(): boolean;
  /** The first body, nearer to the root of the tree. */
  body1(): RigidBody;
  /** The second body. */
  body2(): RigidBody;
  /** What it holds. */
  type(): JointType;
  /** Whether the bodies that it holds collide with each other. */
  contactsEnabled(): boolean;
  /** Whether the bodies that it holds collide with each other. */
  setContactsEnabled(enabled: boolean): void;
}

export class MultibodyJointHandle implements MultibodyJoint {
  static readonly kind: Kind = 'multibodyJoint';
  readonly handle: number;
  readonly #link: WorldLink;
  readonly #bodies: readonly [RigidBody, RigidBody];
  #fields: JointFields;

  constructor(
    link: WorldLink,
    handle: number,
    fields: JointFields,
    bodies: readonly [RigidBody, RigidBody],
  ) {
    this.#link = link;
    this.handle = handle;
    this.#fields = fields;
    this.#bodies = bodies;
  }

  adopt(fields: JointFields): void {
    this.#fields = { ...fields };
  }

  isValid(): boolean {
    return this.#link.has('multibodyJoint', this);
  }

  body1(): RigidBody {
    return this.#bodies[0];
  }

  body2(): RigidBody {
    return this.#bodies[1];
  }

  type(): JointType {
    return this.#fields.type as JointType;
  }

  contactsEnabled(): boolean {
    return this.#fields.contactsEnabled ?? true;
  }

  setContactsEnabled(enabled: boolean): void {
    const isEnabled = flag(enabled);
    if (this.isValid() && this.contactsEnabled() === isEnabled) return;
    const open = this.#link.change('multibodyJoint', this);
    if (open === undefined) return;
    this.#fields.contactsEnabled = isEnabled;
    open.contactsEnabled = isEnabled;
  }
}

export const makeMultibodyJoint: Maker<'multibodyJoint'> = (link, handle, [body1, body2], fields) =>
  new MultibodyJointHandle(link, handle, fields, [body1 as RigidBody, body2 as RigidBody]);
