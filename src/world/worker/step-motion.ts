/** How kinematic bodies move in the coming step: they carry characters, push them, and have belts. */
import {
  dot,
  inverse,
  plus,
  product,
  rotated,
  rotationAbout,
  unit,
  type Rotation,
  type Vector,
  ZERO,
} from '../../shared/util/vectors.js';
import type { Rapier } from '../../rapier/rapier-builds.js';

type RigidBody = InstanceType<Rapier['RigidBody']>;

/** How a body moves in the coming step: it turns around a point, which goes to another. */
export interface StepMotion {
  readonly from: Vector;
  readonly to: Vector;
  readonly turn: Rotation;
}

export const RESTING: StepMotion = { from: ZERO, to: ZERO, turn: { ...ZERO, w: 1 } };

/** Rapier's value. */
const KINEMATIC_POSITION_BASED = 2;

/** @returns Undefined for a body that rests or is not kinematic. */
export function motionOf(body: RigidBody | null | undefined, dt: number): StepMotion | undefined {
  if (body?.isKinematic() !== true) return undefined;
  // Only those that go to positions know the next one before the step.
  if (body.bodyType() === KINEMATIC_POSITION_BASED) {
    const turn = between(body.rotation(), body.nextRotation());
    return moving({ from: body.translation(), to: body.nextTranslation(), turn });
  }
  const [from, spin] = [body.worldCom(), body.angvel()];
  const turn = rotationAbout(unit(spin), Math.sqrt(dot(spin, spin)) * dt);
  return moving({ from, to: plus(from, body.linvel(), dt), turn });
}

/** Where a motion takes a point. */
export const movedBy = ({ from, to, turn }: StepMotion, point: Vector): Vector =>
  plus(to, rotated(turn, plus(point, from, -1)));

/** Where a point was that is taken to this one. */
export const movedBack = ({ from, to, turn }: StepMotion, point: Vector): Vector =>
  plus(from, rotated(inverse(turn), plus(point, to, -1)));

/** A rotation that is exactly none between equal ones, whose lengths are 1 only to 32 bits. */
function between(before: Rotation, after: Rotation): Rotation {
  const { x, y, z, w } = product(after, inverse(before));
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  return { x: x / length, y: y / length, z: z / length, w: w / length };
}

function moving(motion: StepMotion): StepMotion | undefined {
  const { from, to, turn } = motion;
  const rests = from.x === to.x && from.y === to.y && from.z === to.z;
  return rests && turn.x === 0 && turn.y === 0 && turn.z === 0 ? undefined : motion;
}
