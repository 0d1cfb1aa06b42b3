import { describe, expect, test } from 'vitest';
import { SCENES, SCENE_NAMES, type SceneName } from '../../demo/contract/scene-contract.js';
import { SceneRun, difference } from '../fixtures/scene-run.js';

const FAR = 500;

/** Few enough for a quick test, and enough to be representative. */
const FEW: Record<SceneName, number> = {
  tower: 100,
  heap: 150,
  dominoes: 60,
  tops: 12,
  bridge: 50,
  marbles: 40,
  vehicle: 60,
};

/** Scenes whose seed decides more than colours. */
const LEFT_TO_CHANCE = new Set<SceneName>(['heap', 'tops', 'bridge']);

/** The fewest and the most, and some between that are not round. */
function countsOf(name: SceneName): number[] {
  const [min, typical, max] = SCENES[name].bodies;
  return [min, min + 1, min + 7, typical + 1, max];
}

describe.each(SCENE_NAMES)('%s', (name) => {
  test('with its usual bodies at 60 Hz: all poses finite, and something always moves', () => {
    const run = new SceneRun(name);
    const wanted = SCENES[name].bodies[1];
    expect(run.bodies.bodyCount).toBe(run.description.bodies.length);
    expect(run.bodies.bodyCount).toBe(wanted);
    for (let second = 0; second < 3; second++) {
      run.step(59);
      const before = run.snapshot();
      run.step();
      const after = run.snapshot();
      expect(after.every(Number.isFinite)).toBe(true);
      expect(difference(before, after)).toBeGreaterThan(0.001);
    }
    expect(run.bodies.invalidPoses).toBe(0);
    expect(run.extent).toBeLessThan(FAR);
    run.close();
  });

  test('something still moves after eight seconds', () => {
    const run = new SceneRun(name, { bodies: FEW[name] });
    run.play(8);
    const before = run.snapshot();
    run.step();
    expect(difference(before, run.snapshot())).toBeGreaterThan(0.001);
    run.close();
  });

  test.each([10, 20, 240])('nothing leaves at %i Hz', (hz) => {
    const run = new SceneRun(name, { hz, bodies: FEW[name] });
    for (let second = 0; second < 2; second++) {
      run.play(1);
      expect(run.extent).toBeLessThan(FAR);
    }
    expect(run.bodies.invalidPoses).toBe(0);
    run.close();
  });

  test.each(countsOf(name))('accepts %i bodies, and has exactly that many', (bodies) => {
    const run = new SceneRun(name, { bodies });
    expect(run.bodies.bodyCount).toBe(bodies);
    run.step(5);
    expect(run.bodies.invalidPoses).toBe(0);
    run.close();
  });

  test('the same seed gives the same states, and another seed different ones', () => {
    const play = (seed: number): number[] => {
      const run = new SceneRun(name, { bodies: FEW[name], seed });
      run.play(0.5);
      const snapshot = run.snapshot();
      run.close();
      return snapshot;
    };
    const first = play(3);
    expect(play(3)).toEqual(first);
    const isOther = difference(play(4), first) > 0;
    expect(isOther || !LEFT_TO_CHANCE.has(name)).toBe(true);
  });

  test('the page receives what it needs to draw it', () => {
    const run = new SceneRun(name, { bodies: FEW[name] });
    const { description } = run;
    expect(structuredClone(description)).toEqual(description);
    expect(description.name).toBe(name);
    expect(new Set(description.bodies.map(({ id }) => id)).size).toBe(description.bodies.length);
    for (const { id, parts } of description.bodies) {
      expect(run.bodies.isAlive(id)).toBe(true);
      expect(parts.length).toBeGreaterThan(0);
    }
    expect(description.isDrivable).toBe(name === 'vehicle');
    expect(description.follow !== undefined).toBe(name === 'vehicle');
    run.close();
  });
});
