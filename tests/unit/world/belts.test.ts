/** Bodies whose surface moves: belts and drums. */
import { expect, test } from 'vitest';
import {
  CharacterDesc,
  ColliderDesc,
  RigidBodyDesc,
  RigidBodyType,
  type RigidBody,
} from '../../../src/world/page/index.js';
import { startBelts } from '../../../src/world/worker/belts.js';
import {
  RECORDED,
  addBody,
  addBox,
  advance,
  createEngineForTest,
  createWorldForTest,
  expectReplay,
  shows,
  type WorldForTest,
} from '../../fixtures/worlds.js';

type Triple = readonly [number, number, number];
const at = (x: number, y = 0, z = 0) => ({ x, y, z });
/** About z. */
const turnedBy = (angle: number) => ({
  x: 0,
  y: 0,
  z: Math.sin(angle / 2),
  w: Math.cos(angle / 2),
});
const speedOf = (body: RigidBody): number => {
  const { x, y, z } = body.linvel();
  return Math.hypot(x, y, z);
};

const TYPES = ['fixed', 'kinematicPositionBased', 'kinematicVelocityBased'] as const;
const BELT = () => ColliderDesc.cuboid(40, 0.5, 0.6);
const CRATE = () => ColliderDesc.cuboid(0.4, 0.4, 0.4);

const addBelt = (
  world: WorldForTest,
  velocity: Triple,
  place: Triple = [0, -0.5, 0],
  desc = RigidBodyDesc.fixed(),
): RigidBody => addBody(world, place, BELT(), desc.setSurfaceVelocity(at(...velocity)));

const addCrate = (world: WorldForTest, place: Triple = [0, 0.4, 0]): RigidBody =>
  addBody(world, place, CRATE());

test.each([0, 15, -15])('a crate rides at the speed of a belt at %s°', async (degrees) => {
  const world = createWorldForTest();
  const rotation = turnedBy((degrees * Math.PI) / 180);
  addBelt(world, [2, 0, 0], [0, 0, 0], RigidBodyDesc.fixed().setRotation(rotation));
  const up = 0.9;
  const angle = (degrees * Math.PI) / 180;
  const desc = RigidBodyDesc.dynamic().setRotation(rotation);
  const place = [-up * Math.sin(angle), up * Math.cos(angle), 0] as const;
  const crate = addBody(world, place, CRATE(), desc);
  await advance(world, 90);
  for (let tick = 0; tick < 60; tick++) {
    await advance(world, 1);
    expect(Math.abs(speedOf(crate) - 2)).toBeLessThan(0.02);
  }
  expect(crate.linvel().y).toBeCloseTo(2 * Math.sin(angle), 2);
});

test('belts side by side have their own speeds and directions, also on a platform that moves', async () => {
  const world = createWorldForTest();
  const velocities = [
    [2, 0, 0],
    [-1, 0, 0],
    [0, 0, 0],
    [0.5, 0, 0],
  ] as const;
  const crates = velocities.map((velocity, row) => {
    addBelt(world, velocity, [0, -0.5, row * 1.2]);
    return addCrate(world, [0, 0.4, row * 1.2]);
  });
  const { kinematicVelocityBased, kinematicPositionBased } = RigidBodyDesc;
  const lift = addBelt(
    world,
    [1, 0, 0],
    [0, -0.5, 20],
    kinematicVelocityBased().setLinvel(0, 1, 0),
  );
  const cart = addBelt(world, [1, 0, 0], [0, -0.5, 30], kinematicPositionBased());
  const [lifted, carted] = [addCrate(world, [0, 0.4, 20]), addCrate(world, [0, 0.4, 30])];
  for (let tick = 1; tick <= 120; tick++) {
    cart.setNextKinematicTranslation(at(tick / 60, -0.5, 30));
    await advance(world, 1);
  }
  for (const [row, crate] of crates.entries()) {
    expect(crate.linvel().x).toBeCloseTo(velocities[row]?.[0] ?? 0, 2);
    expect(crate.linvel().z).toBeCloseTo(0, 2);
  }
  expect([lifted.linvel().x, lifted.linvel().y]).toEqual([
    expect.closeTo(1, 2),
    expect.closeTo(1, 2),
  ]);
  expect(carted.linvel().x).toBeCloseTo(2, 2);
  expect(lift.translation().x).toBe(0);
  expect(lift.translation().y).toBeCloseTo(1.5, 4);
  expect(cart.translation().x).toBe(2);
  expect(lift.linvel()).toEqual(at(0, 1));
  expect(cart.linvel().x).toBeCloseTo(1, 3);
});

