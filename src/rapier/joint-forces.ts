/**
 * The forces that impulse joints have carried in the last step. Rapier's JavaScript (0.20, 0.21) does not tell them, but its
 * solver writes the impulses of each joint into the joint, in the engine's memory, where they are read:
 *
 *     set ──▶ list of joints ──▶ │ … axes │ limits │ motors │ impulses │ handle │ next joint …
 *
 * Where each part lies differs from build to build, so it is found once, by a joint with known numbers.
 *
 * The impulses are those of the last sub-step of the step: `dt / solver iterations` seconds. They are not along the axes of the
 * joint: the solver makes its constraints independent of each other first (modified Gram-Schmidt, in the metric of the inverse
 * masses; `finalize_constraints` in Rapier's `joint_constraint_helper.rs`). So that is done here, too, and their sum is exact.
 */
import {
  cross,
  dot,
  inverse,
  plus,
  product,
  rotated,
  scaled,
  ZERO,
  type Rotation,
  type Vector,
} from '../shared/util/vectors.js';
import { memoryOf, pointerOf, type EngineMemory } from './engine-memory.js';
import type { Rapier, RapierWorldOf } from './rapier-builds.js';

type World = RapierWorldOf;
type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

/** Offsets in bytes: of the list in the set, of a joint from the one before, and of the parts of a joint. */
interface Layout {
  readonly list: number;
  readonly size: number;
  readonly handle: number;
  readonly axes: number;
  readonly limits: number;
  readonly motors: number;
  readonly impulses: number;
}

/** The load of a joint. */
export interface JointLoad {
  /** In N, or the simulation's own unit. */
  readonly force: number;
  /** In N m, at the anchor of the second body, about the axes that the joint holds. */
  readonly torque: number;
}

const NO_LOAD: JointLoad = { force: 0, torque: 0 };
const AXES = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
] as const;
/** The order in which the solver makes constraints: about the axes, then along them. */
const IN_ORDER = [3, 4, 5, 0, 1, 2] as const;
/** Minimum, maximum and impulse. */
const LIMIT_BYTES = 12;

const layouts = new WeakMap<object, Layout>();

export class JointForces {
  readonly #memory: EngineMemory;
  readonly #layout: Layout;
  /** Where each joint was found in the list: it moves when others are removed. */
  readonly #places = new WeakMap<ImpulseJoint, number>();
  readonly #solver = new JointSolver();

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

