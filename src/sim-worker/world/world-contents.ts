/**
 * What the page has made in a world: which of Rapier's bodies and colliders has which handle of the page. Handles, not
 * the engine's numbers, are in commands and recordings, because the page gives them before the engine knows of them.
 */
import type { BodyId } from '../../shared/memory/body-meta.js';
import type { Json } from '../../shared/util/json.js';
import {
  EXISTING,
  NO_BODY,
  decodeBatch,
  type BodyChange,
  type ColliderChange,
  type JointChange,
} from '../../shared/world/world-batch.js';
import type { BodyFields, JointFields, WorldFields } from '../../shared/world/world-fields.js';
import type { Rapier } from '../engines/rapier-builds.js';
import type { RapierWorld } from '../engines/rapier-world.js';
import { describeBody, pushBody, setBody } from './apply-body.js';
import { describeCollider, setCollider } from './apply-collider.js';
import { describeJoint, setJoint } from './apply-joint.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;
type Collider = InstanceType<Rapier['Collider']>;
type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;

/** A pose that is set farther away than this is drawn as a jump, in m or the simulation's own unit. */
const MAX_MOTION = 0.5;

/** Of bodies, colliders and joints: the page's handle, and both halves of the engine's number. */
export type SavedContents = {
  readonly bodies: number[][];
  readonly colliders: number[][];
  readonly joints: number[][];
};

export class WorldContents {
  readonly #rapier: Rapier;
  readonly #physics: RapierWorld;
  readonly #bodies = new Map<number, RigidBody>();
  readonly #colliders = new Map<number, Collider>();
  readonly #joints = new Map<number, ImpulseJoint>();

  constructor(rapier: Rapier, physics: RapierWorld) {
    this.#rapier = rapier;
    this.#physics = physics;
  }

  /**
   * Applies a batch. What it names that is gone is passed over: it was removed since, or with its body.
   *
   * @returns Handle and id of each body that is drawn from now on.
   * @throws RangeError if it is no batch, or has a shape that the engine cannot make; what came before it stays applied.
   */
  apply(words: Uint32Array): number[] {
    const batch = decodeBatch(words);
    const { world } = this.#physics;
    for (const handle of batch.removedJoints) {
      const joint = this.#joints.get(handle);
      if (joint?.isValid() === true) world.removeImpulseJoint(joint, true);
      this.#joints.delete(handle);
    }
    for (const handle of batch.removedColliders) {
      const collider = this.#colliders.get(handle);
      if (collider?.isValid() === true) world.removeCollider(collider, true);
      this.#colliders.delete(handle);
    }
    for (const handle of batch.removedBodies) this.#removeBody(handle);
    if (batch.removedBodies.length > 0) this.#forgetGone();
    this.#configure(batch.world);
    const changed: [RigidBody, BodyChange][] = [];
    const ids: number[] = [];
    for (const change of batch.bodies) {
      const body = change.isNew ? this.#createBody(change) : this.#bodies.get(change.handle);
      if (body === undefined) continue;
      if (!change.isNew) this.#setBody(body, change.fields);
      changed.push([body, change]);
    }
    for (const change of batch.colliders) this.#applyCollider(change);
    for (const change of batch.joints) this.#applyJoint(change);
    for (const [body, change] of changed) {
      const { isNew, fields } = change;
      // Impulses need the mass, which the colliders have.
      pushBody(body, fields);
      if (!isNew && fields.sleeping !== undefined) {
        if (fields.sleeping) body.sleep();
        else body.wakeUp();
      }
      const id = this.#publish(body, change);
      if (id !== undefined) ids.push(change.handle, id);
    }
    return ids;
  }

