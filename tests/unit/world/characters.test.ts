/** Characters of a world. */
import { expect, test } from 'vitest';
import { CharacterDesc, ColliderDesc, RigidBodyDesc } from '../../../src/world/page/index.js';
import { present } from '../../fixtures/present.js';
import { expectSameAgain } from '../../fixtures/same-again.js';
import {
  RECORDED,
  addBody,
  addBox,
  advance,
  createWorldForTest,
  press,
  push,
  type WorldForTest,
} from '../../fixtures/worlds.js';

type Triple = [number, number, number];
const DT = 1 / 60;
const at = (x: number, y = 0, z = 0) => ({ x, y, z });

/** A capsule of 1 m of height, whose lowest point is at y. */
function addWalker(
  world: WorldForTest,
  [x, y, z]: Triple = [0, 0.05, 0],
  desc = new CharacterDesc(),
) {
  const kinematic = RigidBodyDesc.kinematicPositionBased();
  const body = addBody(world, [x, y + 0.5, z], ColliderDesc.capsule(0.3, 0.2), kinematic);
  return { body, character: world.createCharacter(body.collider(0), desc) };
}

const addFloor = (world: WorldForTest) => addBox(world, [20, 0.5, 20], [0, -0.5, 0]);

test('a character falls, lands, walks until the next command, and says so', async () => {
  const world = createWorldForTest();
  addFloor(world);
  const { body, character } = addWalker(world, [0, 1, 0]);
  expect([character.isGrounded, character.velocity]).toEqual([false, at(0)]);
  await advance(world, 5);
  expect(character.isGrounded).toBe(false);
  expect(character.velocity.y).toBeCloseTo(5 * -9.81 * DT, 3);
  await advance(world, 60);
  expect(character.isGrounded).toBe(true);
  expect(body.translation().y).toBeCloseTo(0.51, 2);
  character.move(at(2));
  await advance(world, 60);
  expect(body.translation().x).toBeCloseTo(2, 1);
  expect(character.velocity.x).toBeCloseTo(2, 3);
  character.move(at(0));
  // After a long rest, too.
  await advance(world, 300);
  expect(character.velocity.x).toBe(0);
  character.move(at(2));
  await advance(world, 30);
  expect(body.translation().x).toBeCloseTo(3, 1);
});

test('a character jumps from the ground and not in the air, and a ceiling ends its jump', async () => {
  const world = createWorldForTest();
  addFloor(world);
  addBox(world, [2, 0.1, 2], [0, 2, 0]);
  const { body, character } = addWalker(world);
  await advance(world, 20);
  character.jump(3);
  await advance(world, 10);
  expect(body.translation().y).toBeGreaterThan(0.8);
  character.jump(30);
  await advance(world, 60);
  expect(body.translation().y).toBeCloseTo(0.51, 2);
  character.jump(9);
  await advance(world, 15);
  expect(body.translation().y).toBeLessThan(1.4);
  expect(character.velocity.y).toBeLessThan(0);
});

test('a character climbs slopes and steps, and stays on the ground below them, as far as its settings let it', async () => {
  const world = createWorldForTest();
  addFloor(world);
  const half = Math.PI / 12;
  const slope = ColliderDesc.cuboid(4, 0.1, 2).setTranslation(5, 1, 0);
  world.createCollider(slope.setRotation({ ...at(0, 0, Math.sin(half)), w: Math.cos(half) }));
  const able = addWalker(world);
  const timid = new CharacterDesc().setMaxSlopeClimbAngle(0.3).setMinSlopeSlideAngle(0.3);
  const unable = addWalker(world, [0, 0.05, 1], timid);
  for (const { character } of [able, unable]) character.move(at(3));
  await advance(world, 90);
  expect(able.body.translation().y).toBeGreaterThan(1);
  expect(unable.body.translation().y).toBeLessThan(0.7);
  addBox(world, [1, 0.1, 9], [-3, 0.1, 0]);
  const { body, character } = able;
  body.setTranslation(at(-1, 0.52), true);
  character.move(at(-2));
  await advance(world, 60);
  expect(body.translation().x).toBeGreaterThan(-2);
  character.enableAutostep(0.3, 0.1, false);
  await advance(world, 60);
  expect(body.translation().x).toBeLessThan(-2.4);
  expect(body.translation().y).toBeGreaterThan(0.65);
  character.enableSnapToGround(0.3);
  for (let tick = 0; tick < 90; tick++) {
    await advance(world, 1);
    expect(character.isGrounded).toBe(true);
  }
  expect(body.translation().y).toBeCloseTo(0.51, 2);
});

