/** A world that is saved while everything touches, and continued from there. */
import { expect, test } from 'vitest';
import { ColliderDesc, RigidBodyDesc, type World } from '../../../src/render-main/world/index.js';
import { eventually } from '../../fixtures/eventually.js';
import { present } from '../../fixtures/present.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';

const LAYERS = 5;
const SAVED_AT = 50;
const TICKS = 40;
const PUSHER = 2;

/** A stack of boxes and balls, and a wall that pushes it over. */
function stack(world: World): void {
  world.createCollider(ColliderDesc.cuboid(30, 1, 30).setTranslation(0, -1, 0));
  const pusher = RigidBodyDesc.kinematicVelocityBased().setTranslation(-2.5, 2, 1.5);
  world.createCollider(ColliderDesc.cuboid(0.5, 2, 3), world.createRigidBody(pusher));
  for (let index = 0; index < 16 * LAYERS; index++) {
    const [row, column, layer] = [index % 4, (index >> 2) % 4, index >> 4];
    const at = RigidBodyDesc.dynamic().setTranslation(
      row * 1.02 + layer * 0.01,
      0.5 + layer * 1.01,
      column * 1.02,
    );
    const isBall = (layer + row + column) % 4 === 0;
    const shape = isBall ? ColliderDesc.ball(0.5) : ColliderDesc.cuboid(0.5, 0.5, 0.5);
    world.createCollider(shape, world.createRigidBody(at));
  }
}

/** All poses after each of some ticks. */
async function run(world: World): Promise<unknown[]> {
  const states: unknown[] = [];
  const pusher = present(world.getRigidBody(PUSHER));
  for (let tick = 0; tick < TICKS; tick++) {
    pusher.setLinvel({ x: 2.5, y: 0, z: tick % 2 === 0 ? 0.25 : -0.25 }, true);
    await (await world.ready).step(1);
    world.sample((frameMs += 100));
    const poses = world.bodies.getAll().map((body) => [body.translation(), body.rotation()]);
    states.push(poses);
  }
  return states;
}

test('a world that is restored in dense contact continues with the same bits, also in another worker', async () => {
  const world = createWorldForTest();
  stack(world);
  await advance(world, 1);
  present(world.getRigidBody(PUSHER)).setLinvel({ x: 2.5, y: 0, z: 0 }, true);
  await advance(world, SAVED_AT - 1);
  const handle = await world.ready;
  const state = await handle.save();
  const straight = await run(world);
  // Everything has moved, and keeps moving.
  expect(straight[0]).not.toEqual(straight.at(-1));
  for (const restored of [world, createWorldForTest()]) {
    await (await restored.ready).restore(state);
    await eventually(() => {
      restored.sample((frameMs += 100));
      expect(restored.bodies.len()).toBe(world.bodies.len());
    });
    expect(await run(restored)).toEqual(straight);
  }
});
let frameMs = 1e6;