  /** Handle and id of each body that is drawn. */
  ids(): number[] {
    return [...this.#bodies].flatMap(([handle, body]) => {
      const id = this.#physics.bodyIdOf(body);
      return id === undefined ? [] : [handle, id];
    });
  }

  save(): SavedContents {
    return {
      bodies: triplesOf(this.#bodies),
      colliders: triplesOf(this.#colliders),
      joints: triplesOf(this.#joints),
    };
  }

  /** The world is the saved one already. */
  restore({ bodies, colliders, joints }: SavedContents): void {
    const { world } = this.#physics;
    this.#bodies.clear();
    this.#colliders.clear();
    this.#joints.clear();
    for (const [handle = 0, low = 0, high = 0] of joints) {
      this.#joints.set(handle, world.getImpulseJoint(numberOfWords(low, high)));
    }
    for (const [handle = 0, low = 0, high = 0] of bodies) {
      this.#bodies.set(handle, world.getRigidBody(numberOfWords(low, high)));
    }
    for (const [handle = 0, low = 0, high = 0] of colliders) {
      this.#colliders.set(handle, world.getCollider(numberOfWords(low, high)));
    }
  }

  #configure(fields: WorldFields): void {
    const { world } = this.#physics;
    const { gravity, lengthUnit, ...parameters } = fields;
    if (gravity !== undefined) world.gravity = { ...gravity };
    if (lengthUnit !== undefined) world.lengthUnit = lengthUnit;
    Object.assign(world.integrationParameters, parameters);
  }

  #createBody({ handle, fields }: BodyChange): RigidBody {
    const body = this.#physics.world.createRigidBody(describeBody(this.#rapier, fields));
    this.#bodies.set(handle, body);
    return body;
  }

  #setBody(body: RigidBody, fields: BodyFields): void {
    if (fields.enabled !== undefined) {
      const id = this.#physics.bodyIdOf(body);
      if (id === undefined) body.setEnabled(fields.enabled);
      else this.#physics.setEnabled(id, fields.enabled);
    }
    setBody(body, fields, this.#rapier);
  }

  #removeBody(handle: number): void {
    const body = this.#bodies.get(handle);
    if (body === undefined) return;
    this.#bodies.delete(handle);
    const id = this.#physics.bodyIdOf(body);
    if (id === undefined) this.#physics.world.removeRigidBody(body);
    else this.#physics.remove(id);
  }

  /** The engine removes a body's colliders and joints with it. */
  #forgetGone(): void {
    for (const [handle, collider] of this.#colliders) {
      if (!collider.isValid()) this.#colliders.delete(handle);
    }
    for (const [handle, joint] of this.#joints) {
      if (!joint.isValid()) this.#joints.delete(handle);
    }
  }

  #applyCollider({ handle, parent, fields }: ColliderChange): void {
    const { world } = this.#physics;
    if (parent === EXISTING) {
      const collider = this.#colliders.get(handle);
      if (collider?.isValid() === true) setCollider(this.#rapier, collider, fields);
      return;
    }
    const body = parent === NO_BODY ? undefined : this.#bodies.get(parent);
    // Its body was removed.
    if (parent !== NO_BODY && body === undefined) return;
    const desc = describeCollider(this.#rapier, fields);
    this.#colliders.set(handle, world.createCollider(desc, body));
  }

  #applyJoint({ handle, body1, body2, fields }: JointChange): void {
    const isNew = body1 !== NO_BODY;
    const joint = isNew ? this.#createJoint(body1, body2, fields) : this.#joints.get(handle);
    if (joint === undefined || !joint.isValid()) return;
    this.#joints.set(handle, joint);
    setJoint(this.#rapier, joint, fields, isNew);
  }

  #createJoint(body1: number, body2: number, fields: JointFields): ImpulseJoint | undefined {
    const [first, second] = [this.#bodies.get(body1), this.#bodies.get(body2)];
    // One was removed.
    if (first === undefined || second === undefined) return undefined;
    const data = describeJoint(this.#rapier, fields);
    return this.#physics.world.createImpulseJoint(data, first, second, fields.wakeUp !== false);
  }

  /**
   * Fixed bodies take no place among the bodies until they move: the page knows where it has put them.
   *
   * @returns Its id, if it is drawn from now on.
   */
  #publish(body: RigidBody, { handle, isNew, fields }: BodyChange): BodyId | undefined {
    const physics = this.#physics;
    const id = physics.bodyIdOf(body);
    const hasMoved = !isNew && (fields.translation ?? fields.rotation) !== undefined;
    if (id === undefined) {
      return body.isFixed() && !hasMoved ? undefined : physics.add(body, { tag: handle });
    }
    if (hasMoved) this.#move(id, body);
    return undefined;
  }

  /** A small change of a pose is a motion, such as one of each frame; a large one is a jump. */
  #move(id: BodyId, body: RigidBody): void {
    const { bodies } = this.#physics;
    const [p, q, before] = [body.translation(), body.rotation(), bodies.pose(id)];
    const distance = Math.hypot(
      p.x - (before?.x ?? p.x),
      p.y - (before?.y ?? p.y),
      p.z - (before?.z ?? p.z),
    );
    if (distance <= MAX_MOTION) bodies.setPose(id, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
    else bodies.teleport(id, { x: p.x, y: p.y, z: p.z, qx: q.x, qy: q.y, qz: q.z, qw: q.w });
  }
}

const triplesOf = (map: ReadonlyMap<number, { readonly handle: number }>): number[][] =>
  Array.from(map, ([handle, { handle: number }]) => [handle, ...wordsOfNumber(number)]);

const isTriples = (list: unknown): boolean =>
  Array.isArray(list) &&
  list.every(
    (item) => Array.isArray(item) && item.length === 3 && item.every(Number.isSafeInteger),
  );

const number = new Float64Array(1);
const halves = new Uint32Array(number.buffer);

/** The engine's numbers are bits of a double that may be NaN, which JSON cannot hold. */
function wordsOfNumber(value: number): [number, number] {
  number[0] = value;
  return [halves[0] as number, halves[1] as number];
}

function numberOfWords(low: number, high: number): number {
  halves[0] = low;
  halves[1] = high;
  return number[0] as number;
}

/** @throws RangeError if it is not what `save` returned. */
export function requireContents(saved: Json): SavedContents {
  const contents = saved as Partial<SavedContents> | null;
  const lists = [contents?.bodies, contents?.colliders, contents?.joints];
  if (lists.every(isTriples)) {
    return contents as SavedContents;
  }
  throw new RangeError('the saved contents of a world are from another version of the library');
}
