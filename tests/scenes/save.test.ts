/**
 * Saving and restoring the demo; its scenes for long and on both builds:
 * `save-in-each-build.test.ts`.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  SCENES,
  type DemoCommands,
  type DemoQueries,
  type SceneRequest,
} from '../../demo/contract/scene-contract.js';
import { BODY_ALIVE } from '../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';
import type { Json } from '../../src/shared/util/json.js';
import { StateHash } from '../../src/shared/recording/state-hash.js';
import { engineName, loadRapier, type RapierBuild } from '../../src/sim-worker/engines/rapier.js';
import { resetRun, restoreRun, saveRun } from '../../src/sim-worker/run/saved-run.js';
import { writeSavedBodies } from '../../src/sim-worker/bodies/saved-bodies.js';
import { startDemo, type DemoRun } from '../fixtures/demo-run.js';
import { PlayedScene, isSame } from '../fixtures/played-scene.js';
import { present } from '../fixtures/present.js';
import { StagedScene } from '../fixtures/staged-scene.js';

const STEP_SECONDS = 1 / 60;
const rapier = await loadRapier<RapierBuild>('deterministic');
const fewest = (name: SceneRequest['name']): SceneRequest => ({
  name,
  bodies: SCENES[name].bodies[0],
  seed: 2,
});

test.each(['bridge', 'tops', 'vehicle'] as const)(
  '%s continues with the same bits after being restored',
  (name) => {
    const played = new PlayedScene(rapier, fewest(name));
    played.play(30);
    const saved = played.save();
    expect(isSame(played.save(), saved)).toBe(true);
    const description = played.describe();
    const expected = played.play(30);
    const fresh = new PlayedScene(rapier, fewest('tops'));
    fresh.restore(saved);
    expect(fresh.describe()).toEqual(description);
    expect(fresh.play(30)).toEqual(expected);
    played.close();
    fresh.close();
  },
);

test('crates that were just returned to their places continue identically', () => {
  const played = new PlayedScene(rapier, fewest('bridge'));
  // One has been back for half a second, and is still weightless.
  played.play(600);
  const saved = played.save();
  const expected = played.play(200);
  const end = played.save();
  played.restore(saved);
  expect(played.play(200)).toEqual(expected);
  expect(isSame(played.save(), end)).toBe(true);
  played.close();
});

test('before its first step too', () => {
  const played = new PlayedScene(rapier, fewest('bridge'));
  const saved = played.save();
  const expected = played.play(20);
  played.restore(saved);
  expect(played.play(20)).toEqual(expected);
  played.close();
});

test('a car that lies on its roof is righted at the same moment', () => {
  const scene = new StagedScene(rapier, fewest('vehicle'), 40);
  const car = present(scene.stage.describe().follow);
  const heights = (ticks: number): number[] =>
    Array.from({ length: ticks }, () => {
      scene.stage.step(STEP_SECONDS);
      return present(scene.stage.physics.rigidBodyOf(car)).translation().y;
    });
  scene.stage.physics.teleport(car, { x: 0, y: 1.5, z: 29, qx: 0, qy: 0, qz: 1, qw: 0 });
  heights(70);
  const saved = scene.save();
  const expected = heights(70);
  expect(Math.max(...expected)).toBeGreaterThan(1.5);
  scene.restore(saved);
  expect(heights(70)).toEqual(expected);
  scene.close();
});

test('bytes that are damaged, of another engine or of too many bodies leave the running scene unchanged', async () => {
  const played = new PlayedScene(rapier, fewest('tops'), 60);
  const control = new PlayedScene(rapier, fewest('tops'), 60);
  const saved = played.save();
  const damaged = saved.stage.slice();
  damaged[80] = present(damaged[80]) ^ 1;
  const foreign = new PlayedScene(await loadRapier<RapierBuild>('simd'), fewest('tops'), 60).save();
  const large = new PlayedScene(rapier, { name: 'dominoes', bodies: 61, seed: 1 }).save();
  expect(() => played.restore({ ...saved, stage: damaged })).toThrow(/damaged/);
  expect(() => played.restore({ ...saved, stage: writeSavedBodies(saved.bodies) })).toThrow(
    /not the saved state of a simulation on Rapier/,
  );
  expect(() => played.restore({ ...saved, stage: foreign.stage })).toThrow(/rapier3d-simd/);
  expect(() => played.restore({ ...saved, stage: large.stage })).toThrow(/higher capacity/);
  expect(played.play(20)).toEqual(control.play(20));
  played.close();
  control.close();
});

describe('the simulation', () => {
  let demo: DemoRun;
  const begin = async (setup: Json): Promise<void> => {
    demo = await startDemo('deterministic', 320, setup);
  };
  /** Those of the running scene: each has its own. */
  const commands = (): DemoCommands => demo.simulation.commands;
  const queries = (): DemoQueries => demo.simulation.queries;
  const digest = (): string => {
    const hash = new StateHash();
    const { bodies } = demo;
    const { lanes } = bodies;
    for (let at = 0; at < bodies.bodyLimit * BODY_LANES; at += BODY_LANES) {
      if (((lanes[at + LANE.meta] ?? 0) & BODY_ALIVE) === 0) continue;
      // Generations differ when a scene is built twice.
      hash.addWords(lanes, at, at + LANE.meta);
      hash.addWords(lanes, at + LANE.meta + 1, at + BODY_LANES);
    }
    demo.simulation.hash?.(hash);
    return hash.digest();
  };
  const request = { name: 'heap', bodies: 100, seed: -3 } as const;

  beforeEach(() => begin(null));

  test('begins with the scene of its setup, which loadScene passes to the library', async () => {
    expect(demo.bodies.bodyCount).toBe(0);
    queries().loadScene(request);
    expect(demo.run.restarts).toBe(1);
    expect(demo.run.description).toMatchObject({ setup: request, seed: 2 ** 32 - 3 });
    demo.step(30);
    const expected = digest();
    await begin(request);
    expect(demo.bodies.bodyCount).toBe(100);
    demo.step(30);
    expect(digest()).toBe(expected);
    expect(demo.simulation.engine?.()).toBe(engineName(rapier));
  });

  test('reset builds the beginning again', () => {
    resetRun(demo.run, { seed: 1, setup: null, generation: 1 });
    expect(demo.bodies.bodyCount).toBe(0);
    queries().loadScene(request);
    const first = digest();
    demo.step(10);
    commands().shoot([0, 3, 20], [0, 0, -1]);
    expect(digest()).not.toBe(first);
    resetRun(demo.run, demo.run.description);
    expect(digest()).toBe(first);
    expect(demo.run.restarts).toBe(1);
  });

  test('a setup that is not a scene is refused by name', async () => {
    await expect(begin({ name: 'castle', bodies: 3, seed: 1 })).rejects.toThrow(/castle/);
  });

  test('saves and restores, also without a scene', () => {
    const empty = saveRun(demo.run);
    queries().loadScene(request);
    demo.step(20);
    const { id } = commands().shoot([0, 3, 20], [0, 0, -1]);
    const saved = saveRun(demo.run);
    demo.step(20);
    const expected = digest();
    const description = present(queries().describe());
    expect(description.bodies.at(-1)?.id).toBe(id);
    restoreRun(demo.run, empty);
    expect(queries().describe()).toBeUndefined();
    demo.step();
    // Once into an empty simulation, once over the same scene.
    for (let time = 0; time < 2; time++) {
      restoreRun(demo.run, saved);
      expect(queries().describe()).toEqual(description);
      demo.step(20);
      expect(digest()).toBe(expected);
    }
  });

  test('can hold a body with an invalid pose, or remove it', () => {
    const { bodies: looks } = queries().loadScene(request);
    const [first, second] = [present(looks[0]).id, present(looks[1]).id];
    expect(demo.simulation.onInvalidPose?.(first, 'freeze')).toBe(true);
    expect(demo.simulation.onInvalidPose?.(second, 'remove')).toBe(true);
    expect(demo.simulation.onInvalidPose?.(second, 'freeze')).toBe(false);
    expect(present(queries().describe()).bodies.map(({ id }) => id)).toEqual(
      looks.map(({ id }) => id).filter((id) => id !== second),
    );
  });

  test('the actions of visitors are commands, and part of the run; faults of the worker are not', () => {
    expect(Object.keys(commands()).toSorted()).toEqual(['drag', 'grab', 'release', 'shoot']);
    expect(Object.keys(queries())).toContain('fault');
  });
});
