/** The joints and the multibody joints of a world. */
import type { EngineMemory } from '../../rapier/engine-memory.js';
import { loadOf } from '../../rapier/joint-load.js';
import { impulsesIn, jointMemoryOf } from '../../rapier/joint-memory.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { Json } from '../../shared/util/json.js';
import { treeProblem, type JointEdge } from '../shared/joint-tree.js';
import { type BrokenJoint, type Change, NO_HANDLE } from '../shared/world-batch.js';
import { AXIS_NAMES, JOINT, type JointFields } from '../shared/setting-tables.js';
import { describeJoint, jointFields, setJoint } from './apply-fields.js';
import { EngineObjects, type KindContents, UnreportedFields } from './kind-contents.js';
import type { WorldBodies } from './world-bodies.js';

type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;

const isAwake = (body: InstanceType<Rapier['RigidBody']>): boolean =>
  body.isDynamic() && !body.isSleeping();

/** A badge on three ropes at four times the earth's gravity: with 1 it falls forever, and 3 still let it sag by 0.2 m. */
const ROPE_ITERATIONS = 4;

/** The parts of the engine that joints of both kinds are made of. */
class JointMaker {
  readonly rapier: Rapier;
  /** The engine's world is another one after a restore. */
  readonly physics: RapierWorld;
  readonly bodies: WorldBodies;

  constructor(rapier: Rapier, physics: RapierWorld, bodies: WorldBodies) {
    this.rapier = rapier;
    this.physics = physics;
    this.bodies = bodies;
  }

  /** The arguments of the engine's methods that create a joint. Undefined: a body was removed since. */
  argumentsOf(fields: JointFields, parts: readonly number[]) {
    const [first, second] = parts.map((part) => this.bodies.get(part));
    if (first === undefined || second === undefined) return undefined;
    return [describeJoint(this.rapier, fields), first, second, fields.wakeUp !== false] as const;
  }
}

