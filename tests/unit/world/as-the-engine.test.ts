/** A world of the page takes the arguments that Rapier's own JavaScript takes, with the same effect. */
import { Euler, Quaternion, Vector3 } from 'three';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as page from '../../../src/world/page/index.js';
import type { Collider, RigidBody, World, WorldOptions } from '../../../src/world/page/index.js';
import { loadRapier } from '../../../src/rapier/rapier.js';
import { present } from '../../fixtures/present.js';
import { sceneIn } from '../../fixtures/world-scene.js';
import {
  NO_GRAVITY,
  advance,
  createEngineForTest,
  createWorldForTest,
} from '../../fixtures/worlds.js';

type Classes = typeof page;
const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const ORIGIN = at(0);
const UPRIGHT = { ...ORIGIN, w: 1 };

/** A world of the page and one of Rapier itself, with the classes of each. */
async function both(options: WorldOptions = {}) {
  const { rapier, engine } = await createEngineForTest();
  engine.gravity = at(0);
  const world = createWorldForTest({ ...NO_GRAVITY, ...options, queries: true });
  await world.ready;
  return {
    sides: [
      [world, page],
      [engine as never as World, rapier as never as Classes],
    ] as const,
    async step(): Promise<void> {
      engine.step();
      await advance(world, 1);
    },
  };
}

/** A ball that meets no other one. @param index Where it is. */
function ball(world: World, { ColliderDesc, RigidBodyDesc }: Classes, index = 0): RigidBody {
  const desc = RigidBodyDesc.dynamic()
    .setTranslation(0, 3 * index, 0)
    .setUserData(3 * index);
  const body = world.createRigidBody(desc);
  world.createCollider(ColliderDesc.ball(1), body);
  return body;
}

/** Rotations are published with other last bits. */
const numbersIn = (...values: readonly object[]) =>
  values.flatMap((value) =>
    Object.values<number>({ ...value }).map((number) => Math.round(1e4 * number) / 1e4 + 0),
  );
const poseOf = (body: RigidBody) => numbersIn(body.translation(), body.rotation());
const motionOf = (body: RigidBody) => [...poseOf(body), ...numbersIn(body.linvel(), body.angvel())];

type Flag = readonly [] | readonly [never];
const flags = (...values: unknown[]): Flag[] => [[], ...values.map((value) => [value] as [never])];
const FLAGS = flags(0, 1, 2, 0.5, 'x', '1', null, {}, true);

/** Calls with a `wakeUp`, which is left out in some. */
const WAKING: Readonly<Record<string, (body: RigidBody, ...wakeUp: [never]) => void>> = {
  setTranslation: (body, ...wake) => body.setTranslation(at(1, body.userData as number), ...wake),
  setRotation: (body, ...wake) => body.setRotation({ x: 1, y: 0, z: 0, w: 0 }, ...wake),
  setLinvel: (body, ...wake) => body.setLinvel(at(1), ...wake),
  setAngvel: (body, ...wake) => body.setAngvel(at(1), ...wake),
  applyImpulse: (body, ...wake) => body.applyImpulse(at(1), ...wake),
  applyTorqueImpulse: (body, ...wake) => body.applyTorqueImpulse(at(1), ...wake),
  applyImpulseAtPoint: (body, ...wake) =>
    body.applyImpulseAtPoint(at(1), { ...body.translation(), z: 1 }, ...wake),
  addForce: (body, ...wake) => body.addForce(at(1), ...wake),
  addTorque: (body, ...wake) => body.addTorque(at(1), ...wake),
  addForceAtPoint: (body, ...wake) => body.addForceAtPoint(at(1), body.translation(), ...wake),
  resetForces: (body, ...wake) => body.resetForces(...wake),
  resetTorques: (body, ...wake) => body.resetTorques(...wake),
  setGravityScale: (body, ...wake) => body.setGravityScale(2, ...wake),
  setBodyType: (body, ...wake) => body.setBodyType(3, ...wake),
  lockRotations: (body, ...wake) => body.lockRotations(true, ...wake),
  lockTranslations: (body, ...wake) => body.lockTranslations(true, ...wake),
  setEnabledRotations: (body, ...wake) => body.setEnabledRotations(true, false, true, ...wake),
  setEnabledTranslations: (body, ...wake) =>
    body.setEnabledTranslations(true, false, true, ...wake),
  setAdditionalMass: (body, ...wake) => body.setAdditionalMass(1, ...wake),
  setAdditionalMassProperties: (body, ...wake) =>
    body.setAdditionalMassProperties(1, ORIGIN, at(1, 1, 1), UPRIGHT, ...wake),
  // A setting that wakes nothing, before one that may.
  'enableCcd and setLinvel': (body, ...wake) => {
    body.enableCcd(true);
    body.setLinearDamping(1);
    body.setLinvel(at(1), ...wake);
  },
};

