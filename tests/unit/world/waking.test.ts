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
const ORIGIN = { x: 0, y: 0, z: 0 };
const UPRIGHT = { ...ORIGIN, w: 1 };
const BOX = () => ColliderDesc.cuboid(0.5, 0.5, 0.5);

/** A box that sleeps on a support, or that hangs on one by a joint. */
interface Scene {
  readonly world: WorldForTest;
  readonly x: number;
  readonly support: RigidBody;
  readonly below: Collider;
  readonly box: RigidBody;
  readonly own: Collider;
}

type Hung<J> = Omit<Scene, 'below' | 'own'> & { readonly joint: J };

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

function hang<J>(
  world: WorldForTest,
  x: number,
  join: (world: WorldForTest, anchor: RigidBody, box: RigidBody) => J,
): Hung<J> {
  const support = world.createRigidBody(RigidBodyDesc.fixed().setTranslation(x, 0, 0));
  const box = addBody(world, [x, -1, 0], ColliderDesc.ball(0.2));
  return { world, x, support, box, joint: join(world, support, box) };
}

/** Changes of the support after which the box falls or is pushed. */
const OF_SUPPORT: Readonly<Record<string, (scene: Scene) => void>> = {
  'is removed': ({ world, support }) => world.removeRigidBody(support),
  'loses its collider': ({ world, below }) => world.removeCollider(below, false),
  'gets another shape': ({ below }) => below.setShape(new Cuboid(0.2, 0.1, 1)),
  'gets other half extents': ({ below }) => below.setHalfExtents({ x: 1, y: 0.2, z: 1 }),
  grows: ({ below }) => below.setHalfExtents({ x: 1, y: 0.8, z: 1 }),
  'is teleported': ({ support, x }) => support.setTranslation({ x, y: -9, z: 0 }, true),
  'is teleported without being woken': ({ support, x }) =>
    support.setTranslation({ x, y: -9, z: 0 }, false),
  turns: ({ support }) => support.setRotation({ x: 0, y: 0, z: 0.6, w: 0.8 }, true),
  'moves its collider': ({ below }) => below.setTranslationWrtParent({ x: 5, y: 0, z: 0 }),
  'turns its collider': ({ below }) => below.setRotationWrtParent({ x: 0, y: 0, z: 0.6, w: 0.8 }),
  'is disabled': ({ support }) => support.setEnabled(false),
  'has its collider disabled': ({ below }) => below.setEnabled(false),
  'becomes a sensor': ({ below }) => below.setSensor(true),
  'gets other groups': ({ below }) => below.setCollisionGroups(NONE),
  'gets other solver groups': ({ below }) => below.setSolverGroups(NONE),
  'becomes passable': ({ below }) => below.setOneWay({ axis: { x: 0, y: -1, z: 0 } }),
  'gets a skin': ({ below }) => below.setContactSkin(0.2),
  'lets go, by a joint': ({ world, support, box }) => {
    const joint = world.createImpulseJoint(JointData.rope(3, ORIGIN, ORIGIN), support, box, true);
    joint.setContactsEnabled(false);
  },
};
const OF_FIXED: Readonly<Record<string, (scene: Scene) => void>> = {
  'becomes dynamic': ({ support }) => support.setBodyType(RigidBodyType.Dynamic, true),
  'becomes dynamic without being woken': ({ support }) =>
    support.setBodyType(RigidBodyType.Dynamic, false),
  'keeps to itself': ({ below, own }) => {
    for (const collider of [below, own]) collider.setActiveCollisionTypes(0);
  },
};
const OF_KINEMATIC: Readonly<Record<string, (scene: Scene) => void>> = {
  'is moved': ({ support, x }) => support.setNextKinematicTranslation({ x, y: -0.8, z: 0 }),
  'gets a velocity': ({ support }) => {
    support.setBodyType(RigidBodyType.KinematicVelocityBased, true);
    support.setLinvel({ x: 0, y: -0.3, z: 0 }, true);
  },
};
const OF_DYNAMIC: Readonly<Record<string, (scene: Scene) => void>> = {
  'gets a push': ({ support }) => support.applyImpulse({ x: 40, y: 0, z: 0 }, true),
  'is dominated': ({ box }) => box.setDominanceGroup(3),
};
/** Changes of the box itself. */
const OF_BOX: Readonly<Record<string, (scene: Scene) => void>> = {
  shrinks: ({ own }) => own.setHalfExtents({ x: 0.2, y: 0.2, z: 0.2 }),
  grows: ({ own }) => own.setHalfExtents({ x: 0.8, y: 0.8, z: 0.8 }),
  'becomes a sensor': ({ own }) => own.setSensor(true),
  'is in other groups': ({ own }) => own.setCollisionGroups(NONE),
  'is in other solver groups': ({ own }) => own.setSolverGroups(NONE),
  'has its collider moved': ({ own }) => own.setTranslationWrtParent({ x: 1.2, y: 0, z: 0 }),
  'gets a joint': ({ world, support, box }) => {
    const data = JointData.rope(0.5, ORIGIN, ORIGIN);
    world.createImpulseJoint(data, support, box, false).setContactsEnabled(false);
  },
  'gets another collider': ({ world, box }) =>
    void world.createCollider(BOX().setTranslation(3, 3, 0), box),
  'is pushed aside by a new collider': ({ world, x }) =>
    void world.createCollider(BOX().setTranslation(x + 0.8, 0.5, 0)),
  'is pushed aside by a new body': ({ world, x }) =>
    void addBody(world, [x + 0.8, 0.5, 0], BOX(), RigidBodyDesc.kinematicPositionBased()),
  'is pushed': ({ box }) => box.applyImpulse({ x: 9, y: 0, z: 0 }, true),
  'is drawn by a new joint': ({ world, support, box }) => {
    const data = JointData.spherical({ x: 0, y: 3, z: 0 }, ORIGIN);
    world.createImpulseJoint(data, support, box, true);
  },
};

