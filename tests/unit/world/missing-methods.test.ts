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

test("each property of Rapier's world is there, or names its substitute", async () => {
  await init();
  const world = new RapierWorld({ x: 0, y: 0, z: 0 });
  explainMissing(PageWorld.prototype);
  const accessors = Object.entries(Object.getOwnPropertyDescriptors(RapierWorld.prototype))
    .filter(([, { get }]) => get !== undefined)
    .map(([name]) => name);
  const missing = [...Object.keys(world), ...accessors].filter(
    (name) => !(name in PageWorld.prototype),
  );
  // A field of each world.
  expect(missing).toEqual(['integrationParameters']);
  world.free();
});

test("each method of Rapier's world is there, or names its substitute", () => {
  explainMissing(PageWorld.prototype);
  const missing: string[] = [];
  for (const name of Object.getOwnPropertyNames(RapierWorld.prototype)) {
    const { value } = Object.getOwnPropertyDescriptor(RapierWorld.prototype, name) ?? {};
    if (typeof value === 'function' && !(name in PageWorld.prototype)) missing.push(name);
  }
  // Internal.
  expect(missing).toEqual(['mapNewSoftBodies']);
});
