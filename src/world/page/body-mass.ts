/** What follows from the mass of a body: the page's engine computes it. */
import type { Vector } from '../../shared/util/vectors.js';
import type { EngineBody } from './query-world.js';
import { defineMethods } from './setting-methods.js';
import { SdpMatrix3 } from './sdp-matrix.js';
import type { RigidBody } from './rigid-body.js';

const zero = (): Vector => ({ x: 0, y: 0, z: 0 });
const noInertia = (): SdpMatrix3 => new SdpMatrix3([0, 0, 0, 0, 0, 0]);

/** By the methods, which have the engine's names: what they answer about a body that was removed. */
const NOTHING = {
  mass: () => 0,
  invMass: () => 0,
  effectiveInvMass: zero,
  localCom: zero,
  worldCom: zero,
  principalInertia: zero,
  invPrincipalInertia: zero,
  principalInertiaLocalFrame: () => ({ ...zero(), w: 1 }),
  effectiveAngularInertia: noInertia,
  effectiveWorldInvInertia: noInertia,
};
type MassMethod = keyof typeof NOTHING;

/** What {@link defineMass} gives a class. */
export type MassMethods = Pick<RigidBody, MassMethod>;

/** @param ask Asks the engine's body; `nothing` is the answer about one that was removed. */
export function defineMass<Body extends MassMethods>(
  prototype: Body,
  ask: (body: Body, question: (engine: EngineBody) => unknown, nothing: unknown) => unknown,
): void {
  for (const [name, nothing] of Object.entries(NOTHING)) {
    defineMethods(prototype, {
      [name](this: Body): unknown {
        return ask(this, (engine) => own(engine[name as MassMethod]()), nothing());
      },
    });
  }
}

/** A matrix of our class: the engine is another copy of that. */
const own = <T>(answer: T) =>
  typeof answer === 'object' && answer !== null && 'elements' in answer
    ? new SdpMatrix3(answer.elements as Float32Array)
    : answer;

/** The velocity of a point of a body. @param center Of its mass. */
export function velocityAt(point: Vector, center: Vector, v: Vector, w: Vector): Vector {
  const [rx, ry, rz] = [point.x - center.x, point.y - center.y, point.z - center.z];
  return {
    x: v.x + w.y * rz - w.z * ry,
    y: v.y + w.z * rx - w.x * rz,
    z: v.z + w.x * ry - w.y * rx,
  };
}
