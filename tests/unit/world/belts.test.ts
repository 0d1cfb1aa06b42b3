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
import { expectSameAgain } from '../../fixtures/same-again.js';
import {
  RECORDED,
  addBody,
  addBox,
  advance,
  createEngineForTest,
  createWorldForTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

type Triple = readonly [number, number, number];
const at = (x: number, y = 0, z = 0) => ({ x, y, z });

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
  const angle = (degrees * Math.PI) / 180;
  const rotation = { ...at(0, 0, Math.sin(angle / 2)), w: Math.cos(angle / 2) };
  addBelt(world, [2, 0, 0], [0, 0, 0], RigidBodyDesc.fixed().setRotation(rotation));
  const place = [-0.9 * Math.sin(angle), 0.9 * Math.cos(angle), 0] as const;
  const crate = addBody(world, place, CRATE(), RigidBodyDesc.dynamic().setRotation(rotation));
  await advance(world, 90);
  for (let tick = 0; tick < 60; tick++) {
    await advance(world, 1);
    const { x, y, z } = crate.linvel();
    expect(Math.abs(Math.hypot(x, y, z) - 2)).toBeLessThan(0.02);
  }
  expect(crate.linvel().y).toBeCloseTo(2 * Math.sin(angle), 2);
});

test('belts side by side have their own speeds and directions, also on a platform that moves', async () => {
  const world = createWorldForTest();
  const speeds = [2, -1, 0, 0.5];
  const crates = speeds.map((speed, row) => {
    addBelt(world, [speed, 0, 0], [0, -0.5, row * 1.2]);
    return addCrate(world, [0, 0.4, row * 1.2]);
  });
  const rising = RigidBodyDesc.kinematicVelocityBased().setLinvel(0, 1, 0);
  const lift = addBelt(world, [1, 0, 0], [0, -0.5, 20], rising);
  const cart = addBelt(world, [1, 0, 0], [0, -0.5, 30], RigidBodyDesc.kinematicPositionBased());
  const [lifted, carted] = [addCrate(world, [0, 0.4, 20]), addCrate(world, [0, 0.4, 30])];
  for (let tick = 1; tick <= 120; tick++) {
    cart.setNextKinematicTranslation(at(tick / 60, -0.5, 30));
    await advance(world, 1);
  }
  for (const [row, crate] of crates.entries()) {
    expect(crate.linvel().x).toBeCloseTo(speeds[row] ?? Number.NaN, 2);
    expect(crate.linvel().z).toBeCloseTo(0, 2);
  }
  expect(lifted.linvel().x).toBeCloseTo(1, 2);
  expect(lifted.linvel().y).toBeCloseTo(1, 2);
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

test.each(TYPES)(
  'a %s belt stays what and where it is, to the bit, and queries after the step meet it there',
  async (type) => {
    const { rapier, engine } = await createEngineForTest();
    const desc = rapier.RigidBodyDesc[type]().setTranslation(0.1, 5.3, 0.7).setRotation(LYING);
    const body = engine.createRigidBody(desc);
    const collider = engine.createCollider(rapier.ColliderDesc.cuboid(1, 1, 1), body);
    const surface = { surfaceVelocity: at(60, 1), surfaceAngularVelocity: at(1, 9, 3) };
    const ray = new rapier.Ray(at(0, 19, 0.7), at(0, -1));
    engine.step();
    const read = () => [
      { ...engine.castRay(ray, 20, true), collider: undefined },
      [collider.translation(), collider.rotation()],
      [body.translation(), body.rotation(), body.bodyType()],
      // The engine itself rounds the velocities of those that are moved by their position.
      type !== 'kinematicPositionBased' && [body.linvel(), body.angvel()],
    ];
    const before = read();
    for (let tick = 0; tick < 40; tick++) {
      const end = startBelts(rapier, engine, new Map([[body, surface]]), 1 / 60);
      expect(body.bodyType()).toBe(RigidBodyType.KinematicVelocityBased);
      engine.step();
      end();
      expect(read()).toEqual(before);
    }
  },
);

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
  const side = addBody(world, [0, -0.5, 1.2], BELT(), RigidBodyDesc.kinematicPositionBased());
  const belt = addBelt(world, [1, 0, 0]);
  const crates = [addCrate(world), addCrate(world, [0, 0.4, 0.7]), addCrate(world, [0, 2, 0.2])];
  await advance(world, 5);
  side.setSurfaceVelocity(at(-1, 0, 0.5));
  await advance(world, 15);
  for (const speed of [0, 2]) {
    belt.setSurfaceVelocity(at(speed));
    await advance(world, 10);
  }
  await expectSameAgain(world, 40, () => [
    [belt, side].map((body) => body.surfaceVelocity()),
    crates.map((crate) => [crate.translation(), crate.rotation(), crate.linvel()]),
  ]);
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
  const capsule = ColliderDesc.capsule(0.2, 0.3);
  const body = addBody(world, [0, 0.52, 0], capsule, kinematicPositionBased());
  const character = world.createCharacter(body.collider(0), new CharacterDesc());
  await advance(world, 20);
  const before = body.translation();
  await advance(world, 60);
  expect(character.isGrounded).toBe(true);
  expect(body.translation().x - before.x).toBeCloseTo(1, 2);
  expect(body.translation().y).toBeCloseTo(before.y, 3);
});
