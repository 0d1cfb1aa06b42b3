/** Rapier's controllers on the page: they take the page's handles, and what they push is sent to the worker. */
import { expect, test } from 'vitest';
import { ColliderDesc, RigidBodyDesc, type RigidBody } from '../../../src/world/page/index.js';
import {
  addBody,
  addBox,
  advance,
  createWorldForTest,
  type WorldForTest,
} from '../../fixtures/worlds.js';

const at = (x: number, y = 0, z = 0) => ({ x, y, z });
const TICK_S = 1 / 60;

async function openWorld(): Promise<WorldForTest> {
  const world = createWorldForTest({ queries: true });
  await world.ready;
  addBox(world, [20, 0.5, 20], [0, -0.5, 0]);
  return world;
}

const addWalker = (world: WorldForTest, place: readonly [number, number, number]): RigidBody =>
  addBody(world, place, ColliderDesc.capsule(0.3, 0.2), RigidBodyDesc.kinematicPositionBased());

test('a character is stopped by what it meets, which is named by the handles of the page', async () => {
  const world = await openWorld();
  const wall = addBox(world, [0.1, 1, 5], [1, 1, 0]);
  const post = addBox(world, [0.1, 1, 5], [2, 1, 0]);
  const body = addWalker(world, [0, 0.52, 0]);
  await advance(world, 1);
  const character = world.createCharacterController(0.01);
  character.computeColliderMovement(body.collider(0), at(3));
  expect(character.computedMovement().x).toBeCloseTo(0.69, 2);
  expect(character.computedGrounded()).toBe(true);
  const met = Array.from(
    { length: character.numComputedCollisions() },
    (_, index) => character.computedCollision(index)?.collider,
  );
  expect(met).toContain(wall);
  const passed = new Set<unknown>();
  character.computeColliderMovement(body.collider(0), at(3), undefined, undefined, (collider) => {
    passed.add(collider);
    return collider !== wall;
  });
  expect([passed.has(wall), passed.has(post)]).toEqual([true, true]);
  expect(character.computedMovement().x).toBeCloseTo(1.69, 2);
  world.removeCharacterController(character);
});

test('a character is carried by a platform, as far as that goes in a tick', async () => {
  const world = await openWorld();
  const moving = RigidBodyDesc.kinematicVelocityBased().setLinvel(1, 0, 0);
  const platform = addBody(world, [5, 0.5, 0], ColliderDesc.cuboid(2, 0.5, 2), moving);
  const body = addWalker(world, [5, 1.52, 0]);
  await advance(world, 1);
  expect(platform.linvel().x).toBe(1);
  const character = world.createCharacterController(0.01);
  character.computeColliderMovement(body.collider(0), at(0, -0.1));
  expect(character.computedMovement().x).toBeCloseTo(TICK_S, 4);
});

test('what a character pushes moves in the worker, if it is to', async () => {
  const world = await openWorld();
  const body = addWalker(world, [0, 0.52, 0]);
  const box = addBody(world, [0.8, 0.5, 0], ColliderDesc.cuboid(0.5, 0.5, 0.5).setFriction(0));
  await advance(world, 1);
  const character = world.createCharacterController(0.01);
  character.computeColliderMovement(body.collider(0), at(0.3));
  await advance(world, 1);
  expect(box.linvel().x).toBeCloseTo(0, 2);
  character.setApplyImpulsesToDynamicBodies(true);
  character.setCharacterMass(1);
  character.computeColliderMovement(body.collider(0), at(0.3));
  expect(box.linvel().x).toBeGreaterThan(0.1);
  await advance(world, 1);
  expect(box.linvel().x).toBeGreaterThan(0.1);
});

test('a PID controller draws a body to a place', async () => {
  const world = await openWorld();
  const body = addBody(world, [0, 5, 0]);
  const pid = world.createPidController(20, 0, 1, 7);
  for (let tick = 0; tick < 120; tick++) {
    pid.applyLinearCorrection(body, at(2, 4), at(0));
    await advance(world, 1);
  }
  const { x, y } = body.translation();
  expect([x, y].map((value) => Math.round(value * 10) / 10)).toEqual([2, 4]);
  world.removePidController(pid);
});