const HINGE = JointData.revolute(ORIGIN, { x: 0, y: 1, z: 0 }, { x: 0, y: 0, z: 1 });
const revolute = (world: WorldForTest, anchor: RigidBody, box: RigidBody) =>
  world.createImpulseJoint(HINGE, anchor, box, true) as UnitImpulseJoint;
const OF_REVOLUTE: Readonly<Record<string, (hung: Hung<UnitImpulseJoint>) => void>> = {
  'is removed': ({ world, joint }) => world.removeImpulseJoint(joint, true),
  'gets another anchor': ({ joint }) => joint.setAnchor1({ x: 0, y: 1, z: 0 }),
  'gets a motor with a speed': ({ joint }) => joint.configureMotorVelocity(5, 10),
  'gets a motor with a target': ({ joint }) => joint.configureMotorPosition(1.5, 100, 10),
  'gets limits': ({ joint }) => joint.setLimits(0.5, 1),
  'loses its other body': ({ world, support }) => world.removeRigidBody(support),
  'has its other body moved': ({ support, x }) => support.setTranslation({ x, y: 1, z: 0 }, false),
  'has its other body disabled': ({ support }) => support.setEnabled(false),
};

const prismatic = (world: WorldForTest, anchor: RigidBody, box: RigidBody) => {
  const data = JointData.prismatic(ORIGIN, { x: 0, y: 1, z: 0 }, { x: 0, y: 1, z: 0 });
  data.limitsEnabled = true;
  data.limits = [0, 0.1];
  return world.createImpulseJoint(data, anchor, box, true) as UnitImpulseJoint;
};
const OF_PRISMATIC: Readonly<Record<string, (hung: Hung<UnitImpulseJoint>) => void>> = {
  'gets wider limits': ({ joint }) => joint.setLimits(-1, 1),
  'gets a motor': ({ joint }) => joint.configureMotorPosition(0.1, 1000, 10),
};

const FIXED = JointData.fixed({ x: 0, y: -1, z: 0 }, UPRIGHT, ORIGIN, UPRIGHT);
const fixed = (world: WorldForTest, anchor: RigidBody, box: RigidBody) =>
  world.createImpulseJoint(FIXED, anchor, box, true);
const OF_JOINT: Readonly<Record<string, (hung: Hung<ImpulseJoint>) => void>> = {
  'gets another frame': ({ joint }) => joint.setFrameX1({ x: 0, y: 0, z: 0.6, w: 0.8 }),
  'gets another anchor': ({ joint }) => joint.setAnchor1({ x: 0, y: 0, z: 0 }),
};

const multibody = (world: WorldForTest, anchor: RigidBody, box: RigidBody) =>
  world.createMultibodyJoint(HINGE, anchor, box, true);
const OF_MULTIBODY: Readonly<Record<string, (hung: Hung<MultibodyJoint>) => void>> = {
  'is removed': ({ world, joint }) => world.removeMultibodyJoint(joint, true),
  'loses its other body': ({ world, support }) => world.removeRigidBody(support),
};