const LYING = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

test('a plank on drums rides at the speed of their surfaces', async () => {
  const world = createWorldForTest();
  const drum = RigidBodyDesc.fixed().setRotation(LYING).setSurfaceAngularVelocity(at(0, -4));
  for (let x = 0; x < 8; x++) addBody(world, [x, -0.5, 0], ColliderDesc.cylinder(1, 0.5), drum);
  const plank = addBody(world, [1.5, 0.2, 0], ColliderDesc.cuboid(1.5, 0.2, 0.5));
  await advance(world, 40);
  for (let tick = 0; tick < 60; tick++) {
    await advance(world, 1);
    expect(Math.abs(plank.linvel().x - 2)).toBeLessThan(0.02);
  }
});

const TURNED = { x: 0.18257418, y: 0.36514837, z: 0.5477226, w: 0.73029674 };

test.each(TYPES)('a %s belt stays what and where it is, to the bit', async (type) => {
  const world = createWorldForTest({ queries: true });
  const belt = addBelt(world, [3, 1, 0], [0, 0, 0], RigidBodyDesc[type]());
  belt.setSurfaceAngularVelocity(at(1, 2, 3));
  // From here on, states have it, also if it is fixed.
  belt.setTranslation(at(0.1, 5.3, 0.7), true);
  belt.setRotation(TURNED, true);
  await advance(world, 1);
  const read = () => {
    const motion = [belt.translation(), belt.rotation(), belt.linvel(), belt.angvel()];
    return [...motion, belt.bodyType()].concat(belt.collider(0).translation() as never);
  };
  const before = read();
  expect(before[4]).toBe({ fixed: 1, kinematicPositionBased: 2, kinematicVelocityBased: 3 }[type]);
  for (let tick = 0; tick < 40; tick++) {
    await advance(world, 1);
    expect(read()).toEqual(before);
  }
});

test('queries after the step meet a belt where it is', async () => {
  const { rapier, engine } = await createEngineForTest();
  const body = engine.createRigidBody(rapier.RigidBodyDesc.fixed().setRotation(LYING));
  const collider = engine.createCollider(rapier.ColliderDesc.cuboid(1, 1, 1), body);
  const surfaces = new Map([[body, { surfaceVelocity: at(60), surfaceAngularVelocity: at(9) }]]);
  const ray = new rapier.Ray(at(0, 9), at(0, -1));
  engine.step();
  const read = () => [
    { ...engine.castRay(ray, 20, true), collider: undefined },
    collider.translation(),
    collider.rotation(),
    body.rotation(),
    body.isFixed(),
  ];
  const before = read();
  for (let tick = 0; tick < 9; tick++) {
    const end = startBelts(rapier, engine, surfaces, 1 / 60);
    expect(body.isFixed()).toBe(false);
    engine.step();
    end();
    expect(read()).toEqual(before);
  }
});

test.each(TYPES)(
  'what sleeps on a %s belt wakes when that starts, and sleeps again when it stops',
  async (type) => {
    const world = createWorldForTest();
    const belt = addBelt(world, [0, 0, 0], undefined, RigidBodyDesc[type]());
    const [crate, other] = [addCrate(world), addCrate(world, [0, 0.4, 9])];
    addBox(world, [1, 0.5, 1], [0, -0.5, 9]);
    const sleep = async (): Promise<void> => {
      await advance(world, 120);
      expect(crate.isSleeping()).toBe(true);
    };
    await sleep();
    belt.setSurfaceVelocity(at(1));
    await advance(world, 60);
    expect([crate.isSleeping(), other.isSleeping()]).toEqual([false, true]);
    expect(crate.linvel().x).toBeCloseTo(1, 2);
    belt.setSurfaceVelocity(at(-1));
    await advance(world, 60);
    expect(crate.linvel().x).toBeCloseTo(-1, 2);
    belt.setSurfaceVelocity(at(0));
    await sleep();
  },
);

