/** A change wakes the sleeping bodies that it concerns, and no others. */
import { expect, test } from 'vitest';
import {
  ActiveHooks,
  ColliderDesc,
  Cuboid,
  JointData,
  RigidBodyDesc,
  RigidBodyType,
  type Collider,
  type ImpulseJoint,
  type MultibodyJoint,
  type RigidBody,
  type UnitImpulseJoint,
} from '../../../src/world/page/index.js';
import { addCar, POINTS } from '../../fixtures/cars.js';
import {
  RECORDED,
  addBody,
  advance,
  createWorldForTest,
  expectReplay,
  type WorldForTest,
} from '../../fixtures/worlds.js';

/** Until everything sleeps, and until what is woken has moved. */
const [REST, REACTION] = [180, 50];
const APART = 20;
const NONE = 0x00020000;
const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const ORIGIN = at(0);
const UPRIGHT = { ...ORIGIN, w: 1 };
const TILTED = { ...at(0, 0, 0.6), w: 0.8 };
const BOX = () => ColliderDesc.cuboid(0.5, 0.5, 0.5);

/** A box that sleeps on a support. */
interface Scene {
  readonly world: WorldForTest;
  readonly x: number;
  readonly support: RigidBody;
  readonly below: Collider;
  readonly box: RigidBody;
  readonly own: Collider;
}

const SUPPORTS = {
  fixed: () => RigidBodyDesc.fixed(),
  kinematic: () => RigidBodyDesc.kinematicPositionBased(),
  dynamic: () => RigidBodyDesc.dynamic(),
} as const;
type SupportType = keyof typeof SUPPORTS;

function stack(world: WorldForTest, x: number, type: SupportType): Scene {
  if (type === 'dynamic') {
    world.createCollider(ColliderDesc.cuboid(2, 0.5, 2).setTranslation(x, -1.5, 0));
  }
  const support = addBody(world, [x, -0.5, 0], ColliderDesc.cuboid(1, 0.5, 1), SUPPORTS[type]());
  const box = addBody(world, [x, 0.5, 0], BOX());
  return { world, x, support, below: support.collider(0), box, own: box.collider(0) };
}

type Join<J> = (world: WorldForTest, support: RigidBody, box: RigidBody) => J;
/** A box that hangs on a support. */
const hangingBy =
  <J>(join: Join<J>) =>
  (world: WorldForTest, x: number) => {
    const support = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(x, 0, 0));
    const box = addBody(world, [x, -1, 0], ColliderDesc.ball(0.2));
    return { world, x, support, box, joint: join(world, support, box) };
  };

/** Changes of a support after which the box on it falls or is pushed. */
const OF_SUPPORT: Readonly<Record<string, (scene: Scene) => void>> = {
  'is removed': ({ world, support }) => world.removeRigidBody(support),
  'loses its collider': ({ world, below }) => world.removeCollider(below, false),
  'gets another shape': ({ below }) => below.setShape(new Cuboid(0.2, 0.1, 1)),
  'gets other half extents': ({ below }) => below.setHalfExtents(at(1, 0.2, 1)),
  grows: ({ below }) => below.setHalfExtents(at(1, 0.8, 1)),
  'is teleported': ({ support, x }) => support.setTranslation(at(x, -9), true),
  'is teleported without being woken': ({ support, x }) => support.setTranslation(at(x, -9), false),
  turns: ({ support }) => support.setRotation(TILTED, true),
  'moves its collider': ({ below }) => below.setTranslationWrtParent(at(5)),
  'turns its collider': ({ below }) => below.setRotationWrtParent(TILTED),
  'is disabled': ({ support }) => support.setEnabled(false),
  'has its collider disabled': ({ below }) => below.setEnabled(false),
  'becomes a sensor': ({ below }) => below.setSensor(true),
  'gets other groups': ({ below }) => below.setCollisionGroups(NONE),
  'gets other solver groups': ({ below }) => below.setSolverGroups(NONE),
  'becomes passable': ({ below }) => below.setOneWay({ axis: at(0, -1) }),
  'gets a skin': ({ below }) => below.setContactSkin(0.2),
  'lets go, by a joint': ({ world, support, box }) => {
    const joint = world.createImpulseJoint(JointData.rope(3, ORIGIN, ORIGIN), support, box, true);
    joint.setContactsEnabled(false);
  },
};

