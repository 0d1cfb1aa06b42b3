/** The scenes that are measured, and the engines that run them. */
import { expect, test } from 'vitest';
import {
  ENGINE_NAMES,
  createBenchWorld,
  respawnFallen,
  type BenchWorld,
  type EngineName,
} from '../engines/index.js';
import { SCENE_NAMES, createScene, type SceneName } from '../scenes/index.js';
import { BODY_ASLEEP, slotOf } from '../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';
import { StateHash } from '../../src/shared/recording/state-hash.js';
import { BodyRegistry } from '../../src/sim-worker/bodies/body-registry.js';
import { present } from '../../tests/fixtures/present.js';

const STEP_SECONDS = 1 / 60;

test.each(SCENE_NAMES)(
  'the scene %s has exactly the bodies that are asked for, each in its place, by its seed',
  (name) => {
    for (const count of [1, 60, 251]) {
      const scene = createScene(name, count, 3, { hasProbe: true });
      expect(scene.bodies).toHaveLength(count);
      expect(scene.probe).toBeDefined();
    }
    expect(createScene(name, 40, 3)).toEqual(createScene(name, 40, 3));
    expect(createScene(name, 40, 4).bodies).not.toEqual(createScene(name, 40, 3).bodies);
    const positions = createScene(name, 60, 3).bodies.map(({ pose }) => pose);
    const distances = positions.flatMap((a, index) =>
      positions.slice(index + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)),
    );
    expect(Math.min(...distances)).toBeGreaterThan(0.9);
  },
);

test('a scene or an engine that there is not is refused by name', async () => {
  expect(() => createScene('hail' as SceneName, 1, 0)).toThrow(/scene.*heap/);
  expect(() => createScene('heap', 0, 0)).toThrow(/bodies/);
  const registry = new BodyRegistry(1);
  const world = createBenchWorld('box2d' as EngineName, createScene('heap', 1, 0), registry);
  await expect(world).rejects.toThrow(/engine.*cannon/);
});

async function digestAfter(engine: EngineName, seed: number): Promise<string> {
  const bodies = new BodyRegistry(20);
  const world = await createBenchWorld(engine, createScene('heap', 20, seed), bodies);
  for (let tick = 0; tick < 20; tick++) world.step(STEP_SECONDS);
  const hash = new StateHash();
  hash.addWords(bodies.lanes, 0, bodies.bodyLimit * BODY_LANES);
  world.hashInto(hash);
  world.free();
  return hash.digest();
}

test.each(ENGINE_NAMES)(
  '%s computes the same hashes twice, and others by another seed',
  async (engine) => {
    const first = await digestAfter(engine, 5);
    expect(await digestAfter(engine, 5)).toBe(first);
    expect(await digestAfter(engine, 6)).not.toBe(first);
  },
);

const metaAt = (bodies: BodyRegistry, slot: number): number =>
  present(bodies.lanes[slot * BODY_LANES + LANE.meta]);

function heightAt(bodies: BodyRegistry, slot: number): number {
  return present(new Float32Array(bodies.lanes.buffer)[slot * BODY_LANES + LANE.y]);
}

test.each(ENGINE_NAMES)(
  'a box of %s comes to rest on the ground, and the probe flies',
  async (engine) => {
    const bodies = new BodyRegistry(2);
    const world = await createBenchWorld(
      engine,
      createScene('heap', 1, 1, { hasProbe: true }),
      bodies,
    );
    for (let tick = 0; tick < 120; tick++) world.step(STEP_SECONDS);
    expect(heightAt(bodies, slotOf(present(world.ids[0])))).toBeCloseTo(0.5, 1);
    expect(heightAt(bodies, slotOf(present(world.probeId)))).toBe(60);
    world.free();
    expect(bodies.bodyCount).toBe(0);
  },
);

test.each(ENGINE_NAMES)('bodies of %s that rest are asleep, and not published', async (engine) => {
  const bodies = new BodyRegistry(9);
  const world = await createBenchWorld(engine, createScene('resting', 9, 1), bodies);
  // Rapier wakes bodies that it finds touching for the first time, and they fall asleep again.
  for (let tick = 0; tick < 180; tick++) world.step(STEP_SECONDS);
  bodies.beginState(777);
  for (let tick = 0; tick < 5; tick++) world.step(STEP_SECONDS);
  expect([...bodies.changedAt]).not.toContain(777);
  for (let slot = 0; slot < 9; slot++) expect(metaAt(bodies, slot) & BODY_ASLEEP).not.toBe(0);
  world.free();
});

test.each(ENGINE_NAMES)(
  'a body of %s that has fallen starts again, without velocity',
  async (engine) => {
    const bodies = new BodyRegistry(4);
    const scene = createScene('rain', 4, 2);
    const world = await createBenchWorld(engine, scene, bodies);
    const dropped = new Set<number>();
    const counted: BenchWorld = {
      ...world,
      drop(index, pose) {
        dropped.add(index);
        world.drop(index, pose);
        world.step(STEP_SECONDS);
        expect(pose.y - heightAt(bodies, slotOf(present(world.ids[index])))).toBeCloseTo(0, 2);
      },
    };
    for (let tick = 0; tick < 280; tick++) {
      respawnFallen(counted, scene, bodies, tick);
      world.step(STEP_SECONDS);
    }
    expect(dropped.size).toBe(4);
    world.free();
  },
);
