import { expect, test } from 'vitest';
import { SCENES, SCENE_NAMES } from '../contract/scene-contract.js';
import { createDemoSimulation } from '../simulation/demo-simulation.js';
import { replay } from '../../src/sim-worker/index.js';
import { runTicks } from '../../src/sim-worker/testing/index.js';
import { present } from '../../tests/fixtures/present.js';

test.each(SCENE_NAMES)(
  'the scene %s has its bodies, which move, and continues with the same bits after it was restored',
  async (name) => {
    const [bodies] = SCENES[name].bodies;
    const first = new Map<number, number>();
    let moved = 0;
    const { recording } = await runTicks(createDemoSimulation('simd'), {
      ticks: 60,
      capacity: 400,
      setup: { name, bodies, seed: 3 },
      hashEveryTicks: 10,
      saveEveryTicks: 30,
      onTick({ tick, poses }) {
        for (const [id, { y }] of poses) {
          if (tick === 1) first.set(id, y);
          else moved = Math.max(moved, Math.abs(y - (first.get(id) ?? y)));
        }
      },
    });
    expect(first.size).toBe(bodies);
    expect(moved).toBeGreaterThan(0.001);
    const start = present(recording.states[0]);
    const again = await replay(createDemoSimulation('simd'), { ...recording, start });
    expect(again).toMatchObject({ tick: 60, hashes: 3, differsAt: undefined });
  },
);
