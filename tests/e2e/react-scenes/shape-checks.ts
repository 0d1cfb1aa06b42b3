/** Scenes of shapes and colliders. */
import { expect } from '../demo-page.js';
import { expectRareReturns } from './returns.js';
import type { SceneChecks } from './scene-check.js';

export const shapeChecks: SceneChecks = {
  plinko: {
    shows: 'shapes fall through the pegs, and a click adds six',
    async check(scene) {
      const before = await scene.count();
      const canvas = scene.page.locator('canvas');
      await canvas.click();
      await expect.poll(() => scene.count()).toBe(before + 6);
      const lowest = async () => Math.min(...(await scene.places()).map(([, y]) => y));
      await expect.poll(lowest).toBeLessThan(-3);
      // The floor of the board holds them.
      expect(await lowest()).toBeGreaterThan(-5);
    },
  },
  'all-shapes': {
    shows: 'all kinds of colliders rest on the plate',
    async check(scene) {
      await scene.restart();
      await scene.steps(150);
      for (const kind of ['cuboid', 'hull', 'trimesh']) {
        for (const shape of ['box', 'torus', 'knot', 'tetrahedron']) {
          const [, y] = await scene.place(`${shape} ${kind}`);
          expect(y, `${shape} ${kind}`).toBeGreaterThan(0);
          expect(y, `${shape} ${kind}`).toBeLessThan(0.9);
        }
      }
    },
  },
  'all-colliders': {
    shows: 'each component is its own shape, and the hills hold all',
    async check(scene) {
      const shapes = () =>
        scene.page.evaluate(() => {
          const colliders = globalThis.reactScene.betwixt?.world?.colliders.getAll() ?? [];
          return new Set(colliders.map((collider) => collider.shapeType())).size;
        });
      expect(await shapes()).toBe(11);
      // In some hundred ticks more, some roll over the edge.
      await scene.restart();
      await scene.steps(150);
      for (const name of ['cuboid', 'ball', 'round cone', 'convex hull', 'capsule']) {
        const [, y] = await scene.place(name);
        expect(y, name).toBeGreaterThan(-1);
        expect(y, name).toBeLessThan(2.5);
      }
    },
  },
  'mesh-collider-test': {
    shows: 'the bowl holds balls, and the waves hold hulls',
    async check(scene) {
      await scene.restart();
      await scene.steps(240);
      for (const index of [0, 1, 2]) {
        const [x, y, z] = await scene.place(`ball ${index}`);
        expect(Math.hypot(x + 6, z - 1), `ball ${index}`).toBeLessThan(2.6);
        expect(y).toBeGreaterThan(0.2);
      }
      for (const name of ['pawn 0', 'ring', 'mixed']) {
        expect((await scene.place(name))[1], name).toBeGreaterThan(-3.5);
      }
    },
  },
  colliders: {
    shows: 'what has fallen returns once, and a click adds a collider to the same body',
    async check(scene) {
      const growing = () =>
        scene.page.evaluate(() => {
          const bodies = globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? [];
          const { handle, colliders } = bodies
            .map((body) => ({ handle: body.handle, colliders: body.numColliders() }))
            .toSorted((a, b) => a.handle - b.handle)
            .at(-1) ?? { handle: -1, colliders: 0 };
          return { handle, colliders };
        });
      await scene.restart();
      const before = await growing();
      // It falls, and a click may take longer than it is in the picture.
      await scene.steps(60);
      await scene.click('growing');
      await expect.poll(async () => (await growing()).colliders).toBe(before.colliders + 1);
      await scene.steps(1);
      expect((await growing()).handle).toBe(before.handle);
      await scene.resume();
      await expectRareReturns(
        scene,
        ['ball', 'capsule'],
        ['box', 'ball', 'capsule', 'pin', 'growing'],
      );
    },
  },
  components: {
    shows: 'a click tosses a thing of several meshes',
    async check(scene) {
      const fastest = async () => Math.max(...(await scene.upwardSpeeds()));
      await scene.restart();
      await scene.steps(400);
      expect(await fastest()).toBeLessThan(1);
      // The toss is over in less than a second: it is looked for one tick later, however long a click takes.
      for (const name of ['snowman 0', 'snowman 1', 'snowman 2']) await scene.click(name);
      await scene.steps(2);
      expect(await fastest()).toBeGreaterThan(3);
    },
  },
  transforms: {
    shows: 'bodies in turned and scaled groups are drawn where they are',
    async check(scene) {
      // A box of 0.6 m on the plate.
      await expect.poll(async () => (await scene.place('tower 1 0'))[1]).toBeCloseTo(0.3, 1);
      const farthest = async () => {
        const places = await scene.places();
        const distances = [];
        for (const name of ['tower 0 0', 'tower 0 1', 'tower 1 1', 'scaled', 'ramp']) {
          const [x, y, z] = await scene.place(name);
          distances.push(
            Math.min(
              ...places.map((place) => Math.hypot(place[0] - x, place[1] - y, place[2] - z)),
            ),
          );
        }
        return Math.max(...distances);
      };
      await expect.poll(farthest).toBeLessThan(0.02);
    },
  },
};
