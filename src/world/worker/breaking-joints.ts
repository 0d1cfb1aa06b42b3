/**
 * The joints of a world that break. After each step, the load of each is compared with the most that it bears, so it is as stiff
 * as any other joint until it breaks. `joint-load.ts` of the adapter says what its load is, and `joint-memory.ts` from where that is known.
 */
import { loadOf } from '../../rapier/joint-load.js';
import { JointMemory, type JointImpulses } from '../../rapier/joint-memory.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { BrokenJoint, Change } from '../shared/world-batch.js';
import type { EngineObjects } from './kind-contents.js';

type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

/** Force and torque: the field `breakForce`. */
type Strength = ArrayLike<number>;

const NONE: readonly BrokenJoint[] = [];

export class BreakingJoints {
  readonly #rapier: Rapier;
  /** Its world is another one after a restore. */
  readonly #physics: RapierWorld;
  /** The most that each bears, by the page's handles. */
  readonly #strengths = new Map<number, Strength>();
  #memory: JointMemory | undefined;

  constructor(rapier: Rapier, physics: RapierWorld) {
    this.#rapier = rapier;
    this.#physics = physics;
  }

  /**
   * @param known A joint that is not new: its bodies, which may sleep under a load that it does not bear any longer, are woken.
   * @throws RangeError if this build of the engine does not tell the load of a joint.
   */
  set(handle: number, strength: Strength, known?: ImpulseJoint): void {
    if (bears(strength, Infinity, Infinity)) this.#strengths.delete(handle);
    else {
      this.#memory ??= new JointMemory(this.#rapier);
      this.#strengths.set(handle, strength);
      for (const body of known ? [known.body1(), known.body2()] : []) body.wakeUp();
    }
  }

  restore(changes: readonly Change<'joint'>[]): void {
    this.#strengths.clear();
    for (const { handle, fields } of changes) {
      if (fields.breakForce !== undefined) this.set(handle, fields.breakForce);
    }
  }

  /** The joints that carried more than they bear in the last step. Those that are gone are forgotten. */
  overloaded(joints: EngineObjects<ImpulseJoint>): readonly BrokenJoint[] {
    if (this.#strengths.size === 0) return NONE;
    const overloaded: BrokenJoint[] = [];
    const impulsesOf = this.#memory?.impulsesIn(this.#physics.world);
    for (const [handle, strength] of this.#strengths) {
      const joint = joints.get(handle);
      const load = joint && this.#loadOf(joint, impulsesOf?.(joint.handle));
      if (joint === undefined) this.#strengths.delete(handle);
      else if (load !== undefined && !bears(strength, load.force, load.torque)) {
        overloaded.push({ joint: handle, ...load });
      }
    }
    // In an order that a restored state has, too: the engine moves what comes after a joint that is removed.
    return overloaded.toSorted((a, b) => a.joint - b.joint);
  }

  /** Undefined: the engine has not moved its bodies. */
  #loadOf(joint: ImpulseJoint, impulses: JointImpulses | undefined) {
    const [one, two] = [joint.body1(), joint.body2()];
    if (!(isMoved(one) || isMoved(two)) || !one.isEnabled() || !two.isEnabled()) return undefined;
    if (impulses === undefined) return undefined;
    const { world } = this.#physics;
    const { force, torque } = loadOf(joint, impulses);
    const more = Math.max(one.additionalSolverIterations(), two.additionalSolverIterations());
    const perSecond = (world.numSolverIterations + more) / world.timestep;
    return { force: force * perSecond, torque: torque * perSecond };
  }
}

const bears = (
  { 0: most = Infinity, 1: mostTorque = Infinity }: Strength,
  force: number,
  torque: number,
) => !(force > most || torque > mostTorque);

const isMoved = (body: RigidBody): boolean => body.isDynamic() && !body.isSleeping();
