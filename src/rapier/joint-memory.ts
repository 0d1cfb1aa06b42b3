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

/** In N s, of the last sub-step. */
export interface JointImpulses {
  /** By axis; undefined for those that the joint does not hold. That of a rope or a spring pulls its anchors together. */
  readonly held: readonly (number | undefined)[];
  /** By axis; undefined for those without a limit. */
  readonly limits: readonly (number | undefined)[];
}

/** Offsets in bytes: of the list in the set, and of the parts of a joint. */
const [LIST, LIMITS, MOTORS, AXES, IMPULSES, HANDLE] = [72, 80, 160, 328, 352, 376] as const;
const JOINT_BYTES = 432;
/** Minimum, maximum and impulse; and where the impulse of a motor is. */
const LIMIT_BYTES = 12;
const [LIMIT_IMPULSE, MOTOR_IMPULSE] = [8, 20];

/** The bit of each axis. */
const BITS = [1, 2, 4, 8, 16, 32] as const;

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

/** Reads the impulses of a world's joints by the engine's handles, until its next step. Undefined: there is no such joint. */
export function impulsesIn(
  world: World,
  { view }: EngineMemory,
): (joint: number) => JointImpulses | undefined {
  const addresses = addressesIn(world, view);
  return (joint) => {
    const at = addresses.get(joint);
    return at === undefined ? undefined : impulsesAt(view, at);
  };
}

/** Where each joint begins. They move when others are removed. */
function addressesIn({ impulseJoints }: World, view: DataView): ReadonlyMap<number, number> {
  const addresses = new Map<number, number>();
  const first = view.getUint32((pointerOf(impulseJoints.raw) ?? 0) + LIST, true);
  const end = first + impulseJoints.len() * JOINT_BYTES;
  if (end > view.byteLength) return addresses;
  for (let at = first; at < end; at += JOINT_BYTES) {
    addresses.set(view.getFloat64(at + HANDLE, true), at);
  }
  return addresses;
}

function impulsesAt(view: DataView, at: number): JointImpulses {
  // Axes as bits: those that are held, have limits, have motors, and are coupled.
  const axes = view.getUint32(at + AXES, true);
  const [held, limited, coupled] = [axes & 0xff, (axes >> 8) & 0xff, axes >>> 24];
  const numbersOf = (bits: number, offset: number, bytes: number) =>
    BITS.map((bit, axis) =>
      (bits & bit) === 0 ? undefined : view.getFloat32(at + offset + bytes * axis, true),
    );
  const limits = numbersOf(limited & ~held, LIMITS + LIMIT_IMPULSE, LIMIT_BYTES);
  if (coupled === 0) return { held: numbersOf(held, IMPULSES, 4), limits };
  // A rope has a limit, a spring a motor.
  return { held: [limits[0] ?? view.getFloat32(at + MOTORS + MOTOR_IMPULSE, true)], limits: [] };
}

/** Whether joints with known impulses are where this file looks for them. */
function isKnown({ JointData, RigidBodyDesc, World }: Rapier, memory: EngineMemory): boolean {
  const world: World = new World(ZERO);
  const ground = world.createRigidBody(RigidBodyDesc.fixed());
  const far = { x: 0, y: -1e4, z: 0 };
  const slide = JointData.prismatic(ZERO, ZERO, { x: 1, y: 0, z: 0 });
  slide.limitsEnabled = true;
  slide.limits = [-1, 0];
  const all = [slide, JointData.rope(1e4, far, ZERO), JointData.spring(1e4, 1e9, 0, far, ZERO)];
  const joints = all.map((data) => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setAdditionalMass(1));
    // For a 240th of a second.
    body.addForce({ x: 2400, y: 4800, z: 7200 }, true);
    return world.createImpulseJoint(data, ground, body, true);
  });
  world.step();
  const impulsesOf = impulsesIn(world, memory);
  const found = joints.flatMap(({ handle }) => {
    const { limits = [], held = [] } = impulsesOf(handle) ?? {};
    return [...limits, ...held].map((impulse = 0) => Math.round(impulse));
  });
  world.free();
  // The slide's limit holds x, and the slide the rest; the rope and the spring hold y.
  return found.join() === '10,0,0,0,0,0,0,20,30,0,0,0,20,20';
}
