/**
 * The load that an impulse joint has carried in the last step, from the impulses of the solver. These are not along the axes of
 * the joint: the solver first makes the joint's constraints independent of each other, by modified Gram-Schmidt in the metric of
 * the inverse masses (`finalize_constraints` in Rapier's `joint_constraint_helper.rs`). So that is done here, too.
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
  type Vector,
} from '../shared/util/vectors.js';
import type { JointImpulses } from './joint-memory.js';
import type { Rapier } from './rapier-builds.js';

type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

/** A load, per second of the impulses. */
export interface JointLoad {
  /** In N, or the simulation's own unit. */
  readonly force: number;
  /** In N m, at the anchor of the second body. */
  readonly torque: number;
}

/** A constraint: its direction, and how it turns each body. */
interface Row {
  readonly line: Vector;
  readonly turn1: Vector;
  readonly turn2: Vector;
}

const AXES = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
] as const;
/** The order of the solver: about the axes, then along them; those that are held first. */
const IN_ORDER = [3, 4, 5, 0, 1, 2] as const;

/** The load that is carried along and about the axes that a joint holds, without what limits and motors do on the others. */
export function loadOf(joint: ImpulseJoint, { pull, held, limits }: JointImpulses): JointLoad {
  if (pull !== undefined) return { force: Math.abs(pull), torque: 0 };
  const [one, two] = [bodyOf(joint.body1()), bodyOf(joint.body2())];
  const frame = product(one.rotation, joint.frameX1());
  const turned = product(inverse(frame), product(two.rotation, joint.frameX2()));
  const anchor2 = two.at(joint.anchor2());
  const error = plus(anchor2, one.at(joint.anchor1()), -1);
  const isHeld = (axis: number): boolean => held[axis] !== undefined;
  let anchor1 = anchor2;
  const lines = AXES.map((own) => rotated(frame, own));
  for (const [axis, line] of lines.entries()) {
    if (isHeld(axis)) anchor1 = plus(anchor1, line, -dot(error, line));
  }
  const arm1 = plus(anchor1, one.center, -1);
  const arm2 = plus(anchor2, two.center, -1);
  const rowOf = (axis: number): Row => {
    const [own, line] = [AXES[axis % 3], lines[axis % 3]] as [Vector, Vector];
    if (axis < 3) return { line, turn1: cross(arm1, line), turn2: cross(arm2, line) };
    if (!isHeld(axis)) return { line: ZERO, turn1: line, turn2: line };
    // How the vector part of the rotation between the two changes.
    const change = plus(cross(turned, own), own, turned.w);
    const turn = rotated(frame, scaled(change, turned.w < 0 ? -0.5 : 0.5));
    return { line: ZERO, turn1: turn, turn2: turn };
  };
  const mass = plus(one.inverseMass, two.inverseMass);
  const before: { readonly row: Row; readonly moved: Row; readonly own: number }[] = [];
  let load: Row = { line: ZERO, turn1: ZERO, turn2: ZERO };
  const limited = IN_ORDER.filter((axis) => limits[axis] !== 0);
  for (const axis of [...IN_ORDER.filter(isHeld), ...limited]) {
    const impulse = held[axis] ?? limits[axis] ?? 0;
    const whole = rowOf(axis);
    let row = whole;
    for (const { row: other, moved, own } of before) {
      row = sum(row, other, -productOf(row, moved) / own);
    }
    load = sum(load, row, impulse);
    // A limit's load counts on the held axes. Limits stay in each other, because they may not hold.
    if (!isHeld(axis)) load = sum(load, whole, -impulse);
    else {
      const { line, turn1, turn2 } = row;
      const moved = { line: times(mass, line), turn1: one.turned(turn1), turn2: two.turned(turn2) };
      before.push({ row, moved, own: productOf(row, moved) || 1 });
    }
  }
  const torque = plus(load.turn2, cross(arm2, load.line), -1);
  return { force: lengthOf(load.line), torque: lengthOf(torque) };
}

/** A body as the solver sees it: one that is not dynamic cannot be moved. */
function bodyOf(body: RigidBody) {
  const [position, rotation, isDynamic] = [body.translation(), body.rotation(), body.isDynamic()];
  const { m11, m12, m13, m22, m23, m33 } = body.effectiveWorldInvInertia();
  return {
    rotation,
    center: body.worldCom(),
    inverseMass: isDynamic ? body.effectiveInvMass() : ZERO,
    at: (anchor: Vector): Vector => plus(position, rotated(rotation, anchor)),
    turned: ({ x, y, z }: Vector): Vector => ({
      x: isDynamic ? m11 * x + m12 * y + m13 * z : 0,
      y: isDynamic ? m12 * x + m22 * y + m23 * z : 0,
      z: isDynamic ? m13 * x + m23 * y + m33 * z : 0,
    }),
  };
}

const sum = (a: Row, b: Row, factor: number): Row => ({
  line: plus(a.line, b.line, factor),
  turn1: plus(a.turn1, b.turn1, factor),
  turn2: plus(a.turn2, b.turn2, factor),
});
const productOf = (a: Row, b: Row): number =>
  dot(a.line, b.line) + dot(a.turn1, b.turn1) + dot(a.turn2, b.turn2);
const times = (a: Vector, b: Vector): Vector => ({ x: a.x * b.x, y: a.y * b.y, z: a.z * b.z });
const lengthOf = (vector: Vector): number => Math.sqrt(dot(vector, vector));
