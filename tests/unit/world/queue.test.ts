/** Changes of a world for which the worker's queue has no room. */
import { expect, test } from 'vitest';
import { ColliderDesc, RigidBodyDesc } from '../../../src/render-main/world/index.js';
import { advance, createWorldForTest } from '../../fixtures/worlds.js';

/** A quarter of the queue is taken by the changes of all. */
const INPUT_WORDS = 1024;
const BODIES = 40;

test.each([2, 5])('wait, and none overtakes another: %i batches in one turn', async (batches) => {
  const world = createWorldForTest({
    gravity: { x: 0, y: 0, z: 0 },
    queues: { inputWords: INPUT_WORDS },
  });
  const all = Array.from({ length: BODIES }, (_, x) =>
    world.createRigidBody(RigidBodyDesc.dynamic().setTranslation(10 * x, 0, 0)),
  );
  // In parts: a batch that creates all would not fit.
  await world.ready;
  for (const [index, body] of all.entries()) {
    world.createCollider(ColliderDesc.ball(1), body);
    if (index % 10 === 9) await advance(world, 1);
  }
  const [first] = all;
  for (let y = 1; y <= batches; y++) {
    for (const [x, body] of all.entries()) {
      body.setTranslation({ x: 10 * x, y, z: 0 }, true);
    }
    world.flush();
    // Small: it may still fit where the one before did not.
    first?.setTranslation({ x: 0, y: y + 0.5, z: 0 }, true);
    world.flush();
  }
  for (let tick = 0; tick <= 2 * batches; tick++) await advance(world, 1);
  const heights = all.map((body) => body.translation().y);
  expect(heights).toEqual(all.map((body) => (body === first ? batches + 0.5 : batches)));
  const handle = await world.ready;
  const shown = [...handle.bodies].map(([id, tag]) => {
    const pose = handle.sample(performance.now() + 100_000).newest(id, new Float64Array(7));
    return [tag, pose?.[1]];
  });
  expect(shown).toEqual(all.map((body, index) => [body.handle, heights[index]]));
});