/** A car on a support, which its wheels do not touch. */
function park(world: WorldForTest, x: number) {
  const support = addBody(world, [x, -0.5, 0], ColliderDesc.cuboid(3, 0.5, 3), SUPPORTS.fixed());
  const { chassis: box, vehicle } = addCar(world, [x, 0.9, 0]);
  return { world, x, support, box, vehicle };
}
type Parked = ReturnType<typeof park>;
const eachWheel = (change: (wheel: number) => void): void => POINTS.forEach((_, at) => change(at));
const OF_CAR: Readonly<Record<string, (parked: Parked) => void>> = {
  'drives back': ({ vehicle }) => eachWheel((wheel) => vehicle.setWheelEngineForce(wheel, -900)),
  'loses its ground': ({ world, support }) => world.removeRigidBody(support),
  'has its ground shrink': ({ support }) =>
    support.collider(0).setHalfExtents({ x: 3, y: 0.2, z: 3 }),
  'gets softer springs': ({ vehicle }) =>
    eachWheel((wheel) => vehicle.setWheel(wheel, { suspensionStiffness: 15 })),
};

/** A box that rests on what it is joined to. */
function tied(world: WorldForTest, x: number): Hung<ImpulseJoint> {
  const { support, box } = stack(world, x, 'fixed');
  const joint = world.createImpulseJoint(JointData.rope(3, ORIGIN, ORIGIN), support, box, true);
  return { world, x, support, box, joint };
}
const OF_TIE: Readonly<Record<string, (hung: Hung<ImpulseJoint>) => void>> = {
  'lets its bodies pass': ({ joint }) => joint.setContactsEnabled(false),
};

type Case = readonly [
  name: string,
  make: (world: WorldForTest, x: number) => [RigidBody, () => void],
];
const cases = <S extends { readonly box: RigidBody }>(
  what: string,
  changes: Readonly<Record<string, (scene: S) => void>>,
  make: (world: WorldForTest, x: number) => S,
): Case[] =>
  Object.entries(changes).map(([name, change]) => [
    `${what} ${name}`,
    (world, x) => {
      const scene = make(world, x);
      return [scene.box, () => change(scene)];
    },
  ]);
const on = (type: SupportType) => (world: WorldForTest, x: number) => stack(world, x, type);
const under =
  <J>(join: (world: WorldForTest, anchor: RigidBody, box: RigidBody) => J) =>
  (world: WorldForTest, x: number) =>
    hang(world, x, join);

const CASES: readonly Case[] = [
  ...cases('a fixed support', { ...OF_SUPPORT, ...OF_FIXED }, on('fixed')),
  ...cases('a kinematic support', { ...OF_SUPPORT, ...OF_KINEMATIC }, on('kinematic')),
  ...cases('a dynamic support', { ...OF_SUPPORT, ...OF_DYNAMIC }, on('dynamic')),
  ...cases('a box', OF_BOX, on('fixed')),
  ...cases('a revolute joint', OF_REVOLUTE, under(revolute)),
  ...cases('a prismatic joint', OF_PRISMATIC, under(prismatic)),
  ...cases('a fixed joint', OF_JOINT, under(fixed)),
  ...cases('a rope', OF_TIE, tied),
  ...cases('a multibody joint', OF_MULTIBODY, under(multibody)),
  ...cases('a car', OF_CAR, park),
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
  box.addForce({ x: 9, y: 0, z: 0 }, false);
  sensor.setTranslation({ x: 0, y: 0.5, z: 0 });
  world.createImpulseJoint(JointData.spherical(ORIGIN, ORIGIN), support, box, false);
  world.createCollider(BOX().setTranslation(0, 5, 0));
  await advance(world, 1);
  expect(box.isSleeping()).toBe(true);
});

const GRAVITY: Readonly<Record<string, (world: WorldForTest, tick: number) => void>> = {
  'the page': (world) => (world.gravity = { x: 0, y: 9.81, z: 0 }),
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
    const at = poseOf(box);
    expect(box.translation().y).toBeGreaterThan(2);
    expect(free.isSleeping()).toBe(true);
    const handle = await world.ready;
    // From the state of the second before.
    await handle.seek(REST + REACTION - 1);
    await advance(world, 1);
    expect(poseOf(box)).toEqual(at);
  },
);

test('a filter that is new, answers otherwise, or is gone wakes what it is asked about', async () => {
  const world = createWorldForTest({ capacity: 64 });
  const scenes = [0, 1, 2].map((at) => stack(world, at * APART, 'fixed'));
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
