/**
 * The joints of a world that break. After each step, the load of each is compared with the most that it bears, so it is as stiff
 * as any other joint until it breaks. `joint-load.ts` of the adapter says what its load is, and `joint-memory.ts` from where that is known.
 */
import { loadOf } from '../../rapier/joint-load.js';
import { JointMemory, type JointImpulses } from '../../rapier/joint-memory.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { BrokenJoint } from '../shared/world-batch.js';
import type { EngineObjects, UntoldFields } from './kind-contents.js';

type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

export class BreakingJoints {
  readonly #rapier: Rapier;
  /** Its world is another one after a restore. */
  readonly #physics: RapierWorld;
  #memory: JointMemory | undefined;

  constructor(rapier: Rapier, physics: RapierWorld) {
    this.#rapier = rapier;
    this.#physics = physics;
  }

  /** There are some from now on. @throws RangeError if this build of the engine does not tell the load of a joint. */
  begin(): void {
    this.#memory ??= new JointMemory(this.#rapier);
  }

  /** The joints that carried more than they bear in the last step. @param untold Has the most that each bears. */
  overloaded(
    joints: EngineObjects<ImpulseJoint>,
    untold: UntoldFields<'joint'>,
  ): readonly BrokenJoint[] {
    const overloaded: BrokenJoint[] = [];
    const impulsesOf = this.#memory?.impulsesIn(this.#physics.world);
    if (impulsesOf === undefined) return overloaded;
    for (const { handle, fields } of untold.changes()) {
      const { 0: most = Infinity, 1: mostTorque = Infinity } = fields.breakForce ?? [];
      const joint = Math.min(most, mostTorque) < Infinity ? joints.get(handle) : undefined;
      const load = joint && this.#loadOf(joint, impulsesOf(joint.handle));
      if (load !== undefined && (load.force > most || load.torque > mostTorque)) {
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

const isMoved = (body: RigidBody): boolean => body.isDynamic() && !body.isSleeping();
