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
import type { Rapier, RapierWorldOf } from './rapier-builds.js';

type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;
type RigidBody = InstanceType<Rapier['RigidBody']>;

/** A constraint, or how it moves what it holds: along a line through the anchor of the second body, and about that. */
interface Row {
  readonly line: Vector;
  readonly turn: Vector;
}

const NONE: Row = { line: ZERO, turn: ZERO };

const AXES = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
] as const;
/** The order of the solver: about the axes, then along them. */
const IN_ORDER = [3, 4, 5, 0, 1, 2] as const;

/**
 * The load that is carried along and about the axes that a joint holds. What limits and motors do is not in it.
 *
 * @returns The force in N and the torque in N m, at the anchor of the second body.
 */
export function loadOf(world: RapierWorldOf, joint: ImpulseJoint, impulses: JointImpulses) {
  const [one, two] = [joint.body1(), joint.body2()];
  const frame = product(one.rotation(), joint.frameX1());
  const turned = product(inverse(frame), product(two.rotation(), joint.frameX2()));
  const anchor = plus(two.translation(), rotated(two.rotation(), joint.anchor2()));
  const before: { readonly row: Row; readonly moved: Row; readonly own: number }[] = [];
  let load = NONE;
  for (const axis of IN_ORDER) {
    const impulse = impulses[axis];
    if (impulse === undefined) continue;
    const unit = AXES[axis % 3] as Vector;
    // How the vector part of the rotation between the two changes.
    const change = scaled(plus(cross(turned, unit), unit, turned.w), turned.w < 0 ? -0.5 : 0.5);
    let row =
      axis < 3
        ? { ...NONE, line: rotated(frame, unit) }
        : { ...NONE, turn: rotated(frame, change) };
    for (const { row: other, moved, own } of before) {
      row = sum(row, other, -productOf(row, moved) / own);
    }
    load = sum(load, row, impulse);
    const moved = sum(movedBy(row, one, anchor), movedBy(row, two, anchor));
    before.push({ row, moved, own: productOf(row, moved) || 1 });
  }
  const further = Math.max(one.additionalSolverIterations(), two.additionalSolverIterations());
  const perSecond = (world.numSolverIterations + further) / world.timestep;
  return { force: lengthOf(load.line) * perSecond, torque: lengthOf(load.turn) * perSecond };
}

/** How a constraint moves a body as the solver sees it: one that is not dynamic stays. */
function movedBy({ line, turn }: Row, body: RigidBody, anchor: Vector): Row {
  if (!body.isDynamic()) return NONE;
  const mass = body.effectiveInvMass();
  const { m11, m12, m13, m22, m23, m33 } = body.effectiveWorldInvInertia();
  const arm = plus(anchor, body.worldCom(), -1);
  const { x, y, z } = plus(turn, cross(arm, line));
  const spin = {
    x: m11 * x + m12 * y + m13 * z,
    y: m12 * x + m22 * y + m23 * z,
    z: m13 * x + m23 * y + m33 * z,
  };
  const moved = { x: mass.x * line.x, y: mass.y * line.y, z: mass.z * line.z };
  return { line: plus(moved, cross(spin, arm)), turn: spin };
}

const sum = (a: Row, b: Row, factor = 1): Row => ({
  line: plus(a.line, b.line, factor),
  turn: plus(a.turn, b.turn, factor),
});
const productOf = (a: Row, b: Row): number => dot(a.line, b.line) + dot(a.turn, b.turn);
const lengthOf = (vector: Vector): number => Math.sqrt(dot(vector, vector));
