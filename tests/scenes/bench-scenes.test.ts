import { describe, expect, test } from 'vitest';
import {
  ENGINE_NAMES,
  createBenchWorld,
  respawnFallen,
  type BenchWorld,
  type EngineName,
} from '../../bench/engines/index.js';
import { SCENE_NAMES, createScene, type SceneName } from '../../bench/scenes/index.js';
import { BODY_ASLEEP, slotOf } from '../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';
import { StateHash } from '../../src/shared/recording/state-hash.js';
import { BodyRegistry } from '../../src/sim-worker/bodies/body-registry.js';
import { present } from '../fixtures/present.js';

const STEP_SECONDS = 1 / 60;

describe.each(SCENE_NAMES)('%s', (name) => {
  test.each([1, 7, 60, 251])('has exactly %i bodies, with an additional probe', (count) => {
    const scene = createScene(name, count, 3, { hasProbe: true });
    expect(scene.bodies).toHaveLength(count);
    expect(scene.probe).toBeDefined();
    expect(createScene(name, count, 3).probe).toBeUndefined();
  });

  test('is determined by its seed', () => {
    expect(createScene(name, 40, 3)).toEqual(createScene(name, 40, 3));
    expect(createScene(name, 40, 4).bodies).not.toEqual(createScene(name, 40, 3).bodies);
  });

  test('no two bodies begin in the same place', () => {
    const positions = createScene(name, 251, 3).bodies.map(({ pose }) => pose);
    const distances = positions.flatMap((a, index) =>
      positions.slice(index + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)),
    );
    expect(Math.min(...distances)).toBeGreaterThan(0.9);
  });
});

test('impossible options are refused by name', async () => {
  expect(() => createScene('hail' as SceneName, 1, 0)).toThrow(/scene.*heap/);
  expect(() => createScene('heap', 0, 0)).toThrow(/bodies/);
  const world = createBenchWorld('box2d' as EngineName, createScene('heap', 1, 0), room(1));
  await expect(world).rejects.toThrow(/engine.*cannon/);
});

describe.each(ENGINE_NAMES)('%s', (engine) => {
  test('the same seed gives the same hashes twice, and another seed different ones', async () => {
    const digests = [];
    for (const seed of [5, 5, 6]) digests.push(await digestAfter(engine, 'heap', seed));
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });

  test('a box comes to rest on the ground; the probe keeps flying', async () => {
    const bodies = room(2);
    const scene = createScene('heap', 1, 1, { hasProbe: true });
    const world = await createBenchWorld(engine, scene, bodies);
    for (let tick = 0; tick < 120; tick++) world.step(STEP_SECONDS);
    const at = positionsOf(bodies);
    expect(at(slotOf(present(world.ids[0]))).y).toBeCloseTo(0.5, 1);
    const probe = at(slotOf(present(world.probeId)));
    expect(probe.x).toBeCloseTo(2, 3);
    expect(probe.y).toBe(60);
    expect(metaAt(bodies, 0) & BODY_ASLEEP).toBe(0);
    world.free();
    expect(bodies.bodyCount).toBe(0);
  });

  test('resting bodies are asleep, and not published', async () => {
    const bodies = room(9);
    const scene = createScene('resting', 9, 1);
    const world = await createBenchWorld(engine, scene, bodies);
    // Rapier wakes bodies that it finds touching for the first time, and they fall asleep again.
    for (let tick = 0; tick < 180; tick++) world.step(STEP_SECONDS);
    bodies.beginState(777);
    for (let tick = 0; tick < 5; tick++) world.step(STEP_SECONDS);
    expect([...bodies.changedAt]).not.toContain(777);
    for (let slot = 0; slot < 9; slot++) expect(metaAt(bodies, slot) & BODY_ASLEEP).not.toBe(0);
    world.free();
  });

  test('a body that has fallen starts again, without velocity', async () => {
    const bodies = room(4);
    const scene = createScene('rain', 4, 2);
    const world = await createBenchWorld(engine, scene, bodies);
    const dropped = new Set<number>();
    const counted: BenchWorld = {
      ...world,
      drop(index, pose) {
        dropped.add(index);
        world.drop(index, pose);
        const slot = slotOf(present(world.ids[index]));
        world.step(STEP_SECONDS);
        expect(pose.y - positionsOf(bodies)(slot).y).toBeCloseTo(0, 2);
      },
    };
    for (let tick = 0; tick < 280; tick++) {
      respawnFallen(counted, scene, bodies, tick);
      world.step(STEP_SECONDS);
    }
    expect(dropped.size).toBe(4);
    world.free();
  });
});

function room(count: number): BodyRegistry {
  return new BodyRegistry(count);
}

function positionsOf(bodies: BodyRegistry) {
  const lanes = new Float32Array(bodies.lanes.buffer);
  return (slot: number) => ({
    x: present(lanes[slot * BODY_LANES + LANE.x]),
    y: present(lanes[slot * BODY_LANES + LANE.y]),
  });
}

function metaAt(bodies: BodyRegistry, slot: number): number {
  return present(bodies.lanes[slot * BODY_LANES + LANE.meta]);
}

async function digestAfter(engine: EngineName, name: SceneName, seed: number): Promise<string> {
  const bodies = room(20);
  const world = await createBenchWorld(engine, createScene(name, 20, seed), bodies);
  for (let tick = 0; tick < 60; tick++) world.step(STEP_SECONDS);
  const hash = new StateHash();
  hash.addWords(bodies.lanes, 0, bodies.bodyLimit * BODY_LANES);
  world.hashInto(hash);
  world.free();
  return hash.digest();
}