const HINGE = JointData.revolute(ORIGIN, at(0, 1), at(0, 0, 1));
const SLIDER = JointData.prismatic(ORIGIN, at(0, 1), at(0, 1));
Object.assign(SLIDER, { limitsEnabled: true, limits: [0, 0.1] });
const FIXED = JointData.fixed(at(0, -1), UPRIGHT, ORIGIN, UPRIGHT);
const byUnit =
  (data: JointData): Join<UnitImpulseJoint> =>
  (world, ...bodies) =>
    world.createImpulseJoint(data, ...bodies, true) as UnitImpulseJoint;
const byFixed: Join<ImpulseJoint> = (world, ...bodies) =>
  world.createImpulseJoint(FIXED, ...bodies, true);
const byMultibody: Join<MultibodyJoint> = (world, ...bodies) =>
  world.createMultibodyJoint(HINGE, ...bodies, true);

/** A box that rests on what it is joined to. */
function tied(world: WorldForTest, x: number) {
  const scene = stack(world, x, 'fixed');
  const rope = JointData.rope(3, ORIGIN, ORIGIN);
  return { ...scene, joint: world.createImpulseJoint(rope, scene.support, scene.box, true) };
}

/** A car on a support, which its wheels do not touch. */
function park(world: WorldForTest, x: number) {
  const support = addBody(world, [x, -0.5, 0], ColliderDesc.cuboid(3, 0.5, 3), SUPPORTS.fixed());
  const { chassis: box, vehicle } = addCar(world, [x, 0.9, 0]);
  return { world, x, support, box, vehicle };
}
const eachWheel = (change: (wheel: number) => void): void =>
  POINTS.forEach((_, index) => change(index));

type Case = readonly [
  name: string,
  make: (world: WorldForTest, x: number) => [RigidBody, () => void],
];
const cases = <S extends { readonly box: RigidBody }>(
  what: string,
  make: (world: WorldForTest, x: number) => S,
  changes: Readonly<Record<string, (scene: S) => void>>,
): Case[] =>
  Object.entries(changes).map(([name, change]) => [
    `${what} ${name}`,
    (world, x) => {
      const scene = make(world, x);
      return [scene.box, () => change(scene)];
    },
  ]);
const on = (type: SupportType) => (world: WorldForTest, x: number) => stack(world, x, type);

