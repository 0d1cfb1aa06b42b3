/** The multibody joints of a world. */
import type { Json } from '../../shared/util/json.js';
import { treeProblem, type JointEdge } from '../shared/joint-tree.js';
import { NO_HANDLE, type Change } from '../shared/world-batch.js';
import type { JointFields } from '../shared/world-fields.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import { describeJoint } from './apply-joint.js';
import type { KindContents } from './kind-contents.js';
import type { WorldBodies } from './world-bodies.js';

type MultibodyJoint = InstanceType<Rapier['MultibodyJoint']>;

/**
 * The engine names such a joint by its second body, and takes that for a joint also when it is none any more. So the
 * bodies decide which joints there are.
 */
interface Entry {
  readonly parts: JointEdge;
  readonly fields: JointFields;
  readonly joint: MultibodyJoint;
}

export class WorldMultibodyJoints implements KindContents<'multibodyJoint'> {
  readonly #rapier: Rapier;
  /** Its world is another one after a restore. */
  readonly #physics: RapierWorld;
  readonly #bodies: WorldBodies;
  readonly #entries = new Map<number, Entry>();

  constructor(rapier: Rapier, physics: RapierWorld, bodies: WorldBodies) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#bodies = bodies;
  }

  remove(handle: number): void {
    const entry = this.#entries.get(handle);
    this.#entries.delete(handle);
    if (entry !== undefined) this.#physics.world.removeMultibodyJoint(entry.joint, true);
  }

  forgetGone(): void {
    for (const [handle, { parts }] of this.#entries) {
      if (parts.some((part) => this.#bodies.get(part) === undefined)) this.#entries.delete(handle);
    }
  }

  apply({ handle, parts, fields }: Change<'multibodyJoint'>): void {
    if (parts !== undefined) this.#create(handle, parts as unknown as JointEdge, fields);
    const entry = this.#entries.get(handle);
    if (entry === undefined || fields.contactsEnabled === undefined) return;
    entry.joint.setContactsEnabled(fields.contactsEnabled);
    entry.fields.contactsEnabled = fields.contactsEnabled;
  }

  describe(): Change<'multibodyJoint'>[] {
    return Array.from(this.#entries, ([handle, { parts, fields }]) => ({ handle, parts, fields }));
  }

  save(): Json {
    return null;
  }

  restore(changes: readonly Change<'multibodyJoint'>[]): void {
    this.#entries.clear();
    for (const { handle, parts, fields } of changes) {
      const body = this.#bodies.get(parts?.[1] ?? NO_HANDLE);
      const joint = body && this.#physics.world.getMultibodyJoint(body.handle);
      if (joint) this.#entries.set(handle, { parts: parts as unknown as JointEdge, fields, joint });
    }
  }

  #create(handle: number, parts: JointEdge, fields: JointFields): void {
    const [first, second] = parts.map((part) => this.#bodies.get(part));
    if (first === undefined || second === undefined) return;
    const problem = treeProblem(
      Array.from(this.#entries.values(), (entry) => entry.parts),
      parts,
    );
    if (problem !== undefined) throw new RangeError(problem);
    const data = describeJoint(this.#rapier, fields);
    const wakeUp = fields.wakeUp !== false;
    const joint = this.#physics.world.createMultibodyJoint(data, first, second, wakeUp);
    this.#entries.set(handle, { parts, fields: { limits: [], ...fields }, joint });
  }
}
