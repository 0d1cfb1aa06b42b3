/** The demo, saved and restored. */
import { expect, test } from 'vitest';
import { RAPIER_BUILDS, ofBuild } from '../../bench/engines/load-rapier.js';
import { SCENES, SCENE_NAMES, type SceneRequest } from '../contract/scene-contract.js';
import { BODY_ALIVE } from '../../src/shared/memory/body-meta.js';
import { BODY_LANES, LANE } from '../../src/shared/memory/layout.js';
import { StateHash } from '../../src/shared/recording/state-hash.js';
import type { Rapier } from '../../src/sim-worker/engines/rapier.js';
import { resetRun, restoreRun, saveRun } from '../../src/sim-worker/run/saved-run.js';
import { present } from '../../tests/fixtures/present.js';
import { startDemo, type DemoRun } from './demo-run.js';
import { PlayedScene, isSame } from './played-scene.js';

const rapier = await ofBuild.deterministic.loadRapier();
const fewest = (name: SceneRequest['name']): SceneRequest => ({
  name,
  bodies: SCENES[name].bodies[0],
  seed: 2,
});

/** @param before Ticks until the scene is saved. A body is held then. */
function expectSameAfterRestore(of: Rapier, request: SceneRequest, before: number): void {
  const played = new PlayedScene(of, request);
  played.play(before);
  const saved = played.save();
  const description = played.describe();
  const expected = played.play(12);
  // In a simulation that has continued with other inputs since.
  played.restore(saved);
  expect(isSame(played.save(), saved)).toBe(true);
  expect(played.play(12)).toEqual(expected);
  played.close();
  // In a worker that has not run yet.
  const fresh = new PlayedScene(of, fewest('tops'));
  fresh.restore(saved);
  expect(fresh.describe()).toEqual(description);
  expect(fresh.play(12)).toEqual(expected);
  fresh.close();
}

test.each(SCENE_NAMES)(
  'the scene %s continues with the same bits after it was restored',
  (name) => {
    expectSameAfterRestore(rapier, { name, bodies: SCENES[name].bodies[0], seed: 5 }, 20);
  },
);

const OTHERS = RAPIER_BUILDS.filter((build) => build !== 'deterministic');

test.each(OTHERS)('a scene on the %s build continues with the same bits', async (build) => {
  expectSameAfterRestore(await ofBuild[build].loadRapier(), fewest('tops'), 30);
});

test('a state that is damaged, of another engine or too large leaves the running scene as it is', async () => {
  const [played, control] = [0, 1].map(() => new PlayedScene(rapier, fewest('tops'), 60)) as [
    PlayedScene,
    PlayedScene,
  ];
  const saved = played.save();
  const damaged = saved.stage.slice();
  damaged[80] = present(damaged[80]) ^ 1;
  const foreign = new PlayedScene(await ofBuild.simd.loadRapier(), fewest('tops'), 60).save();
  const large = new PlayedScene(rapier, { name: 'dominoes', bodies: 61, seed: 1 }).save();
  expect(() => played.restore({ ...saved, stage: damaged })).toThrow(/damaged/);
  expect(() => played.restore({ ...saved, stage: foreign.stage })).toThrow(/rapier3d-simd/);
  expect(() => played.restore({ ...saved, stage: large.stage })).toThrow(/higher capacity/);
  expect(played.play(20)).toEqual(control.play(20));
  played.close();
  control.close();
});

const REQUEST = { name: 'heap', bodies: 100, seed: -3 } as const;

/** Of what is visible, without generations, which differ when a scene is built twice. */
function digestOf({ bodies, simulation }: DemoRun): string {
  const hash = new StateHash();
  const { lanes } = bodies;
  for (let at = 0; at < bodies.bodyLimit * BODY_LANES; at += BODY_LANES) {
    if (((lanes[at + LANE.meta] ?? 0) & BODY_ALIVE) === 0) continue;
    hash.addWords(lanes, at, at + LANE.meta);
    hash.addWords(lanes, at + LANE.meta + 1, at + BODY_LANES);
  }
  simulation.hash?.(hash);
  return hash.digest();
}

test('a run of the demo begins with the scene of its setup, which loadScene changes', async () => {
  const loaded = await startDemo('deterministic', 320);
  loaded.simulation.queries.loadScene(REQUEST);
  expect(loaded.run.description).toMatchObject({ setup: REQUEST, seed: 2 ** 32 - 3 });
  const set = await startDemo('deterministic', 320, REQUEST);
  for (const demo of [loaded, set]) demo.step(30);
  expect(digestOf(set)).toBe(digestOf(loaded));
  await expect(
    startDemo('deterministic', 320, { name: 'castle', bodies: 3, seed: 1 }),
  ).rejects.toThrow(/castle/);
});

test('a run of the demo is reset, saved and restored, with a scene and without one', async () => {
  const demo = await startDemo('deterministic', 320);
  const { simulation, run } = demo;
  const empty = saveRun(run);
  simulation.queries.loadScene(REQUEST);
  const first = digestOf(demo);
  demo.step(20);
  simulation.commands.shoot([0, 3, 20], [0, 0, -1]);
  const saved = saveRun(run);
  const description = simulation.queries.describe();
  demo.step(20);
  const expected = digestOf(demo);
  restoreRun(run, empty);
  expect(simulation.queries.describe()).toBeUndefined();
  demo.step();
  // Once into an empty simulation, once over the same scene.
  for (let time = 0; time < 2; time++) {
    restoreRun(run, saved);
    expect(simulation.queries.describe()).toEqual(description);
    demo.step(20);
    expect(digestOf(demo)).toBe(expected);
  }
  resetRun(run, run.description);
  expect(digestOf(demo)).toBe(first);
});