test('a crate that a belt holds against a wall does not fall asleep', async () => {
  const world = createWorldForTest();
  addBelt(world, [1, 0, 0]);
  const wall = addBox(world, [0.1, 2, 1], [0.7, 2, 0]);
  const crate = addCrate(world);
  await advance(world, 200);
  expect(crate.isSleeping()).toBe(false);
  world.removeCollider(wall);
  await advance(world, 60);
  expect(crate.linvel().x).toBeCloseTo(1, 2);
});

test('belts continue with the same bits in a replay, a restored state and another worker', async () => {
  const world = createWorldForTest(RECORDED);
  // Made before the other one, and a belt after it.
  const desc = RigidBodyDesc.kinematicPositionBased();
  const side = addBody(world, [0, -0.5, 1.2], BELT(), desc);
  const belt = addBelt(world, [1, 0, 0]);
  const crates = [addCrate(world), addCrate(world, [0, 0.4, 0.7]), addCrate(world, [0, 2, 0.2])];
  await advance(world, 5);
  side.setSurfaceVelocity(at(-1, 0, 0.5));
  await advance(world, 15);
  belt.setSurfaceVelocity(at(0));
  await advance(world, 10);
  belt.setSurfaceVelocity(at(2));
  await advance(world, 10);
  const sim = await world.ready;
  const saved = await sim.save();
  const run = async (): Promise<unknown[]> => {
    const poses: unknown[] = [];
    for (let tick = 0; tick < 40; tick++) {
      await advance(world, 1);
      poses.push(crates.map((crate) => [crate.translation(), crate.rotation(), crate.linvel()]));
    }
    return poses;
  };
  const after = await run();
  await expectReplay(world, 80);
  await sim.seek(40);
  expect(await run()).toEqual(after);
  await sim.seek(10);
  await shows(world, () => expect(belt.surfaceVelocity()).toEqual(at(1)));
  expect(side.surfaceVelocity()).toEqual(at(-1, 0, 0.5));
  await sim.restore(saved);
  await shows(world, () => expect(belt.surfaceVelocity()).toEqual(at(2)));
  expect(await run()).toEqual(after);
  await sim.replaceWorker();
  await advance(world, 60);
  expect(belt.surfaceVelocity()).toEqual(at(2));
  expect(crates[0]?.linvel().x).toBeGreaterThan(1.5);
});

test('a belt that is removed, dynamic or disabled carries nothing', async () => {
  const world = createWorldForTest();
  const belts = [0, 1, 2].map((row) => addBelt(world, [1, 0, 0], [0, -0.5, row * 5]));
  const [removed, dynamic, disabled] = belts as [RigidBody, RigidBody, RigidBody];
  await advance(world, 2);
  world.removeRigidBody(removed);
  dynamic.setBodyType(RigidBodyType.Dynamic, true);
  disabled.setEnabled(false);
  const free = [0, 1, 2].map((row) => addCrate(world, [0, 0.4, row * 5]));
  await advance(world, 30);
  for (const crate of free) expect(Math.abs(crate.linvel().x)).toBeLessThan(0.01);
  expect(dynamic.translation().x).toBeCloseTo(0, 5);
});

test('a character is carried by a belt', async () => {
  const world = createWorldForTest();
  addBelt(world, [1, 0, 0]);
  const { kinematicPositionBased } = RigidBodyDesc;
  const body = addBody(
    world,
    [0, 0.52, 0],
    ColliderDesc.capsule(0.2, 0.3),
    kinematicPositionBased(),
  );
  const character = world.createCharacter(body.collider(0), new CharacterDesc());
  await advance(world, 20);
  const before = body.translation();
  await advance(world, 60);
  expect(character.isGrounded).toBe(true);
  expect(body.translation().x - before.x).toBeCloseTo(1, 2);
  expect(body.translation().y).toBeCloseTo(before.y, 3);
});

test('a surface velocity is refused at the call if it is no vector', () => {
  const desc = RigidBodyDesc.fixed();
  const body = createWorldForTest().createRigidBody(desc);
  for (const one of [desc, body]) {
    expect(() => one.setSurfaceVelocity(3 as never)).toThrow(/surfaceVelocity must be an object/);
    const wrong = at(0, Number.NaN);
    expect(() => one.setSurfaceAngularVelocity(wrong)).toThrow(/surfaceAngularVelocity.y must be/);
  }
  expect([body.surfaceVelocity(), body.surfaceAngularVelocity()]).toEqual([at(0), at(0)]);
});
