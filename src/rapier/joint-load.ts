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

/** The numbers of a constraint: its direction, and how it turns each body. */
type Row = number[];

const AXES = [
  { x: 1, y: 0, z: 0 },
  { x: 0, y: 1, z: 0 },
  { x: 0, y: 0, z: 1 },
] as const;
/** The order of the solver: about the axes, then along them. */
const IN_ORDER = [3, 4, 5, 0, 1, 2] as const;

/** The load that is carried along and about the axes that a joint holds, without what limits and motors do on the others. */
export function loadOf(joint: ImpulseJoint, { pull, held, limits }: JointImpulses): JointLoad {
  if (pull !== undefined) return { force: Math.abs(pull), torque: 0 };
  const [one, two] = [bodyOf(joint.body1()), bodyOf(joint.body2())];
  const frame = product(one.rotation, joint.frameX1());
  const lines = AXES.map((axis) => rotated(frame, axis));
  const anchor2 = two.at(joint.anchor2());
  const error = plus(anchor2, one.at(joint.anchor1()), -1);
  let anchor1 = anchor2;
  for (let axis = 0; axis < 3; axis++) {
    const line = lines[axis] as Vector;
    if (held[axis] !== undefined) anchor1 = plus(anchor1, line, -dot(error, line));
  }
  const arm1 = plus(anchor1, one.center, -1);
  const arm2 = plus(anchor2, two.center, -1);
  const turned = product(inverse(frame), product(two.rotation, joint.frameX2()));
  const rowOf = (axis: number, isHeld: boolean): Row => {
    const line = lines[axis % 3] as Vector;
    if (axis < 3) return rowFrom(line, cross(arm1, line), cross(arm2, line));
    if (!isHeld) return rowFrom(ZERO, line, line);
    // How the vector part of the rotation between the two changes.
    const own = AXES[axis % 3] as Vector;
    const change = plus(cross(turned, own), own, turned.w);
    const turn = rotated(frame, scaled(change, turned.w < 0 ? -0.5 : 0.5));
    return rowFrom(ZERO, turn, turn);
  };
  const rows: Row[] = [];
  const impulses: number[] = [];
  const load = rowFrom(ZERO, ZERO, ZERO);
  for (const axis of IN_ORDER) {
    const impulse = held[axis];
    if (impulse !== undefined) impulses[rows.push(rowOf(axis, true)) - 1] = impulse;
  }
  const heldCount = rows.length;
  for (const axis of IN_ORDER) {
    const impulse = limits[axis] ?? 0;
    if (impulse === 0) continue;
    const row = rowOf(axis, false);
    impulses[rows.push(row) - 1] = impulse;
    add(load, row, -impulse);
  }
  const mass = plus(one.inverseMass, two.inverseMass);
  for (let place = 0; place < rows.length; place++) {
    const row = rows[place] as Row;
    add(load, row, impulses[place] as number);
    // Limits stay in each other, because they may not hold.
    if (place >= heldCount) continue;
    const moved = rowFrom(
      times(mass, vectorAt(row, 0)),
      one.turned(vectorAt(row, 3)),
      two.turned(vectorAt(row, 6)),
    );
    const own = productOf(row, moved);
    for (let later = place + 1; own > 0 && later < rows.length; later++) {
      const other = rows[later] as Row;
      add(other, row, -productOf(other, moved) / own);
    }
  }
  const force = vectorAt(load, 0);
  const torque = plus(vectorAt(load, 6), cross(arm2, force), -1);
  return { force: lengthOf(force), torque: lengthOf(torque) };
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
    turned: ({ x, y, z }: Vector): Vector =>
      isDynamic
        ? {
            x: m11 * x + m12 * y + m13 * z,
            y: m12 * x + m22 * y + m23 * z,
            z: m13 * x + m23 * y + m33 * z,
          }
        : ZERO,
  };
}

const rowFrom = (a: Vector, b: Vector, c: Vector): Row => [
  a.x,
  a.y,
  a.z,
  b.x,
  b.y,
  b.z,
  c.x,
  c.y,
  c.z,
];

const vectorAt = (row: Row, at: number): Vector => ({
  x: row[at] as number,
  y: row[at + 1] as number,
  z: row[at + 2] as number,
});

function add(to: Row, row: Row, factor: number): void {
  for (let n = 0; n < row.length; n++) (to[n] as number) += factor * (row[n] as number);
}

function productOf(a: Row, b: Row): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += (a[n] as number) * (b[n] as number);
  return sum;
}

const times = (a: Vector, b: Vector): Vector => ({ x: a.x * b.x, y: a.y * b.y, z: a.z * b.z });
const lengthOf = (vector: Vector): number => Math.sqrt(dot(vector, vector));
