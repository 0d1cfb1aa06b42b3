/** All scenes in their engine, and what each is there to show. */
import { expect, test } from 'vitest';
import { SCENES, SCENE_NAMES } from '../contract/scene-contract.js';
import { CONTINUITY_MASK } from '../../src/shared/memory/body-meta.js';
import { present } from '../../tests/fixtures/present.js';
import { SceneRun, difference } from './scene-run.js';

test.each(SCENE_NAMES)('the scene %s moves, with finite poses, and by its seed', (name) => {
  const play = (seed: number): number[] => {
    const run = new SceneRun(name, { bodies: SCENES[name].bodies[0], seed });
    run.step(59);
    const before = run.snapshot();
    run.step();
    const after = run.snapshot();
    expect(after.every(Number.isFinite)).toBe(true);
    expect(difference(before, after)).toBeGreaterThan(0.001);
    expect(run.bodies.invalidPoses).toBe(0);
    run.close();
    return after;
  };
  expect(play(3)).toEqual(play(3));
});

test.each(SCENE_NAMES)('nothing leaves the scene %s at 10 or at 240 Hz', (name) => {
  for (const [hz, seconds] of [
    [10, 2],
    [240, 0.2],
  ] as const) {
    const run = new SceneRun(name, { hz, bodies: SCENES[name].bodies[0] });
    run.play(seconds);
    expect(run.extent).toBeLessThan(500);
    expect(run.bodies.invalidPoses).toBe(0);
    run.close();
  }
});

test.each(SCENE_NAMES)('the scene %s has exactly the wanted bodies, and describes each', (name) => {
  const [min] = SCENES[name].bodies;
  for (const bodies of [min, min + 7]) {
    const run = new SceneRun(name, { bodies });
    const { description } = run;
    expect(run.bodies.bodyCount).toBe(bodies);
    expect(() => structuredClone(description)).not.toThrow();
    const ids = new Set(description.bodies.map(({ id }) => id));
    expect(ids.size).toBe(bodies);
    expect([...ids].every((id) => run.bodies.isAlive(id))).toBe(true);
    expect(description.follow !== undefined).toBe(name === 'vehicle');
    run.close();
  }
});

type Position = ReturnType<SceneRun['position']>;

const distance = (a: Position, b: Position): number =>
  Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

test('the tower stays as it is until the wrecking ball hits it', () => {
  const run = new SceneRun('tower', { bodies: 80 });
  const ids = run.description.bodies.map(({ id }) => id);
  const before = ids.map((id) => run.position(id));
  const moved = (): number =>
    ids.filter((id, index) => distance(run.position(id), present(before[index])) > 1).length;
  // The ball and its chain.
  run.play(0.5);
  expect(moved()).toBeLessThan(12);
  run.play(3.5);
  expect(moved()).toBeGreaterThan(25);
  run.close();
});

test('the row of dominoes falls to its end', () => {
  const run = new SceneRun('dominoes', { bodies: 60, hz: 30 });
  const fallen = (): number =>
    run.description.bodies.filter(({ id }) => run.uprightness(id) < 0.7).length;
  run.play(1);
  expect(fallen()).toBeLessThan(20);
  run.play(10);
  expect(fallen()).toBeGreaterThanOrEqual(58);
  run.close();
});

test('planks of the bridge hold together', () => {
  const run = new SceneRun('bridge');
  run.play(3);
  const planks = run.description.bodies.slice(0, 24).map(({ id }) => run.position(id));
  for (const [index, plank] of planks.entries()) {
    expect(plank[1]).toBeGreaterThan(0.5);
    expect(distance(plank, planks[index - 1] ?? plank)).toBeLessThan(0.8);
  }
  run.close();
});

test('marbles that have come down are teleported up, without a streak', () => {
  const run = new SceneRun('marbles', { bodies: 60 });
  const ids = run.description.bodies.map(({ id }) => id);
  let teleports = 0;
  let fastest = 0;
  for (let tick = 0; tick < 150; tick++) {
    const before = ids.map((id) => ({ id, meta: run.meta(id), at: run.position(id) }));
    run.step();
    for (const { id, meta, at } of before) {
      const isTeleport = ((meta ^ run.meta(id)) & CONTINUITY_MASK) !== 0;
      if (isTeleport) teleports += 1;
      else fastest = Math.max(fastest, distance(run.position(id), at) * 60);
    }
  }
  // In m/s, of moves that are drawn as movements.
  expect(fastest).toBeLessThan(20);
  expect(teleports).toBeGreaterThan(2);
  run.close();
});

test.each([10, 60, 240])('the car is driven with its wheels at %i Hz, and brakes', (hz) => {
  const run = new SceneRun('vehicle', { bodies: 10, hz });
  const car = present(run.description.follow);
  const before = run.position(car);
  run.stage.drive({ throttle: 1, steer: 1, brake: 0 });
  run.play(2);
  const after = run.position(car);
  expect(distance(after, before)).toBeGreaterThan(8);
  // It came along −z, and steer 1 is to the right.
  expect(after[0] - before[0]).toBeGreaterThan(1);
  for (const { id } of run.description.bodies.slice(-4)) {
    expect(distance(run.position(id), after)).toBeLessThan(2.2);
  }
  run.stage.drive({ throttle: 0, steer: 0, brake: 1 });
  run.play(2);
  const stopped = run.position(car);
  run.play(1);
  expect(distance(run.position(car), stopped)).toBeLessThan(0.2);
  run.close();
});

test('a car that lies on its roof is put on its wheels, by a teleport', () => {
  const run = new SceneRun('vehicle', { bodies: 10 });
  const car = present(run.description.follow);
  run.stage.physics.teleport(car, { x: 0, y: 1.5, z: 29, qx: 0, qy: 0, qz: 1, qw: 0 });
  run.play(0.5);
  expect(run.uprightness(car)).toBeLessThan(0);
  const before = run.meta(car) & CONTINUITY_MASK;
  run.play(4);
  expect(run.uprightness(car)).toBeGreaterThan(0.9);
  expect(run.meta(car) & CONTINUITY_MASK).not.toBe(before);
  run.close();
});
