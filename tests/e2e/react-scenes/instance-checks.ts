/** Scenes of many bodies that one mesh draws. */
import { expect } from '../demo-page.js';
import type { OpenedScene } from './opened-scene.js';
import type { SceneChecks } from './scene-check.js';

/** Handles of all bodies. */
const handles = (scene: OpenedScene): Promise<number[]> =>
  scene.page.evaluate(() =>
    (globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? []).map(({ handle }) => handle),
  );

/** How often a frame pushes bodies. */
const impulsesOfAFrame = (scene: OpenedScene): Promise<number> =>
  scene.page.evaluate(async () => {
    const [body] = globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? [];
    const prototype = Object.getPrototypeOf(body) as NonNullable<typeof body>;
    const { applyImpulse } = prototype;
    let count = 0;
    prototype.applyImpulse = function counting(...args): void {
      count++;
      applyImpulse.apply(this, args);
    };
    const counts = [];
    for (let frame = 0; frame < 4; frame++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      counts.push(count);
      count = 0;
    }
    prototype.applyImpulse = applyImpulse;
    return Math.max(...counts);
  });

export const instanceChecks: SceneChecks = {
  cluster: {
    shows: 'a thousand impulses a frame pull all balls together',
    async check(scene) {
      expect(await scene.count()).toBe(1000);
      expect(await impulsesOfAFrame(scene)).toBe(1000);
      const meanDistance = async () => {
        const places = await scene.places();
        return places.reduce((sum, place) => sum + Math.hypot(...place), 0) / places.length;
      };
      await expect.poll(meanDistance).toBeLessThan(10);
    },
  },
  'instanced-meshes': {
    shows: 'one of 2,000 is removed by a click, another one is added, and the others stay',
    async check(scene) {
      const before = await handles(scene);
      expect(before.length).toBe(2001);
      // None is so high any more that it is in front of the ground behind them.
      await scene.waitForTicks(150);
      // Nothing moves away from the pointer, however long a click takes.
      await scene.pause();
      // In front.
      const [place = [0, 0, 0]] = (await scene.instancePlaces('gems')).slice(1975);
      await scene.clickAt(place);
      await expect.poll(() => scene.count()).toBe(2000);
      await scene.steps(1);
      const after = await handles(scene);
      expect(after.every((handle) => before.includes(handle))).toBe(true);
      await scene.clickAt([0, 0, -30]);
      await expect.poll(() => scene.count()).toBe(after.length + 1);
      await scene.steps(5);
      expect((await handles(scene)).slice(0, -1)).toEqual(after);
      // Instance i is body i: the ground is the first one.
      const farthest = async () => {
        const [, ...bodies] = await scene.places();
        const drawn = await scene.instancePlaces('gems');
        const distances = bodies.map(([x, y, z], index) => {
          const [a = 0, b = 0, c = 0] = drawn[index] ?? [];
          return Math.hypot(x - a, y - b, z - c);
        });
        return Math.max(...distances);
      };
      await expect.poll(farthest).toBeLessThan(0.3);
      await scene.resume();
    },
  },
  'instances-meshes-compound': {
    shows: 'each instance has three colliders, and its index says which one is clicked',
    async check(scene) {
      await scene.restart();
      const colliders = await scene.page.evaluate(() =>
        (globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? [])
          .slice(1)
          .map((body) => body.numColliders()),
      );
      expect(colliders).toEqual(Array.from({ length: 80 }, () => 3));
      await scene.steps(200);
      // Few fall over the edge of the box.
      const inside = (await scene.places()).filter(([, y]) => y > -0.5);
      expect(inside.length).toBeGreaterThan(60);
      const places = await scene.instancePlaces('clubs');
      const [top = [0, 0, 0]] = places.toSorted((a, b) => b[1] - a[1]);
      await scene.clickAt(top);
      await scene.steps(1);
      expect(Math.max(...(await scene.upwardSpeeds()))).toBeGreaterThan(5);
      await scene.resume();
    },
  },
};
