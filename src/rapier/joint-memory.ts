/**
 * The impulses that the solver has written into an impulse joint in the last step. Rapier's JavaScript (0.20, 0.21) does not tell
 * them, so they are read from the engine's memory:
 *
 *     set ──▶ list of joints ──▶ │ … axes │ limits │ motors │ impulses │ handle │ next joint …
 *
 * Where each part lies differs from build to build, so it is found once, by a joint with known numbers.
 */
import { ZERO } from '../shared/util/vectors.js';
import { memoryOf, pointerOf, type EngineMemory } from './engine-memory.js';
import type { Rapier, RapierWorldOf } from './rapier-builds.js';

type World = RapierWorldOf;
type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;

/** Offsets in bytes: of the list in the set, of a joint from the one before, and of the parts of a joint. */
interface Layout {
  readonly list: number;
  readonly size: number;
  readonly handle: number;
  /** Four bytes: axes that are held, that have limits, that have motors, and that are coupled, as bits. */
  readonly axes: number;
  readonly limits: number;
  readonly motors: number;
  readonly impulses: number;
}

/** In N s, of the last sub-step. */
export interface JointImpulses {
  /** Of a rope or a spring, along the line between its anchors. Undefined for other joints. */
  readonly pull: number | undefined;
  /** By axis; undefined for those that the joint does not hold. */
  readonly held: readonly (number | undefined)[];
  /** By axis. */
  readonly limits: readonly number[];
}

const AXES = [0, 1, 2, 3, 4, 5] as const;
/** Minimum, maximum and impulse; and where the impulse of a motor is. */
const LIMIT_BYTES = 12;
const [LIMIT_IMPULSE, MOTOR_IMPULSE] = [8, 20];

const NO_LIMITS: readonly number[] = [];

const layouts = new WeakMap<object, Layout>();

export class JointMemory {
  readonly #memory: EngineMemory;
  readonly #layout: Layout;
  /** Where each joint was found in the list: it moves when others are removed. */
  readonly #places = new WeakMap<ImpulseJoint, number>();

  /** @throws RangeError if this build of the engine keeps joints in another way. */
  constructor(rapier: Rapier) {
    const memory = memoryOf(rapier);
    const layout = layouts.get(rapier) ?? (memory && findLayout(rapier, memory));
    if (memory === undefined || layout === undefined) {
      throw new RangeError(
        `joints cannot break with this build of Rapier ${rapier.version()}: where it keeps their impulses is not known. ` +
          'Take another version',
      );
    }
    layouts.set(rapier, layout);
    this.#memory = memory;
    this.#layout = layout;
  }

  /** Undefined: the joint is gone. */
  impulsesOf(world: World, joint: ImpulseJoint): JointImpulses | undefined {
    const at = this.#find(world, joint);
    if (at === undefined) return undefined;
    const { axes, limits, motors, impulses } = this.#layout;
    const { view } = this.#memory;
    const held = view.getUint8(at + axes);
    const limited = view.getUint8(at + axes + 1);
    const isCoupled = view.getUint8(at + axes + 3) !== 0;
    const limitOf = (axis: number): number =>
      has(limited & ~held, axis)
        ? view.getFloat32(at + limits + LIMIT_BYTES * axis + LIMIT_IMPULSE, true)
        : 0;
    // A rope has a limit, a spring a motor.
    const motor = has(limited, 0) ? 0 : view.getFloat32(at + motors + MOTOR_IMPULSE, true);
    return {
      pull: isCoupled ? limitOf(0) + motor : undefined,
      held: AXES.map((axis) =>
        has(held, axis) ? view.getFloat32(at + impulses + 4 * axis, true) : undefined,
      ),
      limits: limited === 0 ? NO_LIMITS : AXES.map(limitOf),
    };
  }

  /** Where a joint begins. */
  #find(world: World, joint: ImpulseJoint): number | undefined {
    const { list, size, handle } = this.#layout;
    const { view } = this.#memory;
    const first = view.getUint32(addressOf(world) + list, true);
    const count = world.impulseJoints.len();
    const before = this.#places.get(joint) ?? 0;
    for (let step = 0; step < count; step++) {
      const place = (before + step) % count;
      const at = first + place * size;
      if (view.getFloat64(at + handle, true) !== joint.handle) continue;
      if (place !== before) this.#places.set(joint, place);
      return at;
    }
    return undefined;
  }
}

const has = (axes: number, axis: number): boolean => ((axes >> axis) & 1) === 1;
const addressOf = ({ impulseJoints }: World): number => pointerOf(impulseJoints.raw) ?? Number.NaN;

