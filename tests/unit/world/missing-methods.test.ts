import { World as RapierWorld, init } from '@dimforge/rapier3d-deterministic-compat';
import { expect, test } from 'vitest';
import { PageWorld } from '../../../src/world/page/page-world.js';
import { explainMissing } from '../../../src/world/page/missing-methods.js';

test('calling a missing method, and reading or setting a missing property, names the substitute', () => {
  const world: Record<string, unknown> = {};
  explainMissing(world);
  expect(world['takeSnapshot']).toThrow(/world\.takeSnapshot\(\) .*world\.ready\)\.save\(\)/);
  const message = /no world\.islands on the page: .*forEachActiveRigidBody/;
  expect(() => world['islands']).toThrow(message);
  expect(() => {
    world['islands'] = 1;
  }).toThrow(message);
});

test('what a class has is left as it is', () => {
  class World {
    step(): string {
      return 'own';
    }
  }
  explainMissing(World.prototype);
  explainMissing(World.prototype);
  expect(new World().step()).toBe('own');
  expect(Object.keys(World.prototype)).toEqual([]);
});

test("each property and method of Rapier's world is there, or names its substitute", async () => {
  await init();
  const world = new RapierWorld({ x: 0, y: 0, z: 0 });
  explainMissing(PageWorld.prototype);
  const readable = Object.entries(Object.getOwnPropertyDescriptors(RapierWorld.prototype))
    .filter(([, { get, value }]) => get !== undefined || typeof value === 'function')
    .map(([name]) => name);
  const all = [...Object.keys(world), ...readable];
  const missing = all.filter((name) => !(name in PageWorld.prototype));
  // The first is a field of each world, the second internal.
  expect(missing).toEqual(['integrationParameters', 'mapNewSoftBodies']);
  world.free();
});
