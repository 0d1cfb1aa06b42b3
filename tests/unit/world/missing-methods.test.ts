import { World as RapierWorld, init } from '@dimforge/rapier3d-deterministic-compat';
import { expect, test } from 'vitest';
import { PageWorld } from '../../../src/world/page/page-world.js';
import { explainMissing } from '../../../src/world/page/missing-methods.js';

const callOf = (prototype: object, name: string) => () =>
  (prototype as Record<string, () => unknown>)[name]?.();

test.each([
  ['takeSnapshot', /world\.takeSnapshot\(\) .*world\.ready\)\.save\(\)/],
  ['step', /world\.step\(\) .*step\(1\)/],
  ['free', /world\.dispose\(\)/],
  ['timingStep', /defineSystem/],
  ['createSoftBody', /soft bodies/],
])('a call of %s names the substitute', (name, message) => {
  const prototype = {};
  explainMissing(prototype);
  expect(callOf(prototype, name)).toThrow(message);
});

test.each([
  ['islands', /no world\.islands on the page: .*forEachActiveRigidBody/],
  ['broadPhase', /world\.castRay/],
  ['narrowPhase', /world\.contactPairsWith/],
  ['serializationPipeline', /world\.ready\)\.save\(\)/],
  ['debugRenderPipeline', /debugRender\(\)/],
  ['profilerEnabled', /stats\(\)\.stepMs/],
  ['vehicleControllers', /createVehicleController/],
  ['softBodies', /soft bodies/],
])('reading or setting %s names the substitute', (name, message) => {
  const world: Record<string, unknown> = {};
  explainMissing(world);
  expect(() => world[name]).toThrow(message);
  expect(() => {
    world[name] = 1;
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
