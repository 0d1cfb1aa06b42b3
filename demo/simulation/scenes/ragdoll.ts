/** A jointed figure of eleven bodies. */
import type { RigidBody } from '@dimforge/rapier3d-simd-compat';
import type { Part, Rotation, Vector } from '../../contract/scene-contract.js';
import { COLOR } from '../palette.js';
import { ball, box, capsule } from '../shapes.js';
import { X, minus, plus, turned, xyz } from '../vectors.js';
import type { SceneKit } from './scene-kit.js';

export const RAGDOLL_BODIES = 11;
/** Limbs must be able to pass the trunk a little. */
const RAGDOLL_GROUP = 3;

/** How far a joint bends, in radians about x, from its position in an upright figure. */
type Hinge = readonly [min: number, max: number];

interface Limb {
  readonly part: Part;
  /** Middle of the body, in the figure's frame; its feet are at y = 0. */
  readonly at: Vector;
  readonly parent: number;
  /** Where it is joined to its parent, in the figure's frame. */
  readonly joint: Vector;
  readonly hinge: Hinge;
}

const WAIST: Hinge = [-0.3, 0.8];
const NECK: Hinge = [-0.5, 0.6];
const SHOULDER: Hinge = [-2.6, 0.8];
const ELBOW: Hinge = [-2.3, 0];
const HIP: Hinge = [-1.7, 0.5];
const KNEE: Hinge = [0, 2.2];

/** @param at Where its feet are. @returns Its bodies, pelvis first; they sleep until one is woken. */
export function addRagdoll(
  kit: SceneKit,
  at: Vector,
  rotation: Rotation,
  shirt: number,
): RigidBody[] {
  const bodies: RigidBody[] = [];
  const limbs = limbsOf(shirt);
  for (const limb of limbs) {
    const body = kit.add(limb.part, {
      position: plus(at, turned(rotation, limb.at)),
      rotation,
      density: 0.9,
      friction: 0.7,
      isAsleep: true,
      group: RAGDOLL_GROUP,
      extraIterations: 4,
      damping: [0.05, 0.6],
      // A whole figure may lie on one arm.
      hit: 'none',
    });
    const parent = bodies[limb.parent];
    const parentAt = limbs[limb.parent]?.at;
    if (parent && parentAt) join(kit, limb, body, parent, parentAt);
    bodies.push(body);
  }
  return bodies;
}

function join(
  kit: SceneKit,
  limb: Limb,
  body: RigidBody,
  parent: RigidBody,
  parentAt: Vector,
): void {
  const hinge = kit.rapier.JointData.revolute(
    xyz(minus(limb.joint, parentAt)),
    xyz(minus(limb.joint, limb.at)),
    xyz(X),
  );
  hinge.limitsEnabled = true;
  hinge.limits = [limb.hinge[0], limb.hinge[1]];
  // All before the joint is made: changing a body wakes those joined to it. Limbs are of one group
  // and do not collide anyhow.
  kit.physics.world.createImpulseJoint(hinge, parent, body, false);
}

function limbsOf(shirt: number): readonly Limb[] {
  const skin = COLOR.rose;
  const trousers = COLOR.slate;
  return [
    {
      part: box([0.34, 0.2, 0.22], trousers),
      at: [0, 0.98, 0],
      parent: -1,
      joint: [0, 0, 0],
      hinge: WAIST,
    },
    {
      part: box([0.4, 0.5, 0.24], shirt),
      at: [0, 1.35, 0],
      parent: 0,
      joint: [0, 1.09, 0],
      hinge: WAIST,
    },
    { part: ball(0.16, skin), at: [0, 1.8, 0], parent: 1, joint: [0, 1.63, 0], hinge: NECK },
    ...[-1, 1].flatMap((side): Limb[] => {
      const trunkSide = side < 0 ? 3 : 7;
      return [
        {
          part: capsule(0.065, 0.2, shirt),
          at: [side * 0.28, 1.4, 0],
          parent: 1,
          joint: [side * 0.27, 1.56, 0],
          hinge: SHOULDER,
        },
        {
          part: capsule(0.055, 0.2, skin),
          at: [side * 0.28, 1.09, 0],
          parent: trunkSide,
          joint: [side * 0.28, 1.24, 0],
          hinge: ELBOW,
        },
        {
          part: capsule(0.085, 0.26, trousers),
          at: [side * 0.11, 0.68, 0],
          parent: 0,
          joint: [side * 0.11, 0.88, 0],
          hinge: HIP,
        },
        {
          part: capsule(0.07, 0.28, skin),
          at: [side * 0.11, 0.25, 0],
          parent: trunkSide + 2,
          joint: [side * 0.11, 0.47, 0],
          hinge: KNEE,
        },
      ];
    }),
  ];
}
