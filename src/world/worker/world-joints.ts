/** The joints of a world. */
import type { Json } from '../../shared/util/json.js';
import type { Change } from '../shared/world-batch.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import { describeJoint, fieldsOf, setJoint } from './apply-joint.js';
import { EngineThings } from './engine-things.js';
import type { KindContents } from './kind-contents.js';
import type { WorldBodies } from './world-bodies.js';

type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;

export class WorldJoints implements KindContents<'joint'> {
  readonly #rapier: Rapier;
  /** Its world is another one after a restore. */
  readonly #physics: RapierWorld;
  readonly #bodies: WorldBodies;
  readonly #joints = new EngineThings<ImpulseJoint>();
  /** The page's handles of ropes, which the engine takes for generic joints. Some may be gone. */
  #ropes = new Set<number>();

  constructor(rapier: Rapier, physics: RapierWorld, bodies: WorldBodies) {
    this.#rapier = rapier;
    this.#physics = physics;
    this.#bodies = bodies;
  }

  remove(handle: number): void {
    const joint = this.#joints.take(handle);
    if (joint !== undefined) this.#physics.world.removeImpulseJoint(joint, true);
  }

  forgetGone(): void {
    this.#joints.forgetGone();
  }

  apply(change: Change<'joint'>): void {
    const { handle, parts, fields } = change;
    if (parts !== undefined) this.#create(change, parts);
    const joint = this.#joints.get(handle);
    if (joint !== undefined) setJoint(this.#rapier, joint, fields, parts !== undefined);
  }

  describe(): Change<'joint'>[] {
    return [...this.#joints].flatMap(([handle, joint]) => {
      const bodies = [joint.body1(), joint.body2()].map((body) => this.#bodies.handleOf(body));
      const [first, second] = bodies;
      if (first === undefined || second === undefined) return [];
      return [{ handle, parts: [first, second], fields: fieldsOf(this.#rapier, joint) }];
    });
  }

  /** Whether there is a rope. */
  get hasRopes(): boolean {
    for (const handle of this.#ropes) {
      if (this.#joints.get(handle) !== undefined) return true;
      this.#ropes.delete(handle);
    }
    return false;
  }

  /** Which are ropes. */
  untold(): Change<'joint'>[] {
    return Array.from(this.#ropes, (handle) => ({ handle, parts: undefined, fields: {} }));
  }

  save(): Json {
    return this.#joints.save();
  }

  restore(changes: readonly Change<'joint'>[], saved: Json): void {
    this.#joints.restore(saved, (number) => this.#physics.world.getImpulseJoint(number));
    this.#ropes = new Set(changes.map(({ handle }) => handle));
  }

  #create({ handle, fields }: Change<'joint'>, parts: readonly number[]): void {
    const [first, second] = parts.map((part) => this.#bodies.get(part));
    if (first === undefined || second === undefined) return;
    const data = describeJoint(this.#rapier, fields);
    const joint = this.#physics.world.createImpulseJoint(
      data,
      first,
      second,
      fields.wakeUp !== false,
    );
    this.#joints.set(handle, joint);
    if (fields.type === this.#rapier.JointType.Rope) this.#ropes.add(handle);
  }
}