test('a wakeUp that is missing, or no boolean, wakes what it wakes in Rapier', async () => {
  const { sides, step } = await both();
  const calls = Object.values(WAKING).flatMap((call) => FLAGS.map((wake) => [call, wake] as const));
  const names = Object.keys(WAKING).flatMap((name) =>
    FLAGS.map((wake) => `${name} ${wake.join()}`),
  );
  const bodies = sides.map(([world, classes]) =>
    calls.map((_, index) => ball(world, classes, index)),
  );
  await step();
  for (const body of bodies.flat()) body.sleep();
  await step();
  for (const side of bodies) {
    for (const [index, [call, wake]] of calls.entries()) {
      call(side[index] as RigidBody, ...(wake as [never]));
    }
  }
  const compare = (read: (body: RigidBody) => unknown): void => {
    const [own, their] = bodies.map((side) =>
      side.map((body, index) => [names[index], read(body)]),
    );
    expect(own).toEqual(their);
  };
  await step();
  compare((body) => body.isSleeping());
  expect(new Set(bodies[0]?.map((body) => body.isSleeping()))).toEqual(new Set([true, false]));
  // A body that wakes has everything that it was given while it slept.
  for (const body of bodies.flat()) body.wakeUp();
  await step();
  compare(motionOf);
});

/** Calls without a `wakeUp`, or with another one. */
const OTHERS: Readonly<Record<string, (body: RigidBody) => void>> = {
  'setLinvel asleep': (body) => body.setLinvel(at(1), false),
  'applyImpulse asleep': (body) => body.applyImpulse(at(1), false),
  setNextKinematicTranslation: (body) =>
    body.setNextKinematicTranslation(at(2, body.userData as number)),
  setNextKinematicRotation: (body) => body.setNextKinematicRotation({ x: 0, y: 1, z: 0, w: 0 }),
  setFixed: (body) => body.setBodyType(1, true),
  setDynamic: (body) => body.setBodyType(0, true),
  'setDynamic asleep': (body) => body.setBodyType(0, false),
  setKinematic: (body) => body.setBodyType(2, true),
  disable: (body) => body.setEnabled(false),
  enable: (body) => body.setEnabled(true),
  setLinearDamping: (body) => body.setLinearDamping(2),
  recomputeMass: (body) => body.recomputeMassPropertiesFromColliders(),
  pushBack: (body) => body.applyImpulse(at(-1), true),
  stop: (body) => body.setLinvel(ORIGIN, true),
  sleep: (body) => body.sleep(),
  wakeUp: (body) => body.wakeUp(),
};

const STATES: Readonly<Record<string, (body: RigidBody) => void>> = {
  moving(body) {
    body.setLinvel(at(0, 1, 2), true);
    body.setAngvel(at(1, 2), true);
    body.addForce(at(0, 0, 1), true);
  },
  asleep: (body) => body.sleep(),
  kinematic: (body) => body.setBodyType(2, true),
  'kinematic, asleep'(body) {
    body.setBodyType(2, true);
    body.sleep();
  },
};

