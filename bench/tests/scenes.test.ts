import { expect, test } from 'vitest';
import { ENGINE_NAMES, createBenchWorld } from '../engines/index.js';
import { SCENE_NAMES, createScene } from '../scenes/index.js';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';
import { BodyRegistry } from '../../src/sim-worker/bodies/body-registry.js';

test.each(SCENE_NAMES)('the scene %s has the bodies that are asked for, by its seed', (name) => {
  expect(createScene(name, 40, 3).bodies).toHaveLength(40);
  expect(createScene(name, 40, 3)).toEqual(createScene(name, 40, 3));
  expect(createScene(name, 40, 4).bodies).not.toEqual(createScene(name, 40, 3).bodies);
});

test.each(ENGINE_NAMES)('%s lets a box fall, and publishes its pose', async (engine) => {
  const bodies = new BodyRegistry(8);
  const world = await createBenchWorld(engine, createScene('heap', 1, 5), bodies);
  const poses = new Float32Array(bodies.lanes.buffer);
  const height = (): number | undefined => poses[(bodies.bodyLimit - 1) * BODY_LANES + LANE.y];
  const before = height();
  for (let tick = 0; tick < 5; tick++) world.step(1 / 60);
  expect(height()).toBeLessThan(before ?? Number.NaN);
});