const CASES: readonly Case[] = [
  ...cases('a fixed support', on('fixed'), {
    ...OF_SUPPORT,
    'becomes dynamic': ({ support }) => support.setBodyType(RigidBodyType.Dynamic, true),
    'becomes dynamic without being woken': ({ support }) =>
      support.setBodyType(RigidBodyType.Dynamic, false),
    'keeps to itself': ({ below, own }) => {
      for (const collider of [below, own]) collider.setActiveCollisionTypes(0);
    },
  }),
  ...cases('a kinematic support', on('kinematic'), {
    ...OF_SUPPORT,
    'is moved': ({ support, x }) => support.setNextKinematicTranslation(at(x, -0.8)),
    'gets a velocity': ({ support }) => {
      support.setBodyType(RigidBodyType.KinematicVelocityBased, true);
      support.setLinvel(at(0, -0.3), true);
    },
  }),
  ...cases('a dynamic support', on('dynamic'), {
    ...OF_SUPPORT,
    'gets a push': ({ support }) => support.applyImpulse(at(40), true),
    'is dominated': ({ box }) => box.setDominanceGroup(3),
  }),
  ...cases('a box', on('fixed'), {
    shrinks: ({ own }) => own.setHalfExtents(at(0.2, 0.2, 0.2)),
    grows: ({ own }) => own.setHalfExtents(at(0.8, 0.8, 0.8)),
    'becomes a sensor': ({ own }) => own.setSensor(true),
    'is in other groups': ({ own }) => own.setCollisionGroups(NONE),
    'is in other solver groups': ({ own }) => own.setSolverGroups(NONE),
    'has its collider moved': ({ own }) => own.setTranslationWrtParent(at(1.2)),
    'gets a joint': ({ world, support, box }) => {
      const data = JointData.rope(0.5, ORIGIN, ORIGIN);
      world.createImpulseJoint(data, support, box, false).setContactsEnabled(false);
    },
    'gets another collider': ({ world, box }) =>
      void world.createCollider(BOX().setTranslation(3, 3, 0), box),
    'is pushed aside by a new collider': ({ world, x }) =>
      void world.createCollider(BOX().setTranslation(x + 0.8, 0.5, 0)),
    'is pushed aside by a new body': ({ world, x }) =>
      void addBody(world, [x + 0.8, 0.5, 0], BOX(), SUPPORTS.kinematic()),
    'is pushed': ({ box }) => box.applyImpulse(at(9), true),
    'is drawn by a new joint': ({ world, support, box }) => {
      const data = JointData.spherical(at(0, 3), ORIGIN);
      world.createImpulseJoint(data, support, box, true);
    },
  }),
  ...cases('a revolute joint', hangingBy(byUnit(HINGE)), {
    'is removed': ({ world, joint }) => world.removeImpulseJoint(joint, true),
    'gets another anchor': ({ joint }) => joint.setAnchor1(at(0, 1)),
    'gets a motor with a speed': ({ joint }) => joint.configureMotorVelocity(5, 10),
    'gets a motor with a target': ({ joint }) => joint.configureMotorPosition(1.5, 100, 10),
    'gets limits': ({ joint }) => joint.setLimits(0.5, 1),
    'loses its other body': ({ world, support }) => world.removeRigidBody(support),
    'has its other body moved': ({ support, x }) => support.setTranslation(at(x, 1), false),
    'has its other body disabled': ({ support }) => support.setEnabled(false),
  }),
  ...cases('a prismatic joint', hangingBy(byUnit(SLIDER)), {
    'gets wider limits': ({ joint }) => joint.setLimits(-1, 1),
    'gets a motor': ({ joint }) => joint.configureMotorPosition(0.1, 1000, 10),
  }),
  ...cases('a fixed joint', hangingBy(byFixed), {
    'gets another frame': ({ joint }) => joint.setFrameX1(TILTED),
    'gets another anchor': ({ joint }) => joint.setAnchor1(ORIGIN),
  }),
  ...cases('a rope', tied, {
    'lets its bodies pass': ({ joint }) => joint.setContactsEnabled(false),
  }),
  ...cases('a multibody joint', hangingBy(byMultibody), {
    'is removed': ({ world, joint }) => world.removeMultibodyJoint(joint, true),
    'loses its other body': ({ world, support }) => world.removeRigidBody(support),
  }),
  ...cases('a car', park, {
    'drives back': ({ vehicle }) => eachWheel((wheel) => vehicle.setWheelEngineForce(wheel, -900)),
    'loses its ground': ({ world, support }) => world.removeRigidBody(support),
    'has its ground shrink': ({ support }) => support.collider(0).setHalfExtents(at(3, 0.2, 3)),
    'gets softer springs': ({ vehicle }) =>
      eachWheel((wheel) => vehicle.setWheel(wheel, { suspensionStiffness: 15 })),
  }),
];

const poseOf = (body: RigidBody): number[] => {
  const [{ x, y, z }, q] = [body.translation(), body.rotation()];
  return [x, y, z, q.x, q.y, q.z, q.w];
};
const hasMoved = (body: RigidBody, [...before]: readonly number[]): boolean =>
  poseOf(body).some((value, index) => Math.abs(value - (before[index] as number)) > 0.05);