test('the calls of a turn on a body, or of a hook, act in their order, as in Rapier: all pairs, triples, and the same again', async () => {
  const { sides, step } = await both({ capacity: 8192 });
  const hooked = createWorldForTest({ ...NO_GRAVITY, transport: 'local', capacity: 8192 });
  const stepAll = () => Promise.all([step(), advance(hooked, 1)]);
  // Two settings are other names for two others.
  const { lockRotations: _, lockTranslations: __, ...waking } = WAKING;
  const calls = [
    ...Object.entries(waking).map(
      ([name, call]) => [name, (body: RigidBody) => call(body, true as never)] as const,
    ),
    ...Object.entries(OTHERS),
  ];
  // With one seed, because sums of 32 bits depend on how they are added.
  const sample = (minLength: number, maxLength: number, numRuns: number) =>
    fc.sample(fc.array(fc.constantFrom(...calls), { minLength, maxLength }), { seed: 1, numRuns });
  const named = [
    ['resetForces', 'addForce', 'resetTorques', 'addTorque', 'resetTorques'],
    ['applyImpulse asleep', 'pushBack', 'stop'],
  ];
  const orders = [
    ...named.map((order) => order.map((name) => present(calls.find(([own]) => own === name)))),
    ...calls.flatMap((first) => calls.map((second) => [first, second])),
    ...sample(3, 3, 20),
    // As in each frame of a pause.
    ...sample(2, 4, 60).map((frame) => Array.from({ length: 8 }, () => frame).flat()),
  ];
  const cases = Object.entries(STATES).flatMap(([state, prepare]) =>
    orders.filter(state.startsWith('kinematic') ? concernsKinematic : () => true).map((order) => ({
      text: `${state}: ${order.map(([name]) => name).join(', ')}`,
      prepare,
      order,
    })),
  );
  const bodies = [...sides, [hooked, page] as const].map(([world, classes]) =>
    cases.map((_case, index) => ball(world, classes, index)),
  );
  const all = (act: (body: RigidBody, index: number) => void) =>
    bodies.forEach((side) => side.forEach(act));
  await stepAll();
  all((body, index) => cases[index]?.prepare(body));
  await stepAll();
  const [own, their, ofHook] = bodies;
  const act = (body: RigidBody, index: number) =>
    cases[index]?.order.forEach(([, call]) => call(body));
  own?.forEach(act);
  their?.forEach(act);
  const removeHook = hooked.addStepHooks({ beforeStep: () => ofHook?.forEach(act) });
  type Read = (body: RigidBody, index: number) => readonly unknown[];
  const compare = (read: Read, of = bodies): void => {
    const [first, ...others] = of.map((side) =>
      side.map((body, index) => `${cases[index]?.text}: ${read(body, index).join()}`).join('\n'),
    );
    for (const other of others) expect(other).toBe(first);
  };
  // At once: a kinematic body is not yet where it was sent, and a fixed one is not woken.
  compare(
    (body, index) => [
      EXCEPTIONS.test(cases[index]?.text ?? '') || body.isSleeping(),
      ...poseOf(body),
      ...numbersIn(body.nextTranslation(), body.nextRotation()),
    ],
    bodies.slice(0, 2),
  );
  await stepAll();
  removeHook();
  compare((body) => [body.isSleeping(), body.bodyType(), ...motionOf(body)]);
  all((body) => {
    body.setBodyType(0, true);
    body.setEnabled(true);
    body.wakeUp();
  });
  await stepAll();
  await stepAll();
  compare(motionOf);
});

/** The engine itself wakes fixed bodies by these. */
const EXCEPTIONS = /setFixed.*(setGravityScale|reset)|applyImpulse asleep.*stop/;

const concernsKinematic = (order: readonly (readonly [name: string, ...unknown[]])[]) =>
  order.every(([name]) =>
    /Kinematic|Translation$|Rotation$|setBodyType|Fixed|Dynamic|sleep/.test(name),
  );

test('the wakeUp of a removal wakes, and sleepers have velocities, as in Rapier', async () => {
  const { sides, step } = await both();
  const cases = FLAGS.flatMap((wake) => [0, 1, 2].map((what) => [what, wake as [never]] as const));
  const scenes = sides.map(([world, classes]) =>
    cases.map(([what, wake], index) => {
      const bodies = Array.from({ length: 4 }, (_body, at4) =>
        ball(world, classes, 4 * index + at4),
      );
      const [body, other, third, fourth] = bodies as [RigidBody, RigidBody, RigidBody, RigidBody];
      const data = classes.JointData.spherical(at(0, 1.5), at(0, -1.5));
      const joint = world.createImpulseJoint(data, body, other, true);
      const multibody = world.createMultibodyJoint(data, third, fourth, true);
      const removals = [
        () => world.removeCollider(body.collider(0), ...wake),
        () => world.removeImpulseJoint(joint, ...wake),
        () => world.removeMultibodyJoint(multibody, ...wake),
      ];
      return { bodies, body, remove: removals[what] };
    }),
  );
  const compare = () => {
    const [own, their] = scenes.map((all) =>
      all.map(({ bodies }) =>
        bodies.map((body) => [body.isSleeping(), body.linvel(), body.angvel()]),
      ),
    );
    expect(rounded(own)).toEqual(rounded(their));
  };
  await step();
  for (const { body } of scenes.flat()) body.setLinvel(at(1, 2), true);
  for (const { bodies } of scenes.flat()) for (const body of bodies) body.sleep();
  compare();
  await step();
  compare();
  for (const { body } of scenes.flat()) body.setAngvel(at(1), false);
  compare();
  for (const { remove } of scenes.flat()) remove?.();
  await step();
  compare();
  const [woken] = scenes.map((all) =>
    all.map(({ bodies }) => bodies.some((each) => !each.isSleeping())),
  );
  expect(new Set(woken)).toEqual(new Set([true, false]));
});

