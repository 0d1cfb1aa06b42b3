/** Saved and restored, every scene continues with the same bits. */
import { describe, expect, test } from 'vitest';
import { SCENES, SCENE_NAMES } from '../../demo/contract/scene-contract.js';
import { RAPIER_BUILDS } from '../../src/sim-worker/engines/rapier-builds.js';
import { loadRapier } from '../../src/sim-worker/engines/rapier.js';
import { PlayedScene, isSame } from '../fixtures/played-scene.js';

/** A body is held then. */
const BEFORE = 70;
/** It is released, another is grabbed and released, and half a dozen shots are fired. */
const AFTER = 60;

describe.each(RAPIER_BUILDS)('the %s build', async (build) => {
  const rapier = await loadRapier(build);

  test.each(SCENE_NAMES)('%s', (name) => {
    const request = { name, bodies: Math.min(120, SCENES[name].bodies[1]), seed: 5 };
    const played = new PlayedScene(rapier, request);
    played.play(BEFORE);
    const saved = played.save();
    const description = played.describe();
    const expected = played.play(AFTER);

    // In a simulation that has continued with other inputs since.
    played.restore(saved);
    expect(isSame(played.save(), saved)).toBe(true);
    expect(played.describe()).toEqual(description);
    expect(played.play(AFTER)).toEqual(expected);
    played.close();

    // In a worker that has not run yet.
    const fresh = new PlayedScene(rapier, { name: 'tops', bodies: 6, seed: 1 });
    fresh.restore(saved);
    expect(fresh.describe()).toEqual(description);
    expect(fresh.play(AFTER)).toEqual(expected);
    fresh.close();
  });
});
