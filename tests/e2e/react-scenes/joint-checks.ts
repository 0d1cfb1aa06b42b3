/** Scenes of joints and forces between bodies. */
import { expect } from '../demo-page.js';
import type { OpenedScene, Triple } from './opened-scene.js';
import type { SceneChecks } from './scene-check.js';

/** The upward speed of the box at each of the springs. */
const speedsOfBoxes = ({ page }: OpenedScene): Promise<number[]> =>
  page.evaluate(() => {
    const bodies = globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? [];
    return bodies
      .filter((body) => body.isDynamic())
      .toSorted((a, b) => a.translation().x - b.translation().x)
      .map((body) => body.linvel().y);
  });

/** How often each box turns round, in a number of ticks from now on. The scene waits. */
async function turns(scene: OpenedScene, ticks: number): Promise<number[]> {
  const signs: number[] = [];
  const changes: number[] = [];
  // A tenth of an oscillation.
  for (let tick = 0; tick < ticks; tick += 5) {
    await scene.steps(5);
    for (const [index, speed] of (await speedsOfBoxes(scene)).entries()) {
      const sign = Math.abs(speed) < 0.2 ? (signs[index] ?? 0) : Math.sign(speed);
      if (sign !== (signs[index] ?? 0)) changes[index] = (changes[index] ?? 0) + 1;
      signs[index] = sign;
    }
  }
  return changes;
}

const distance = ([a, b, c]: Triple, [x, y, z]: Triple): number => Math.hypot(a - x, b - y, c - z);

/** How far the balls are from the nearest attractor, on average. */
const meanDistance = async (scene: OpenedScene): Promise<number> => {
  const centers: readonly Triple[] = [
    [-5, 0, 0],
    [5, 0, 0],
    [0, 5, 0],
  ];
  const places = await scene.places();
  const nearest = places.map((place) => Math.min(...centers.map((at) => distance(at, place))));
  return nearest.reduce((sum, value) => sum + value, 0) / nearest.length;
};

export const jointChecks: SceneChecks = {
  'rope-joint': {
    shows: 'weights hang no lower than their ropes allow, and break the wall',
    async check(scene) {
      await scene.restart();
      const firstBox = await scene.place('box 6');
      for (let part = 0; part < 10; part++) {
        await scene.steps(20);
        for (const [name, hook, length, radius] of [
          ['weight 0', [-3, 6, 0], 3, 0.4],
          ['weight 1', [0, 6, 0], 4.6, 0.6],
          ['weight 2', [3, 6, 0], 2, 0.4],
        ] as const) {
          expect(distance(hook, await scene.place(name)), name).toBeLessThan(length + radius + 0.1);
        }
      }
      expect(distance(firstBox, await scene.place('box 6'))).toBeGreaterThan(0.5);
    },
  },

  spring: {
    shows: 'without damping a box oscillates, with much it returns',
    async check(scene) {
      await scene.restart();
      await scene.page.getByRole('button', { name: 'Pull' }).press('Enter');
      const changes = await turns(scene, 240);
      // Without any, and critical.
      expect(changes[0]).toBeGreaterThan(5);
      expect(changes[4]).toBeLessThan(4);
    },
  },

  attractors: {
    shows: 'balls gather around attractors, and a button sends them away',
    async check(scene) {
      await scene.restart();
      const before = await meanDistance(scene);
      await scene.steps(180);
      const gathered = await meanDistance(scene);
      expect(gathered).toBeLessThan(before * 0.8);
      await scene.page.getByRole('button', { name: 'Repel' }).press('Enter');
      await expect(scene.page.getByRole('button', { name: 'Attract' })).toBeVisible();
      await scene.steps(180);
      expect(await meanDistance(scene)).toBeGreaterThan(gathered * 1.5);
    },
  },
};