test('velocities have impulses at once, as in Rapier, and a state does not add them again', async () => {
  const { sides, step } = await both();
  const bodies = sides.map(([world, { ColliderDesc, RigidBodyDesc }]) => {
    const turned = RigidBodyDesc.dynamic().setRotation({ x: 0.5, y: 0.5, z: -0.5, w: 0.5 });
    const desc = turned.setAngvel(at(1, 2, 3)).enabledTranslations(true, true, false);
    const body = world.createRigidBody(desc);
    world.createCollider(ColliderDesc.cuboid(1, 0.5, 0.2).setTranslation(0.3, 0, 0.1), body);
    return body;
  });
  const changes: readonly ((body: RigidBody) => void)[] = [
    (body) => body.applyImpulse(at(1, 2, 3), true),
    (body) => body.applyTorqueImpulse(at(0.1, 0.2, 0.3), true),
    (body) => body.applyImpulseAtPoint(at(0, 0.5, 0.25), at(1), true),
    (body) => body.setLinvel(at(4), true),
    (body) => body.applyImpulse(at(0, 1), false),
    (body) => body.setAngvel(at(0, 1), true),
    (body) => body.applyTorqueImpulse(at(0.1), false),
  ];
  const compare = () => {
    const [own, their] = bodies.map((body) => numbersIn(body.linvel(), body.angvel()));
    expect(own).toEqual(their);
  };
  await step();
  await step();
  for (const change of changes) {
    bodies.forEach(change);
    compare();
    // Each in another batch.
    await Promise.resolve();
  }
  await step();
  compare();
});

const settingsOf = (body: RigidBody) => {
  const collider = body.collider(0);
  return [
    [body.isEnabled(), body.isCcdEnabled(), body.bodyType(), body.dominanceGroup()],
    [body.gravityScale(), body.linearDamping(), body.angularDamping(), body.softCcdPrediction()],
    body.additionalSolverIterations(),
    [collider.isEnabled(), collider.isSensor(), collider.friction(), collider.restitution()],
    [collider.frictionCombineRule(), collider.collisionGroups(), collider.solverGroups()],
    [collider.activeEvents(), collider.activeHooks(), collider.activeCollisionTypes()],
    [collider.contactSkin(), collider.contactForceEventThreshold(), collider.radius()],
    collider.translationWrtParent(),
  ];
};

type Change = (body: RigidBody, collider: Collider, value: never) => void;
const ofValues = (values: readonly unknown[], changes: readonly Change[]) =>
  changes.flatMap((change) => values.map((value) => [change, value as never] as const));

const CHANGES = [
  ...ofValues(
    [undefined, ...FLAGS.flat()],
    [
      (body, _, value) => body.setEnabled(value),
      (body, _, value) => body.enableCcd(value),
      (body, _, value) => {
        body.lockRotations(value, true);
        body.setAngvel(at(1), true);
      },
      (body, _, value) => {
        body.setEnabledTranslations(value, value, true, true);
        body.setLinvel(at(1), true);
      },
      (_, collider, value) => collider.setSensor(value),
      (_, collider, value) => collider.setEnabled(value),
    ],
  ),
  ...ofValues(
    ['1.5', 1.5, true, null, ''],
    [
      (body, _, value) => body.setGravityScale(value, true),
      (body, _, value) => body.setLinearDamping(value),
      (body, _, value) => body.setBodyType(value, true),
      (body, _, value) => body.setDominanceGroup(value),
      (body, _, value) => body.setAdditionalSolverIterations(value),
      (body, _, value) => body.setLinvel({ x: value, y: 1, z: 0 }, true),
      (_, collider, value) => collider.setFriction(value),
      (_, collider, value) => collider.setFrictionCombineRule(value),
      (_, collider, value) => collider.setCollisionGroups(value),
      (_, collider, value) => collider.setActiveEvents(value),
      (_, collider, value) => collider.setRadius(value),
      (_, collider, value) => collider.setHalfHeight(value),
      (_, collider, value) => collider.setTranslationWrtParent({ x: 0, y: value, z: 0 }),
    ],
  ),
  ...ofValues(
    [-1, -1.5, 2 ** 32 + 5],
    [
      (_, collider, value) => collider.setCollisionGroups(value),
      (_, collider, value) => collider.setSolverGroups(value),
    ],
  ),
  ...ofValues([-2, '-2'], [(body, _, value) => body.setAngularDamping(value)]),
  ...ofValues(
    [new Vector3(1, 2, 3), new Euler(1, 2, 3), { x: '1', y: null, z: true }],
    [
      (body, _, value) => body.setAngvel(value, true),
      (body, _, value) => body.applyImpulse(value, true),
    ],
  ),
  ...ofValues(
    [new Quaternion(1, 0, 0, 1), { x: '1', y: null, z: 0, w: true }],
    [(body, _, value) => body.setRotation(value, true)],
  ),
];

