/** The raw set of joints of each build of the engine. */
import { expect, test } from 'vitest';
import { jointAxesOf } from '../../../src/rapier/joint-axes.js';
import { loadRapier as loadSimd } from '../../../src/rapier/rapier.js';
import { loadRapier as loadCompat } from '../../../src/rapier/rapier-compat.js';
import { loadRapier as loadDeterministic } from '../../../src/rapier/rapier-deterministic.js';

test.each([
  ['simd', loadSimd],
  ['compat', loadCompat],
  ['deterministic', loadDeterministic],
] as const)(
  'the build %s has limits and motors by axis; what it lacks is named',
  async (build, load) => {
    const { World } = await load();
    const world = new World({ x: 0, y: 0, z: 0 });
    const axes = jointAxesOf(world);
    Object.assign(axes, { jointSetLimits: undefined });
    expect(() => jointAxesOf(world)).toThrow(
      new RegExp(`^the engine rapier3d-${build} 0\\.2.* has no jointSetLimits,`),
    );
    world.free();
  },
);
