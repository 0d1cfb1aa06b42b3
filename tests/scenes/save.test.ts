/** Saving and restoring the demo; its scenes for long and on both builds: `save-in-each-build.test.ts`. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  SCENES,
  type DemoCommands,
  type DemoEvents,
  type DemoQueries,
  type SceneRequest,
} from '../../demo/contract/scene-contract.js';
import { createDemoSimulation } from '../../demo/simulation/demo-simulation.js';
import { bytesOfJson, jsonOfBytes } from '../../demo/simulation/saved-json.js';
import { Stage } from '../../demo/simulation/stage.js';
import { BODY_ALIVE } from '../../src/shared/body-meta.js';
import { BODY_LANES, LANE } from '../../src/shared/layout.js';
import { Random } from '../../src/shared/random.js';
import type { Json } from '../../src/shared/recording.js';
import { StateHash } from '../../src/shared/state-hash.js';
import { BodyRegistry } from '../../src/sim-worker/body-registry.js';
import { EventReporter } from '../../src/sim-worker/event-reporter.js';
import { engineName, loadRapier } from '../../src/sim-worker/engines/rapier.js';
import type { RestartOptions, Simulation } from '../../src/sim-worker/simulation.js';
import { PlayedScene, isSame } from '../fixtures/played-scene.js';
import { present } from '../fixtures/present.js';

const STEP_S = 1 / 60;
const rapier = await loadRapier('deterministic');
const fewest = (name: SceneRequest['name']): SceneRequest => ({
  name,
  bodies: SCENES[name].bodies[0],
  seed: 2,
});

test.each(['bridge', 'tops', 'vehicle'] as const)(
  '%s goes on with the same bits after being restored',
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

test('crates that were just taken back to their places go on the same way', () => {
  const played = new PlayedScene(rapier, fewest('bridge'));
  // One is back for half a second, and still without weight.
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
  const bodies = new BodyRegistry(40);
  let stage = new Stage(rapier, bodies, fewest('vehicle'));
  const car = present(stage.open().follow);
  const heights = (ticks: number): number[] =>
    Array.from({ length: ticks }, () => {
      stage.step(STEP_S);
      return present(stage.physics.rigidBodyOf(car)).translation().y;
    });
  stage.physics.teleport(car, { x: 0, y: 1.5, z: 29, qx: 0, qy: 0, qz: 1, qw: 0 });
  heights(70);
  const saved = { bodies: bodies.save(), stage: stage.save() };
  const expected = heights(70);
  expect(Math.max(...expected)).toBeGreaterThan(1.5);
  bodies.restore(saved.bodies);
  const next = Stage.restore(rapier, bodies, saved.stage);
  stage.discard();
  stage = next;
  expect(heights(70)).toEqual(expected);
  stage.close();
});

test('bytes that are damaged, of another engine or of too many bodies leave what runs alone', async () => {
  const played = new PlayedScene(rapier, fewest('tops'), 60);
  const control = new PlayedScene(rapier, fewest('tops'), 60);
  const saved = played.save();
  const damaged = saved.stage.slice();
  damaged[80] = present(damaged[80]) ^ 1;
  const foreign = new PlayedScene(await loadRapier('simd'), fewest('tops'), 60).save();
  const large = new PlayedScene(rapier, { name: 'dominoes', bodies: 61, seed: 1 }).save();
  expect(() => played.restore({ ...saved, stage: damaged })).toThrow(/damaged/);
  expect(() => played.restore({ ...saved, stage: saved.bodies })).toThrow(/not a saved stage/);
  expect(() => played.restore({ ...saved, stage: foreign.stage })).toThrow(/rapier3d-simd/);
  expect(() => played.restore({ ...saved, stage: large.stage })).toThrow(/higher capacity/);
  expect(played.play(20)).toEqual(control.play(20));
  played.close();
  control.close();
});

test('small state comes back bit for bit', () => {
  const state: Json = [0, -0, 1 / 3, 5e-324, { deep: [-0, 'text', null, true] }];
  expect(jsonOfBytes(bytesOfJson(state))).toEqual(state);
});

describe('the simulation', () => {
  let bodies: BodyRegistry;
  let simulation: Simulation<DemoCommands, DemoEvents, DemoQueries>;
  let commands: DemoCommands;
  let queries: DemoQueries;
  let restarts: (RestartOptions | undefined)[];

  const begin = async (setup: Json): Promise<void> => {
    bodies = new BodyRegistry(320);
    simulation = createDemoSimulation('deterministic');
    commands = present(simulation.commands);
    queries = present(simulation.queries);
    restarts = [];
    const context = {
      bodies,
      capacity: bodies.capacity,
      stepS: STEP_S,
      seed: 1,
      setup,
      random: new Random(1),
      events: new EventReporter(undefined),
      restart: (options?: RestartOptions) => {
        restarts.push(options);
        context.setup = options?.setup ?? context.setup;
        simulation.reset?.();
      },
    };
    await simulation.init(context);
  };
  const step = (ticks: number): void => {
    for (let tick = 1; tick <= ticks; tick++) simulation.step(STEP_S, tick, []);
  };
  const digest = (): string => {
    const hash = new StateHash();
    const { lanes } = bodies;
    for (let at = 0; at < bodies.bodyLimit * BODY_LANES; at += BODY_LANES) {
      if (((lanes[at + LANE.meta] ?? 0) & BODY_ALIVE) === 0) continue;
      // Generations differ when a scene is built twice.
      hash.addWords(lanes, at, at + LANE.meta);
      hash.addWords(lanes, at + LANE.meta + 1, at + BODY_LANES);
    }
    simulation.hash?.(hash);
    return hash.digest();
  };
  const request = { name: 'heap', bodies: 100, seed: -3 } as const;

  beforeEach(() => begin(null));

  test('begins with the scene of its setup, which loadScene tells the library', async () => {
    expect(bodies.bodyCount).toBe(0);
    queries.loadScene(request);
    expect(restarts).toEqual([{ setup: request, seed: 2 ** 32 - 3 }]);
    step(30);
    const expected = digest();
    await begin(request);
    expect(bodies.bodyCount).toBe(100);
    step(30);
    expect(digest()).toBe(expected);
    expect(simulation.engine?.()).toBe(engineName(rapier));
  });

  test('reset builds the beginning again', () => {
    simulation.reset?.();
    expect(bodies.bodyCount).toBe(0);
    queries.loadScene(request);
    const first = digest();
    step(10);
    commands.shoot([0, 3, 20], [0, 0, -1]);
    expect(digest()).not.toBe(first);
    simulation.reset?.();
    expect(digest()).toBe(first);
    expect(restarts).toHaveLength(1);
  });

  test('a setup that is no scene is refused by name', async () => {
    await expect(begin({ name: 'castle', bodies: 3, seed: 1 })).rejects.toThrow(/castle/);
  });

  test('saves and restores, also that there is no scene', () => {
    const empty = { bodies: bodies.save(), own: present(simulation.save?.()) };
    queries.loadScene(request);
    step(20);
    const { id } = commands.shoot([0, 3, 20], [0, 0, -1]);
    const saved = { bodies: bodies.save(), own: present(simulation.save?.()) };
    step(20);
    const expected = digest();
    const description = present(queries.describe());
    expect(description.bodies.at(-1)?.id).toBe(id);
    bodies.restore(empty.bodies);
    simulation.restore?.(empty.own);
    expect(queries.describe()).toBeUndefined();
    step(1);
    // Once in the place of nothing, once in that of the same scene.
    for (let time = 0; time < 2; time++) {
      bodies.restore(saved.bodies);
      simulation.restore?.(saved.own);
      expect(queries.describe()).toEqual(description);
      step(20);
      expect(digest()).toBe(expected);
    }
  });

  test('can hold a body that has gone bad, or take it out', () => {
    const { bodies: looks } = queries.loadScene(request);
    const [first, second] = [present(looks[0]).id, present(looks[1]).id];
    expect(simulation.quarantine?.(first, 'freeze')).toBe(true);
    expect(simulation.quarantine?.(second, 'remove')).toBe(true);
    expect(simulation.quarantine?.(second, 'freeze')).toBe(false);
    expect(present(queries.describe()).bodies.map(({ id }) => id)).toEqual(
      looks.map(({ id }) => id).filter((id) => id !== second),
    );
  });

  test('what visitors do is a command, and a part of the run; what breaks the worker is not', () => {
    expect(Object.keys(commands).toSorted()).toEqual(['drag', 'grab', 'release', 'shoot']);
    expect(Object.keys(queries)).toContain('fault');
  });
});