test('a change wakes what it concerns, and nothing else', async () => {
  const world = createWorldForTest({ ...RECORDED, capacity: 1024 });
  const scenes = CASES.map(([name, make], index) => {
    const [box, change] = make(world, 2 * APART * index);
    return { name, box, change };
  });
  const besides = CASES.map((_, index) => stack(world, 2 * APART * index + APART, 'fixed').box);
  await advance(world, REST);
  const before = new Map(scenes.map(({ box }) => [box, poseOf(box)]));
  expect(scenes.filter(({ box }) => !box.isSleeping()).map(({ name }) => name)).toEqual([]);
  for (const { change } of scenes) change();
  await advance(world, REACTION);
  // Whatever was woken is awake for longer.
  expect(besides.filter((box) => !box.isSleeping())).toEqual([]);
  const still = scenes.filter(({ box }) => !hasMoved(box, before.get(box) ?? []));
  expect(still.map(({ name }) => name)).toEqual([]);
  // From a state of the second before the change.
  await expectReplay(world, REST + REACTION, 60 + REACTION);
});

test('what concerns nothing wakes nothing', async () => {
  const world = createWorldForTest();
  const scene = stack(world, 0, 'kinematic');
  const { x, y, z } = world.gravity;
  const { box, own, support } = scene;
  const sensor = world.createCollider(BOX().setSensor(true).setTranslation(0, 9, 0));
  await advance(world, REST);
  world.gravity = { x, y, z };
  own.setContactForceEventThreshold(3);
  own.setActiveEvents(0);
  box.setGravityScale(2, false);
  box.addForce(at(9), false);
  sensor.setTranslation(at(0, 0.5));
  world.createImpulseJoint(JointData.spherical(ORIGIN, ORIGIN), support, box, false);
  world.createCollider(BOX().setTranslation(0, 5, 0));
  await advance(world, 1);
  expect(box.isSleeping()).toBe(true);
});

const GRAVITY: Readonly<Record<string, (world: WorldForTest, tick: number) => void>> = {
  'the page': (world) => (world.gravity = at(0, 9.81)),
  'the page, in place': (world) => (world.gravity.y *= -1),
  'a system': (world, tick) => void world.system('gravity', { at: tick }),
};
test.each(Object.entries(GRAVITY))(
  'gravity of %s wakes what it pulls, also after the run has gone back',
  async (_, turn) => {
    const world = createWorldForTest(RECORDED);
    const { box } = stack(world, 0, 'dynamic');
    const free = addBody(world, [5, 0, 0], BOX(), RigidBodyDesc.dynamic().setGravityScale(0));
    await advance(world, REST);
    turn(world, REST + 1);
    await advance(world, REACTION);
    const turned = poseOf(box);
    expect(box.translation().y).toBeGreaterThan(2);
    expect(free.isSleeping()).toBe(true);
    const handle = await world.ready;
    // From the state of the second before.
    await handle.seek(REST + REACTION - 1);
    await advance(world, 1);
    expect(poseOf(box)).toEqual(turned);
  },
);

test('a filter that is new, answers otherwise, or is gone wakes what it is asked about', async () => {
  const world = createWorldForTest({ capacity: 64 });
  const scenes = [0, 1, 2].map((index) => stack(world, index * APART, 'fixed'));
  const [first, second, other] = scenes as [Scene, Scene, Scene];
  for (const { own } of [first, second]) own.setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS);
  const bodiesOf = ({ box, support }: Scene) => [box.handle, support.handle];
  await advance(world, REST);
  const apart = world.system('apart', { bodies: bodiesOf(first) });
  await advance(world, 20);
  expect(first.box.translation().y).toBeLessThan(0.4);
  expect(second.box.translation().y).toBeGreaterThan(0.4);
  await advance(world, REST);
  apart.set({ bodies: bodiesOf(second) });
  await advance(world, 20);
  expect(second.box.translation().y).toBeLessThan(0.4);
  expect(other.box.isSleeping()).toBe(true);
  // The body is pushed out of what it is in.
  world.removeSystem(apart);
  await advance(world, 1);
  expect(second.box.linvel().y).toBeGreaterThan(-1);
});