test('a value of another type sets what it sets in Rapier', async () => {
  const { sides, step } = await both();
  const bodies = sides.map(([world, classes]) =>
    CHANGES.map((_, index) => ball(world, classes, index)),
  );
  await step();
  for (const side of bodies) {
    for (const [index, [change, value]] of CHANGES.entries()) {
      const body = side[index] as RigidBody;
      change(body, body.collider(0), value);
    }
  }
  await step();
  const [own, their] = bodies.map((side) =>
    side.map((body, index) => [String(CHANGES[index]), rounded(settingsOf(body)), motionOf(body)]),
  );
  expect(own).toEqual(their);
});

/** Numbers in 32 bits. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) =>
      typeof each === 'number' ? Math.fround(each) : each,
    ),
  );

// The walk of `edits.test.ts` has descriptions of the same version.
test('descriptions of another version of Rapier make what they make in Rapier', async () => {
  const older = await import('rapier3d-compat-0.19');
  const { rapier, engine } = await createEngineForTest();
  // As a world that has a rope.
  engine.numInternalPgsIterations = 4;
  // Rapier 0.19 has no such joint.
  const { revoluteWithAxes } = rapier.JointData;
  const JointData = Object.assign(Object.create(older.JointData) as object, { revoluteWithAxes });
  const world = createWorldForTest();
  const scenes = [
    [{ ...older, JointData } as never as Classes, world],
    [rapier as never as Classes, engine as never as World],
  ] as const;
  const bodies = scenes.map(([classes, side]) => {
    const desc = classes.RigidBodyDesc.dynamic()
      .setTranslation(0, 99, 0)
      .setAngvel(at(1, 2, 3));
    desc.setAdditionalMassProperties(2, at(0.1), at(1, 2, 3), UPRIGHT);
    const held = side.createRigidBody(desc.enabledRotations(false, true, true));
    const weight = classes.ColliderDesc.ball(0.1);
    side.createCollider(weight.setMassProperties(1, at(0.3), at(1, 2, 3), UPRIGHT), held);
    held.addTorque(at(1, 2, 3), true);
    return Object.entries({ ...sceneIn(classes, side).bodies, held });
  });
  for (let tick = 0; tick < 20; tick++) engine.step();
  await advance(world, 20);
  const [own, their] = bodies.map((side) => side.map(([name, body]) => [name, motionOf(body)]));
  expect(own).toEqual(their);
});

test("types of Rapier's own descriptions and shapes are those that a world takes", async () => {
  const older = await import('rapier3d-compat-0.19');
  const world = createWorldForTest();
  const bodies = [older, await loadRapier()].map(({ RigidBodyDesc, ColliderDesc }) => {
    const body = world.createRigidBody(RigidBodyDesc.fixed().setUserData(2));
    world.createCollider(ColliderDesc.ball(1), body);
    return body;
  });
  const [one, two] = bodies as [RigidBody, RigidBody];
  expect([one.isFixed(), two.isFixed(), one.userData]).toEqual([true, true, 2]);
  const data = older.JointData.spherical(at(1), at(-1));
  expect(world.createImpulseJoint(data, one, two, true).anchor1()).toEqual(at(1));
  expect(world.createMultibodyJoint(data, one, two, true).type()).toBe(5);
  const collider = one.collider(0);
  collider.setShape(new older.Capsule(1, 2));
  expect([collider.shapeType(), collider.halfHeight(), collider.radius()]).toEqual([2, 1, 2]);
  collider.setShape(older.ColliderDesc.ball(3));
  expect([collider.shapeType(), collider.radius()]).toEqual([0, 3]);
});