test.each([true, false])(
  'a character pushes dynamic bodies, as its mass lets it, and steps onto them if it is to: %s',
  async (isMeant) => {
    const world = createWorldForTest();
    addFloor(world);
    addBody(world, [1, 0.1, 0], ColliderDesc.cuboid(0.5, 0.1, 1).setDensity(1e4));
    const boxes = [5, 10].map((z) => addBody(world, [0.8, 0.5, z], ColliderDesc.ball(0.5)));
    const [onStep, ...pushing] = [1, 0.1, 10].map((mass, index) => {
      const desc = new CharacterDesc().enableAutostep(0.3, 0.1, isMeant).setCharacterMass(mass);
      desc.setApplyImpulsesToDynamicBodies(isMeant);
      return addWalker(world, [0, 0.05, 5 * index], desc);
    });
    await advance(world, 20);
    for (const { character } of [present(onStep), ...pushing]) character.move(at(1));
    await advance(world, 60);
    const [light = 0, heavy = 0] = boxes.map((box) => box.translation().x);
    expect(onStep?.body.translation().y).toBeCloseTo(isMeant ? 0.71 : 0.51, 2);
    expect([light > 1, heavy > light + 0.02]).toEqual([isMeant, isMeant]);
  },
);

test('a character is carried along by ground that moves, and keeps its speed when it jumps off', async () => {
  const world = createWorldForTest();
  const kinematic = RigidBodyDesc.kinematicPositionBased();
  const lift = addBody(world, [0, 0, 0], ColliderDesc.cuboid(2, 0.1, 2), kinematic);
  const { body, character } = addWalker(world, [1, 0.15, 0]);
  await advance(world, 10);
  expect(character.ground).toBe(lift);
  let x = 0;
  const driveX = async (speed: number) => {
    x += speed * DT;
    lift.setNextKinematicTranslation(at(x));
    await advance(world, 1);
  };
  for (let tick = 0; tick < 10; tick++) {
    await driveX(5);
    expect(character.ground).toBe(lift);
  }
  expect(body.translation().x).toBeCloseTo(1 + 10 * 5 * DT, 2);
  character.jump(3);
  await driveX(5);
  await advance(world, 2);
  expect(character.velocity.x).toBeCloseTo(5, 3);
  expect(character.ground).toBeUndefined();
});

test('a character takes keys and gamepads of each tick, along where forward is', async () => {
  const world = createWorldForTest();
  addFloor(world);
  const desc = new CharacterDesc().setInputs({ speed: 3, jumpSpeed: 4 });
  const { body, character } = addWalker(world, undefined, desc);
  await advance(world, 20);
  await press(world, 'KeyW');
  await advance(world, 20);
  expect(body.translation().z).toBeCloseTo(-1, 1);
  await press(world, 'KeyD');
  character.setForward(at(1, 5));
  await advance(world, 2);
  const half = Math.fround(3 / Math.SQRT2);
  expect(character.velocity.x).toBeCloseTo(half, 3);
  expect(character.velocity.z).toBeCloseTo(half, 3);
  await press(world, 'KeyW', 'keyup');
  await press(world, 'KeyD', 'keyup');
  await press(world, 'Space');
  await push(world, { kind: 'gamepadaxis', code: 0, x: 0.5 });
  await advance(world, 2);
  expect(character.velocity.y).toBeGreaterThan(3);
  expect(character.velocity.z).toBeCloseTo(1.5, 3);
  character.setInputs(null);
  await advance(world, 2);
  expect(character.velocity.z).toBe(0);
});

test('a character goes with its collider, and its collider stays without it', async () => {
  const world = createWorldForTest();
  addFloor(world);
  const { body, character } = addWalker(world);
  const other = addWalker(world, [3, 0.05, 0]);
  character.move(at(1));
  await advance(world, 10);
  world.removeCharacter(character);
  world.removeRigidBody(other.body);
  expect([character.isValid(), other.character.isValid()]).toEqual([false, false]);
  await advance(world, 1);
  const { x } = body.translation();
  await advance(world, 10);
  expect(body.translation().x).toBe(x);
});

test('a character continues in other workers as if nothing had happened, is replayed, and goes back', async () => {
  const world = createWorldForTest(RECORDED);
  addFloor(world);
  const moving = RigidBodyDesc.kinematicVelocityBased().setLinvel(1, 0, 0.5);
  addBody(world, [0, 0.1, 0], ColliderDesc.cuboid(2, 0.1, 2), moving);
  // With everything that a character keeps.
  const desc = new CharacterDesc().setInputs({ speed: 2, jumpSpeed: 5 }).setGravity(12);
  const { body, character } = addWalker(world, [0, 0.25, 0], desc);
  character.move(at(0.5, 0, -0.5));
  await advance(world, 20);
  character.jump(4);
  await advance(world, 5);
  expect([character.isGrounded, character.velocity.y > 0]).toEqual([false, true]);
  await expectSameAgain(world, 60, () => {
    const { isGrounded, velocity, ground } = character;
    return [body.translation(), isGrounded, velocity, ground?.handle];
  });
  expect(character.isGrounded).toBe(true);
  await press(world, 'KeyA');
  await advance(world, 2);
  expect(character.velocity.x).toBeCloseTo(1 + 0.5 - 2, 3);
});