  /** @param iterations Solver iterations of the joint's bodies in the last step. */
  of(world: World, joint: ImpulseJoint, iterations: number): JointLoad {
    let { view } = this.#memory;
    const at = this.#find(view, world, joint);
    if (at === undefined) return NO_LOAD;
    const { axes, limits, motors, impulses } = this.#layout;
    const perSecond = iterations / world.timestep;
    const held = view.getUint8(at + axes);
    const limited = view.getUint8(at + axes + 1) & ~held;
    const limitAt = at + limits + 8;
    if (view.getUint8(at + axes + 3) !== 0) {
      // A rope or a spring: it has one limit or one motor, along the line between the anchors.
      const pull = view.getFloat32(has(limited, 0) ? limitAt : at + motors + 20, true);
      return { force: Math.abs(pull) * perSecond, torque: 0 };
    }
    const solver = this.#solver;
    solver.begin(joint, held);
    ({ view } = this.#memory);
    for (const axis of IN_ORDER) {
      if (has(held, axis)) solver.hold(axis, view.getFloat32(at + impulses + 4 * axis, true));
    }
    for (const axis of IN_ORDER) {
      const limit = has(limited, axis) ? view.getFloat32(limitAt + LIMIT_BYTES * axis, true) : 0;
      if (limit !== 0) solver.limit(axis, limit);
    }
    solver.sum();
    return { force: length(solver.force) * perSecond, torque: length(solver.torque) * perSecond };
  }

  /** Where a joint begins; undefined if it is gone. */
  #find(view: DataView, world: World, joint: ImpulseJoint): number | undefined {
    const { list, size, handle } = this.#layout;
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

const addressOf = ({ impulseJoints }: World): number => pointerOf(impulseJoints.raw) ?? Number.NaN;
const has = (axes: number, axis: number): boolean => ((axes >> axis) & 1) === 1;
const length = (vector: Vector): number => Math.sqrt(dot(vector, vector));

/** A body as the solver sees it: one that is not dynamic cannot be moved. Its objects are used again. */
class SolverBody {
  readonly center: Vector = { ...ZERO };
  readonly position: Vector = { ...ZERO };
  readonly rotation: Rotation = { ...ZERO, w: 1 };
  readonly inverseMass: Vector = { ...ZERO };
  /** The upper half of a symmetric matrix, row by row. */
  readonly #inertia = new Float64Array(6);
  #isDynamic = false;

  read(body: RigidBody): void {
    body.worldCom(this.center);
    body.translation(this.position);
    body.rotation(this.rotation);
    this.#isDynamic = body.isDynamic();
    if (!this.#isDynamic) Object.assign(this.inverseMass, ZERO);
    else {
      body.effectiveInvMass(this.inverseMass);
      this.#inertia.set(body.effectiveWorldInvInertia().elements.subarray(0, 6));
    }
  }

  at(anchor: Vector): Vector {
    return plus(this.position, rotated(this.rotation, anchor));
  }

  /** How much two turns have to do with each other. */
  product(rows: Float64Array, a: number, b: number): number {
    if (!this.#isDynamic) return 0;
    const [x, y, z] = [rows[b] as number, rows[b + 1] as number, rows[b + 2] as number];
    const m = this.#inertia as unknown as Six;
    return (
      (rows[a] as number) * (m[0] * x + m[1] * y + m[2] * z) +
      (rows[a + 1] as number) * (m[1] * x + m[3] * y + m[4] * z) +
      (rows[a + 2] as number) * (m[2] * x + m[4] * y + m[5] * z)
    );
  }
}

type Six = readonly [number, number, number, number, number, number];

/** The numbers of a constraint: its direction, and how it turns each body. */
const ROW = 9;
const [LINE, TURN_1, TURN_2] = [0, 3, 6];
/** Each axis is held or limited. */
const MOST_ROWS = 6;

/** The constraints of a joint, in sequence. */
class JointSolver {
  force: Vector = ZERO;
  /** At the anchor of the second body. */
  torque: Vector = ZERO;
  readonly #body1 = new SolverBody();
  readonly #body2 = new SolverBody();
  readonly #rows = new Float64Array(MOST_ROWS * ROW);
  readonly #impulses = new Float64Array(MOST_ROWS);
  #count = 0;
  #heldCount = 0;
  /** The axes of the joint. */
  readonly #lines: Vector[] = [ZERO, ZERO, ZERO];
  /** How the second body is turned, seen from the first. */
  #turned: Rotation = { ...ZERO, w: 1 };
  #arm1: Vector = ZERO;
  #arm2: Vector = ZERO;

  begin(joint: ImpulseJoint, held: number): void {
    const [one, two] = [this.#body1, this.#body2];
    one.read(joint.body1());
    two.read(joint.body2());
    const rotation = product(one.rotation, joint.frameX1());
    const turned = product(inverse(rotation), product(two.rotation, joint.frameX2()));
    this.#turned = turned.w < 0 ? { ...scaled(turned, -1), w: -turned.w } : turned;
    const anchor2 = two.at(joint.anchor2());
    const error = plus(anchor2, one.at(joint.anchor1()), -1);
    let at1 = anchor2;
    for (let axis = 0; axis < 3; axis++) {
      const line = rotated(rotation, AXES[axis] as Vector);
      this.#lines[axis] = line;
      if (has(held, axis)) at1 = plus(at1, line, -dot(error, line));
    }
    this.#arm1 = plus(at1, one.center, -1);
    this.#arm2 = plus(anchor2, two.center, -1);
    this.#count = 0;
    this.#heldCount = 0;
    this.force = ZERO;
    this.torque = ZERO;
  }

  hold(axis: number, impulse: number): void {
    if (axis < 3) this.#addLine(axis, impulse);
    else {
      // How the vector part of the rotation between the two changes.
      const { w, ...v } = this.#turned;
      const own = AXES[axis - 3] as Vector;
      const { x, y, z } = scaled(plus(cross(v, own), own, w), 0.5);
      const [a, b, c] = this.#lines as [Vector, Vector, Vector];
      this.#addTurn(plus(plus(scaled(a, x), b, y), c, z), impulse);
    }
    this.#heldCount = this.#count;
  }

  /** Only what it does to the axes that are held counts. */
  limit(axis: number, impulse: number): void {
    if (axis < 3) this.#addLine(axis, impulse);
    else this.#addTurn(this.#lines[axis - 3] as Vector, impulse);
    this.#addTo(this.#count - 1, -impulse);
  }

  /** As the solver does. Limits are left in each other, because they may not hold. */
  sum(): void {
    const rows = this.#rows;
    for (let held = 0; held < this.#heldCount; held++) {
      const own = this.#product(held, held);
      if (own === 0) continue;
      for (let row = held + 1; row < this.#count; row++) {
        const share = this.#product(row, held) / own;
        for (let n = 0; n < ROW; n++) {
          (rows[row * ROW + n] as number) -= share * (rows[held * ROW + n] as number);
        }
      }
    }
    for (let row = 0; row < this.#count; row++) this.#addTo(row, this.#impulses[row] as number);
    this.torque = plus(this.torque, cross(this.#arm2, this.force), -1);
  }

  #product(a: number, b: number): number {
    const rows = this.#rows;
    const [i, k] = [a * ROW, b * ROW];
    const [one, two] = [this.#body1.inverseMass, this.#body2.inverseMass];
    return (
      (one.x + two.x) * (rows[i] as number) * (rows[k] as number) +
      (one.y + two.y) * (rows[i + 1] as number) * (rows[k + 1] as number) +
      (one.z + two.z) * (rows[i + 2] as number) * (rows[k + 2] as number) +
      this.#body1.product(rows, i + TURN_1, k + TURN_1) +
      this.#body2.product(rows, i + TURN_2, k + TURN_2)
    );
  }

  #addLine(axis: number, impulse: number): void {
    const line = this.#lines[axis] as Vector;
    this.#add(impulse, line, cross(this.#arm1, line), cross(this.#arm2, line));
  }

  #addTurn(turn: Vector, impulse: number): void {
    this.#add(impulse, ZERO, turn, turn);
  }

  #add(impulse: number, line: Vector, turn1: Vector, turn2: Vector): void {
    const at = this.#count * ROW;
    this.#write(at + LINE, line);
    this.#write(at + TURN_1, turn1);
    this.#write(at + TURN_2, turn2);
    this.#impulses[this.#count] = impulse;
    this.#count += 1;
  }

  #write(at: number, { x, y, z }: Vector): void {
    this.#rows[at] = x;
    this.#rows[at + 1] = y;
    this.#rows[at + 2] = z;
  }

  #addTo(row: number, impulse: number): void {
    this.force = plus(this.force, this.#read(row * ROW + LINE), impulse);
    this.torque = plus(this.torque, this.#read(row * ROW + TURN_2), impulse);
  }

  #read(at: number): Vector {
    const rows = this.#rows;
    return { x: rows[at] as number, y: rows[at + 1] as number, z: rows[at + 2] as number };
  }
}

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
    const isMotor = (at: number): boolean => isAt(view, at, PROBE.motor);
    // Other lists lie before this one, and their pointers lead to it, too.
    let found:
      | { readonly list: number; readonly first: number; readonly motors: number }
      | undefined;
    for (let list = 0; list < MOST_SET_BYTES; list += 4) {
      const first = view.getUint32(set + list, true);
      const motors = find(MOST_BYTES, (offset) => isMotor(first + offset));
      if (motors !== undefined && motors < (found?.motors ?? MOST_BYTES)) {
        found = { list, first, motors };
      }
    }
    if (found === undefined) return undefined;
    const { list, first, motors } = found;
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
  } finally {
    world.free();
  }
}

/** Two joints that carry 480 and 960 N along their second and third axes, for a 240th of a second. */
function probeJoints({ JointData, RigidBodyDesc }: Rapier, world: World): readonly ImpulseJoint[] {
  const ground = world.createRigidBody(RigidBodyDesc.fixed());
  const make = (): ImpulseJoint => {
    const body = world.createRigidBody(RigidBodyDesc.dynamic().setAdditionalMass(1));
    body.lockRotations(true, true);
    body.addForce({ x: 0, y: 480, z: 960 }, true);
    const data = JointData.prismatic(ZERO, ZERO, AXES[0]);
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
