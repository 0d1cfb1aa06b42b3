/**
 * The joints of a world that break. After each step, the load of each is compared with the most that it bears, so it is as stiff
 * as any other joint until it breaks. `joint-load.ts` of the adapter says what its load is, and `joint-memory.ts` from where that is known.
 */
import { loadOf } from '../../rapier/joint-load.js';
import { impulsesIn } from '../../rapier/joint-memory.js';
import type { EngineMemory } from '../../rapier/engine-memory.js';
import type { Rapier } from '../../rapier/rapier-builds.js';
import type { RapierWorld } from '../../rapier/rapier-world.js';
import type { BrokenJoint } from '../shared/world-batch.js';
import type { EngineObjects, UnreportedFields } from './kind-contents.js';

type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;
type World = RapierWorld['world'];

/**
 * The joints that carried more than they bear in the last step.
 *
 * @param unreported Has the most that each bears.
 */
export function overloadedJoints(
  world: World,
  memory: EngineMemory,
  joints: EngineObjects<ImpulseJoint>,
  unreported: UnreportedFields<'joint'>,
): readonly BrokenJoint[] {
  const impulsesOf = impulsesIn(world, memory);
  const overloaded: BrokenJoint[] = [];
  for (const { handle, fields } of unreported.changes()) {
    const { 0: most = Infinity, 1: mostTorque = Infinity } = fields.breakForce ?? [];
    const joint = Math.min(most, mostTorque) < Infinity ? joints.get(handle) : undefined;
    const impulses = joint && isMoved(joint) ? impulsesOf(joint.handle) : undefined;
    if (joint === undefined || impulses === undefined) continue;
    const perSecond = iterationsOf(world, joint) / world.timestep;
    const load = loadOf(joint, impulses);
    const [force, torque] = [load.force * perSecond, load.torque * perSecond];
    if (force > most || torque > mostTorque) overloaded.push({ joint: handle, force, torque });
  }
  // In an order that a restored state has, too: the engine moves what comes after a joint that is removed.
  return overloaded.toSorted((a, b) => a.joint - b.joint);
}

const bodiesOf = (joint: ImpulseJoint) => [joint.body1(), joint.body2()] as const;

/** Whether the engine has moved its bodies. */
const isMoved = (joint: ImpulseJoint): boolean =>
  bodiesOf(joint).some((body) => body.isDynamic() && !body.isSleeping()) &&
  bodiesOf(joint).every((body) => body.isEnabled());

const iterationsOf = (world: World, joint: ImpulseJoint): number =>
  world.numSolverIterations +
  Math.max(...bodiesOf(joint).map((body) => body.additionalSolverIterations()));