/** Numbers of the prismatic joints of a probe, which are found nowhere else. */
const PROBE = {
  limits: [-3.25, 5.25],
  /** In the order in which the engine keeps them: velocity, position, stiffness, damping, greatest force. */
  motor: [13.25, 11.25, 17.25, 19.25, 23.25],
  /** All axes but the first are held; that one has limits and a motor, and none is coupled. */
  axes: [62, 1, 1, 0],
  impulses: [2, 4],
} as const;
/** No set of joints is longer, and no joint. */
const MOST_SET_BYTES = 256;
const MOST_BYTES = 1024;
/** Of ratios: the solver rounds. */
const TOLERANCE = 1e-4;

/** Undefined: this build keeps joints in another way. */
function findLayout(rapier: Rapier, memory: EngineMemory): Layout | undefined {
  const world: World = new rapier.World(ZERO);
  try {
    const joints = probeJoints(rapier, world);
    world.step();
    const { view } = memory;
    const set = addressOf(world);
    for (let list = 0; list < MOST_SET_BYTES; list += 4) {
      const [first, length] = [0, 4].map((more) => view.getUint32(set + list + more, true));
      // Other lists lie before this one or behind it, and old joints, too.
      if (first === undefined || length !== joints.length) continue;
      const layout = layoutOf(view, list, first, joints);
      if (layout !== undefined) return layout;
    }
    return undefined;
  } finally {
    world.free();
  }
}

/** @param first Where the list may begin. Undefined: it does not. */
function layoutOf(
  view: DataView,
  list: number,
  first: number,
  joints: readonly ImpulseJoint[],
): Layout | undefined {
  const isMotor = (at: number): boolean => isAt(view, at, PROBE.motor);
  const motors = find(MOST_BYTES, (offset) => isMotor(first + offset));
  if (motors === undefined) return undefined;
  const size = find(MOST_BYTES, (offset) => offset > 0 && isMotor(first + motors + offset));
  if (size === undefined) return undefined;
  const within = (isThere: (at: number) => boolean, step?: number): number =>
    find(size, (offset) => isThere(first + offset), step) ?? Number.NaN;
  const layout = {
    list,
    size,
    motors,
    limits: within((at) => isAt(view, at, PROBE.limits)),
    axes: within((at) => PROBE.axes.every((axes, n) => view.getUint8(at + n) === axes), 1),
    // Of the second axis and the third, in either direction.
    impulses: within((at) => isAt(view, at, PROBE.impulses)) - 4,
    handle: within((at) =>
      joints.every(({ handle }, n) => view.getFloat64(at + n * size, true) === handle),
    ),
  };
  return Object.values(layout).some(Number.isNaN) ? undefined : layout;
}

/** Two joints that carry 480 and 960 N along their second and third axes, for a 240th of a second. */
function probeJoints({ JointData, RigidBodyDesc }: Rapier, world: World): readonly ImpulseJoint[] {
  const ground = world.createRigidBody(RigidBodyDesc.fixed());
  const make = (): ImpulseJoint => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setAdditionalMass(1));
    body.lockRotations(true, true);
    body.addForce({ x: 0, y: 480, z: 960 }, true);
    const data = JointData.prismatic(ZERO, ZERO, { x: 1, y: 0, z: 0 });
    data.limitsEnabled = true;
    data.limits = [...PROBE.limits];
    const joint = world.createImpulseJoint(data, ground, body, true);
    const [velocity, position, stiffness, damping, force] = PROBE.motor;
    const unit = joint as InstanceType<Rapier['UnitImpulseJoint']>;
    unit.configureMotor(position, velocity, stiffness, damping);
    unit.setMotorMaxForce(force);
    return joint;
  };
  // Handles that were used before have a generation, by which they are found.
  for (const joint of [make(), make()]) world.removeImpulseJoint(joint, true);
  world.timestep = 1 / 60;
  return [make(), make()];
}

function find(end: number, isThere: (offset: number) => boolean, step = 4): number | undefined {
  for (let offset = 0; offset < end; offset += step) if (isThere(offset)) return offset;
  return undefined;
}

/** Whether these numbers are there, or their opposites. */
function isAt(view: DataView, at: number, numbers: readonly [number, ...number[]]): boolean {
  if (at + 4 * numbers.length > view.byteLength) return false;
  const factor = view.getFloat32(at, true) / numbers[0];
  return (
    Math.abs(Math.abs(factor) - 1) < TOLERANCE &&
    numbers.every((number, n) => {
      const ratio = view.getFloat32(at + 4 * n, true) / number;
      return Math.abs(ratio - factor) < TOLERANCE;
    })
  );
}
