/** The short form of what `npm run attack -- worlds` does for longer: minutes of bodies that come and go. */
import { expect, onTestFinished, test } from 'vitest';
import { usedBytes } from '../../attack/heap.js';
import {
  ADDED_PER_TICK,
  WorldChurn,
  WorldPushes,
  openChurningWorld,
} from '../../fixtures/world-churn.js';
import { createWorldForTest } from '../../fixtures/worlds.js';

/** Until caches are full, such as that of what was removed last. */
const WARM_UP_TICKS = 400;
const TICKS = 600;
/** What compilers keep is less; a body that is kept, with its collider, is more than a thousand. */
const MAX_BYTES_PER_BODY = 150;

test('1,000 bodies that come and go a second leave nothing behind, and are never mixed up', async () => {
  const world = openChurningWorld();
  onTestFinished(() => world.dispose());
  const churn = new WorldChurn(world);
  await churn.run(WARM_UP_TICKS);
  const before = await usedBytes();
  await churn.run(TICKS);
  const left = ((await usedBytes()) - before) / (TICKS * ADDED_PER_TICK);
  expect(churn.added).toBe((WARM_UP_TICKS + TICKS) * ADDED_PER_TICK);
  expect(left).toBeLessThan(MAX_BYTES_PER_BODY);
});

test('bodies that come and go in another thread are never mixed up', async () => {
  const churn = new WorldChurn(createWorldForTest({ gravity: { x: 0, y: 0, z: 0 } }));
  await churn.run(200);
  expect(churn.added).toBe(200 * ADDED_PER_TICK);
});

test('of 1,000 impulses a tick, none is lost, and none stays', async () => {
  const world = openChurningWorld();
  onTestFinished(() => world.dispose());
  const pushes = new WorldPushes(world);
  await pushes.run(40);
  const before = await usedBytes();
  await pushes.run(60);
  expect(((await usedBytes()) - before) / 60_000).toBeLessThan(16);
});
