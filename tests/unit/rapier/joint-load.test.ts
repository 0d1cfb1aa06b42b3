/** The load of joints, read from the memory of each build of the engine, against loads that are known. */
import { expect, test, vi } from 'vitest';
import { ofBuild } from '../../../bench/engines/load-rapier.js';
import { startWatched } from '../../../src/rapier/engine-memory.js';
import { loadOf } from '../../../src/rapier/joint-load.js';
import { impulsesIn, jointMemoryOf } from '../../../src/rapier/joint-memory.js';
import type { Rapier } from '../../../src/rapier/rapier-builds.js';
import { loadRapier } from '../../../src/rapier/rapier.js';
import {
  cross,
  dot,
  inverse,
  plus,
  product,
  rotated,
  scaled,
  unit,
  ZERO,
  type Rotation,
  type Vector,
} from '../../../src/shared/util/vectors.js';
import { seededRandom } from '../../fixtures/seeded-random.js';

const UPRIGHT = { x: 0, y: 0, z: 0, w: 1 };

type World = InstanceType<Rapier['World']>;
type ImpulseJoint = InstanceType<Rapier['ImpulseJoint']>;

/** The load of a joint, in N and N m. */
function readLoad(rapier: Rapier, world: World, joint: ImpulseJoint) {
  const impulses = impulsesIn(world, jointMemoryOf(rapier))(joint.handle);
  if (impulses.length === 0) throw new Error('there is no such joint');
  return loadOf(world, joint, impulses);
}

const random = seededRandom(11);
const direction = (): Vector => {
  const [x, y, z] = [random() - 0.5, random() - 0.5, random() - 0.5];
  return unit({ x, y, z });
};
const turn = (): Rotation => {
  const [axis, angle] = [direction(), random() * 3];
  return { ...scaled(axis, Math.sin(angle / 2)), w: Math.cos(angle / 2) };
};
const across = (vector: Vector, axis: Vector): Vector => plus(vector, axis, -dot(vector, axis));

interface Case {
  readonly kind: 'fixed' | 'spherical' | 'revolute' | 'prismatic' | 'generic';
  readonly mass: number;
  readonly rateHz: number;
  readonly iterations: number;
  /** Mass of the other body, which the ground holds. Undefined: the other one is the ground. */
  readonly other?: number;
  readonly build?: keyof typeof ofBuild;
}

const CASES: readonly Case[] = [
  { kind: 'fixed', mass: 1, rateHz: 60, iterations: 4 },
  { kind: 'fixed', mass: 0.1, rateHz: 30, iterations: 16, build: 'compat' },
  { kind: 'fixed', mass: 100, rateHz: 120, iterations: 4, other: 1000 },
  { kind: 'spherical', mass: 100, rateHz: 30, iterations: 1 },
  { kind: 'spherical', mass: 1, rateHz: 60, iterations: 4, other: 0.1 },
  { kind: 'revolute', mass: 1, rateHz: 30, iterations: 4, build: 'deterministic' },
  { kind: 'revolute', mass: 0.1, rateHz: 120, iterations: 2 },
  { kind: 'prismatic', mass: 100, rateHz: 60, iterations: 8 },
  { kind: 'prismatic', mass: 0.1, rateHz: 60, iterations: 4, other: 1 },
  { kind: 'generic', mass: 1, rateHz: 120, iterations: 4 },
  { kind: 'generic', mass: 100, rateHz: 30, iterations: 16, other: 1000 },
];

/** A body on a joint, both turned at random, with a force through the joint, a torque, or both. */
function loaded(rapier: Rapier, { kind, mass, rateHz, iterations, other }: Case, part: number) {
  const { JointData, RigidBodyDesc, ColliderDesc } = rapier;
  const world = new rapier.World(ZERO);
  world.timestep = 1 / rateHz;
  world.numSolverIterations = iterations;
  const [turned1, turned2, frame, pull] = [turn(), turn(), turn(), direction()];
  const axis = rotated(frame, { x: 1, y: 0, z: 0 });
  const anchor = scaled(direction(), 0.1);
  // A body that turns freely hangs in the direction of its load.
  const center = kind === 'fixed' || kind === 'prismatic' ? direction() : plus(anchor, pull, 0.6);
  const shape = ColliderDesc.cuboid(0.3, 0.4, 0.2).setCollisionGroups(0);
  let first = world.createRigidBody(RigidBodyDesc.fixed().setRotation(turned1));
  if (other !== undefined) {
    const ground = first;
    first = world.createRigidBody(RigidBodyDesc.dynamic().setRotation(turned1));
    world.createCollider(shape.setMass(other), first);
    world.createImpulseJoint(JointData.fixed(ZERO, UPRIGHT, ZERO, UPRIGHT), ground, first, true);
  }
  const desc = RigidBodyDesc.dynamic().setRotation(turned2).setAngularDamping(5).setCanSleep(false);
  const body = world.createRigidBody(desc.setTranslation(center.x, center.y, center.z));
  world.createCollider(shape.setMass(mass), body);
  const frame1 = product(inverse(turned1), frame);
  const { w, ...v } = product(inverse(turned2), frame);
  // The same rotation, with either sign.
  const frame2 = random() < 0.5 ? { ...v, w } : { ...scaled(v, -1), w: -w };
  const anchor1 = rotated(inverse(turned1), anchor);
  const anchor2 = rotated(inverse(turned2), plus(anchor, center, -1));
  const along = { x: 1, y: 0, z: 0 };
  const data = {
    fixed: () => JointData.fixed(anchor1, frame1, anchor2, frame2),
    spherical: () => JointData.spherical(anchor1, anchor2),
    revolute: () => JointData.revolute(anchor1, anchor2, along),
    prismatic: () => JointData.prismatic(anchor1, anchor2, along),
    generic: () => JointData.generic(anchor1, anchor2, along, 0b110_111 as number as never),
  }[kind]();
  const joint = world.createImpulseJoint(data, first, body, true);
  if (kind !== 'fixed') {
    joint.setFrameX1(frame1);
    joint.setFrameX2(frame2);
  }
  let force = part === 1 ? ZERO : scaled(pull, 10 * mass);
  let torque = part === 0 || kind === 'spherical' ? ZERO : scaled(direction(), 0.2 * mass);
  if (kind === 'prismatic') force = across(force, axis);
  if (kind === 'revolute' || kind === 'generic') torque = across(torque, axis);
  body.addForce(force, true);
  body.addTorque(plus(torque, cross(plus(anchor, center, -1), force)), true);
  return {
    world,
    joint,
    force: Math.sqrt(dot(force, force)),
    torque: Math.sqrt(dot(torque, torque)),
  };
}