export class WorldJoints extends JointMaker implements KindContents<'joint'> {
  readonly #joints = new EngineObjects<ImpulseJoint>();
  /** The type, too, where the engine takes it for another one: ropes, springs and spherical joints are generic to it. */
  readonly #unreported = new UnreportedFields<'joint'>(
    JOINT,
    'type',
    'axesMask',
    ...AXIS_NAMES,
    'breakForce',
  );
  /** Undefined: joints have come or gone since it was known. */
  #hasRopes: boolean | undefined;
  /** Undefined: none can break. */
  #memory: EngineMemory | undefined;

  remove(handle: number, wakeUp = false): void {
    const joint = this.#joints.take(handle);
    this.#unreported.delete(handle);
    this.#hasRopes = undefined;
    if (joint !== undefined) this.physics.world.removeImpulseJoint(joint, wakeUp);
  }

  /**
   * Removes the joints that carried more than they bear in the last step, and tells which. A joint is as stiff as any other until then.
   *
   * @returns Undefined: none can break.
   */
  breakOverloaded(): readonly BrokenJoint[] | undefined {
    if (this.#memory === undefined) return undefined;
    const { world } = this.physics;
    const impulsesOf = impulsesIn(world, this.#memory);
    const overloaded: BrokenJoint[] = [];
    for (const { handle, fields } of this.#unreported.changes()) {
      const joint = fields.breakForce && this.#joints.get(handle);
      if (joint === undefined || ![joint.body1(), joint.body2()].some(isAwake)) continue;
      const { force, torque } = loadOf(world, joint, impulsesOf(joint.handle));
      const { 0: most = Infinity, 1: mostTorque = Infinity } = fields.breakForce ?? [];
      if (force > most || torque > mostTorque) overloaded.push({ joint: handle, force, torque });
    }
    for (const { joint } of overloaded) this.remove(joint, true);
    return overloaded;
  }

  forgetGone(): void {
    this.#joints.forgetGone();
    this.#unreported.keepOnly((handle) => this.#joints.get(handle) !== undefined);
    this.#hasRopes = undefined;
  }

  apply(change: Change<'joint'>): void {
    const { handle, parts, fields } = change;
    if (parts !== undefined) this.#create(change, parts);
    const joint = this.#joints.get(handle);
    if (joint === undefined) return;
    setJoint(this.rapier, joint, fields, parts !== undefined);
    if (fields.breakForce !== undefined) {
      this.#memory ??= jointMemoryOf(this.rapier);
      // The bodies may sleep under a load that it does not bear any longer.
      if (parts === undefined) for (const body of [joint.body1(), joint.body2()]) body.wakeUp();
    }
    const { type, ...rest } = fields;
    this.#unreported.note(handle, type === joint.type() ? rest : fields);
  }

  describe(): Change<'joint'>[] {
    return [...this.#joints].flatMap(([handle, joint]) => {
      const bodies = [joint.body1(), joint.body2()].map((body) => this.bodies.handleOf(body));
      const [first, second] = bodies;
      if (first === undefined || second === undefined) return [];
      const fields = jointFields(joint, this.#unreported.of(handle));
      return [{ handle, parts: [first, second], fields }];
    });
  }

  /**
   * Gives the next step of a world with ropes enough iterations for them: from version 0.20 on, Rapier's default lets what hangs
   * on several ropes sink forever. Only for the step: in between, the setting is the page's, which it reads, and which is saved.
   *
   * @returns Sets it back.
   */
  tightenRopes(): () => void {
    const { integrationParameters: parameters } = this.physics.world;
    const before = parameters.numInternalPgsIterations;
    const { Rope } = this.rapier.JointType;
    this.#hasRopes ??= this.#unreported.changes().some(({ fields }) => fields.type === Rope);
    if (this.#hasRopes) parameters.numInternalPgsIterations = Math.max(before, ROPE_ITERATIONS);
    return () => {
      parameters.numInternalPgsIterations = before;
    };
  }

  unreported(): Change<'joint'>[] {
    return this.#unreported.changes();
  }

  save(): Json {
    return this.#joints.save();
  }

  restore(changes: readonly Change<'joint'>[], saved: Json): void {
    this.#joints.restore(saved, (number) => this.physics.world.getImpulseJoint(number));
    this.#unreported.restore(changes);
    if (changes.some(({ fields }) => fields.breakForce)) this.#memory = jointMemoryOf(this.rapier);
    this.#hasRopes = undefined;
  }

  #create({ handle, fields }: Change<'joint'>, parts: readonly number[]): void {
    const given = this.argumentsOf(fields, parts);
    if (given === undefined) return;
    this.#joints.set(handle, this.physics.world.createImpulseJoint(...given));
    this.#hasRopes = undefined;
  }
}

/**
 * The engine names such a joint by its second body, also after the joint is gone. So the bodies decide which joints there
 * are.
 */
export class WorldMultibodyJoints extends JointMaker implements KindContents<'multibodyJoint'> {
  /** By handles: what each was made of, with what was set since. */
  #made = new Map<number, Change<'multibodyJoint'>>();

  remove(handle: number): void {
    const joint = this.#jointOf(handle);
    this.#made.delete(handle);
    if (joint) this.physics.world.removeMultibodyJoint(joint, false);
  }

  forgetGone(): void {
    for (const [handle, { parts }] of this.#made) {
      if (parts?.some((part) => this.bodies.get(part) === undefined)) this.#made.delete(handle);
    }
  }

  apply({ handle, parts, fields }: Change<'multibodyJoint'>): void {
    if (parts !== undefined) this.#create(handle, parts, fields);
    const made = this.#made.get(handle);
    if (made === undefined || fields.contactsEnabled === undefined) return;
    this.#jointOf(handle)?.setContactsEnabled(fields.contactsEnabled);
    made.fields.contactsEnabled = fields.contactsEnabled;
  }

  describe(): Change<'multibodyJoint'>[] {
    return [...this.#made.values()];
  }

  save(): Json {
    return null;
  }

  restore(changes: readonly Change<'multibodyJoint'>[]): void {
    this.#made = new Map(changes.map((change) => [change.handle, change]));
  }

  #jointOf(handle: number) {
    const body = this.bodies.get(this.#made.get(handle)?.parts?.[1] ?? NO_HANDLE);
    return body && this.physics.world.getMultibodyJoint(body.handle);
  }

  #create(handle: number, parts: readonly number[], fields: JointFields): void {
    const given = this.argumentsOf(fields, parts);
    if (given === undefined) return;
    const edges = Array.from(this.#made.values(), (made) => made.parts as JointEdge);
    const problem = treeProblem(edges, parts as JointEdge);
    if (problem !== undefined) throw new RangeError(problem);
    this.physics.world.createMultibodyJoint(...given);
    this.#made.set(handle, { handle, parts, fields: { ...fields } });
  }
}
