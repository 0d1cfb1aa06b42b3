/**
 * The impulses that the solver has written into impulse joints in the last step. Rapier's JavaScript does not tell them, so they
 * are read from the engine's memory, where all builds of 0.20 and 0.21 have them at the same offsets:
 *
 *     set ──▶ list of joints ──▶ │ … limits │ motors │ axes │ impulses │ handle │ … next joint │ …
 *
 * A build that has them elsewhere is refused: joints with known impulses show it.
 */
import { ZERO } from '../shared/util/vectors.js';
import { memoryOf, pointerOf, type EngineMemory } from './engine-memory.js';
import type { Rapier, RapierWorldOf } from './rapier-builds.js';

type World = RapierWorldOf;

/**
 * By axis, in N s, of the last sub-step; undefined for those that the joint does not hold. Of a rope or a spring, it is one that pulls its
 * anchors together.
 */
export type JointImpulses = readonly (number | undefined)[];

/** Offsets in bytes: of the list in the set, and of the parts of a joint, from the impulse of its first limit on. */
const [LIST, LIMIT, MOTOR, AXES, IMPULSES, HANDLE] = [72, 88, 180, 328, 352, 376] as const;
const JOINT_BYTES = 432;

/** The engines that have been looked at. */
const known = new WeakSet<object>();

/** The memory of an engine. @throws RangeError if this build keeps joints in another way. */
export function jointMemoryOf(rapier: Rapier): EngineMemory {
  const memory = memoryOf(rapier);
  if (memory === undefined || !(known.has(rapier) || isKnown(rapier, memory))) {
    throw new RangeError(
      `joints cannot break with this build of Rapier ${rapier.version()}: where it keeps their impulses is not known. ` +
        'Take another version',
    );
  }
  known.add(rapier);
  return memory;
}

/** Reads the impulses of a world's joints by the engine's handles, until its next step. */
export function impulsesIn(
  { impulseJoints }: World,
  { view }: EngineMemory,
): (joint: number) => JointImpulses {
  // Joints move when others are removed.
  const addresses = new Map<number, number>();
  const first = view.getUint32((pointerOf(impulseJoints.raw) ?? 0) + LIST, true);
  const end = first + impulseJoints.len() * JOINT_BYTES;
  for (let at = first; at < end && end <= view.byteLength; at += JOINT_BYTES) {
    addresses.set(view.getFloat64(at + HANDLE, true), at);
  }
  return (joint) => {
    const at = addresses.get(joint);
    if (at === undefined) return [];
    const read = (offset: number): number => view.getFloat32(at + offset, true);
    // Bits of the axes that are held, have limits, have motors, and are coupled.
    const [held = 0, limited, , coupled] = new Uint8Array(view.buffer, at + AXES, 4);
    // A rope has a limit, a spring a motor.
    if (coupled !== 0) return [read(limited === 0 ? MOTOR : LIMIT)];
    return [1, 2, 4, 8, 16, 32].map((bit, axis) =>
      (held & bit) === 0 ? undefined : read(IMPULSES + 4 * axis),
    );
  };
}

/** Whether joints with known impulses are where this file looks for them. */
function isKnown({ JointData, RigidBodyDesc, World }: Rapier, memory: EngineMemory): boolean {
  const world: World = new World(ZERO);
  const ground = world.createRigidBody(RigidBodyDesc.fixed());
  const far = { x: 0, y: -1e4, z: 0 };
  const [ball, rope] = [JointData.spherical(ZERO, ZERO), JointData.rope(1e4, far, ZERO)];
  const joints = [ball, rope, JointData.spring(1e4, 1e9, 0, far, ZERO)].map((data) => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setAdditionalMass(1));
    // For a 240th of a second.
    body.addForce({ x: 2400, y: 4800, z: 7200 }, true);
    return world.createImpulseJoint(data, ground, body, true);
  });
  world.step();
  const impulsesOf = impulsesIn(world, memory);
  const found = joints.flatMap(({ handle }) => impulsesOf(handle));
  world.free();
  // The rope and the spring hold y.
  return found.map((impulse = 0) => Math.round(impulse)).join() === '10,20,30,0,0,0,20,20';
}