/** Rounds of loads along random directions and about random axes, alone and together. */
const ROUNDS = 9;

test.each(CASES)(
  'the load in any direction is known: $kind, $mass kg, $rateHz Hz, $iterations iterations, other body $other',
  async (row) => {
    const rapier = await ofBuild[row.build ?? 'simd'].loadRapier();
    const errors = Array.from({ length: ROUNDS }, (_, round) => {
      const { world, joint, force, torque } = loaded(rapier, row, round % 3);
      for (let tick = 0; tick < row.rateHz / 2; tick++) world.step();
      const load = readLoad(rapier, world, joint);
      world.free();
      // The lever of a force is about 1 m.
      const full = Math.max(force, torque) || 1;
      return Math.max(Math.abs(load.force - force), Math.abs(load.torque - torque)) / full;
    });
    // Two bodies take longer to come to rest.
    expect(Math.max(...errors)).toBeLessThan(row.other === undefined ? 0.01 : 0.03);
  },
);

/** A body of 1 kg that a joint of the ground holds. */
async function hanging(
  data: (kinds: Rapier['JointData']) => ReturnType<Rapier['JointData']['rope']>,
) {
  const rapier = await loadRapier();
  const world = new rapier.World({ x: 0, y: -10, z: 0 });
  const ground = world.createRigidBody(rapier.RigidBodyDesc.fixed());
  const desc = rapier.RigidBodyDesc.dynamic().setLinearDamping(5).setCanSleep(false);
  const body = world.createRigidBody(desc.setTranslation(0, -1, 0));
  world.createCollider(rapier.ColliderDesc.ball(0.2).setMass(1), body);
  const joint = world.createImpulseJoint(data(rapier.JointData), ground, body, true);
  return { rapier, world, joint };
}

const UP = { x: 0, y: 1, z: 0 };

test.each([
  ['a rope', (kinds: Rapier['JointData']) => kinds.rope(1, ZERO, ZERO)],
  ['a spring', (kinds: Rapier['JointData']) => kinds.spring(1, 100, 5, ZERO, ZERO)],
] as const)('the load of %s is what it holds', async (_, data) => {
  const { rapier, world, joint } = await hanging(data);
  for (let tick = 0; tick < 240; tick++) world.step();
  const { force, torque } = readLoad(rapier, world, joint);
  expect(force).toBeCloseTo(10, 2);
  expect(torque).toBe(0);
  world.free();
});

test('the joints of a chain carry what hangs on them, also when others were removed', async () => {
  const rapier = await loadRapier();
  const { RigidBodyDesc, JointData } = rapier;
  const world = new rapier.World({ x: 0, y: -10, z: 0 });
  const place = (y: number, mass: number, desc = RigidBodyDesc.dynamic().setCanSleep(false)) =>
    world.createRigidBody(desc.setTranslation(0, y, 0).setAdditionalMass(mass));
  let last = place(0, 0, RigidBodyDesc.fixed());
  const decoys: ImpulseJoint[] = [];
  const joints = Array.from({ length: 10 }, (_, index) => {
    const body = place(-1 - index, index === 9 ? 5 : 1);
    const data = JointData.spherical(ZERO, UP);
    decoys.push(world.createImpulseJoint(JointData.rope(99, ZERO, ZERO), last, body, true));
    const joint = world.createImpulseJoint(data, last, body, true);
    last = body;
    return joint;
  });
  for (const decoy of decoys) world.removeImpulseJoint(decoy, true);
  for (let tick = 0; tick < 300; tick++) world.step();
  for (const [index, joint] of joints.entries()) {
    const weight = 10 * (5 + 9 - index);
    expect(readLoad(rapier, world, joint).force / weight).toBeCloseTo(1, 2);
  }
  world.free();
});

test('an engine that keeps its joints in another way is refused', async () => {
  const older = { ...(await import('rapier3d-compat-0.19')) };
  // The loader of this build is written in an older way.
  vi.spyOn(console, 'warn').mockReturnValue();
  await startWatched(older);
  expect(() => jointMemoryOf(older as unknown as Rapier)).toThrow(
    'joints cannot break with this build of Rapier 0.19.2',
  );
});
