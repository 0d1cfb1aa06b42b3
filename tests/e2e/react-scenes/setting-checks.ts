/** Scenes of what can be set of bodies, and of the whole world. */
import { expect } from '../demo-page.js';
import type { OpenedScene, Triple } from './opened-scene.js';
import type { SceneChecks } from './scene-check.js';

/** How an object is turned. */
const turnOf = ({ page }: OpenedScene, name: string) =>
  page.evaluate((wanted) => {
    const object = globalThis.reactScene.betwixt?.state.scene.getObjectByName(wanted);
    const [x = 0, y = 0, z = 0, w = 1] = object?.quaternion.toArray() ?? [];
    return { x, y, z, w };
  }, name);

const textOf = async ({ page }: OpenedScene): Promise<string> =>
  (await page.getByTestId('panel').getByRole('status').textContent()) ?? '';

/** The type of the body at an object: of Rapier's `RigidBodyType`. */
const typeAt = (scene: OpenedScene, [x, y]: Triple) =>
  scene.page.evaluate(
    ([atX, atY]) =>
      globalThis.reactScene.betwixt?.world?.bodies
        .getAll()
        .find((body) => Math.hypot(body.translation().x - atX, body.translation().y - atY) < 0.3)
        ?.bodyType(),
    [x, y] as const,
  );

const heightOf = async (scene: OpenedScene, name: string): Promise<number> =>
  (await scene.place(name))[1];

export const settingChecks: SceneChecks = {
  'manual-step': {
    shows: 'buttons advance the paused world, and the hooks count the steps',
    move: async (page, library) => {
      const turned = () =>
        page.evaluate(
          (name) =>
            globalThis.reactScene[name]?.state.scene.getObjectByName('domino 1')?.quaternion.z ?? 0,
          library,
        );
      const before = await turned();
      await page.getByRole('button', { name: '60 steps' }).press('Enter');
      await expect.poll(turned).not.toBe(before);
      await expect.poll(() => page.getByTestId('panel').textContent()).toContain('60 after');
      await page.getByRole('button', { name: 'Reset' }).press('Enter');
    },
    async check(scene) {
      await expect.poll(() => textOf(scene)).toBe('0 before, 0 after');
      await scene.page.getByRole('button', { name: '10 steps' }).press('Enter');
      await expect.poll(() => textOf(scene)).toBe('10 before, 10 after');
      await scene.press('Step');
      await expect.poll(() => textOf(scene)).toBe('11 before, 11 after');
      expect(await scene.tick()).toBe(11);
    },
  },

  'locked-transforms': {
    shows: 'bodies move only as they may, and fall when they are unlocked',
    async check(scene) {
      await scene.restart();
      // Drawn from the worker's states, whose numbers have fewer digits, and not hit yet.
      await scene.steps(5);
      const names = ['mill', 'pivot', 'slider'] as const;
      const [mill, pivot, slider] = await Promise.all(names.map((name) => scene.place(name)));
      await scene.resume();
      const isHit = async () => {
        const [turned, tilted] = [await turnOf(scene, 'mill'), await turnOf(scene, 'pivot')];
        const [x = 0] = await scene.place('slider');
        return Math.abs(turned.z) > 0.1 && Math.abs(tilted.x) > 0.02 && x !== (slider?.[0] ?? x);
      };
      await expect.poll(isHit).toBe(true);
      expect(await scene.place('mill')).toEqual(mill);
      expect(await scene.place('pivot')).toEqual(pivot);
      const [, y, z] = await scene.place('slider');
      expect([y, z]).toEqual(slider?.slice(1));
      expect(await turnOf(scene, 'mill')).toMatchObject({ x: 0, y: 0 });
      expect(await turnOf(scene, 'slider')).toMatchObject({ x: 0, y: 0, z: 0 });
      expect(await turnOf(scene, 'upright')).toMatchObject({ x: 0, y: 0, z: 0 });
      await scene.page.getByRole('checkbox', { name: 'Locked' }).press('Space');
      await expect.poll(() => heightOf(scene, 'slider')).toBeLessThan(1.5);
      await expect.poll(() => heightOf(scene, 'pivot')).toBeLessThan(1.5);
    },
  },

  performance: {
    shows: 'what has fallen begins again, once each time',
    async check({ page }) {
      const resets = await page.evaluate(async () => {
        const { world } = globalThis.reactScene.betwixt ?? {};
        const seen: { readonly handle: number; readonly tick: number }[] = [];
        world?.forEachRigidBody((body) => {
          const set = body.setTranslation.bind(body);
          body.setTranslation = (...args) => {
            seen.push({ handle: body.handle, tick: world.frame.newestTick });
            set(...args);
          };
        });
        const isEnough = () => seen.length > 60;
        while (!isEnough()) await new Promise((resolve) => requestAnimationFrame(resolve));
        return seen;
      });
      const last = new Map<number, number>();
      for (const { handle, tick } of resets) {
        // No body falls 19 m in a second.
        expect(tick - (last.get(handle) ?? -60)).toBeGreaterThanOrEqual(60);
        last.set(handle, tick);
      }
    },
  },

  'dynamic-type-change': {
    shows: 'a box is dragged, falls when it is released, and is fixed by a click',
    async check(scene) {
      const { mouse } = scene.page;
      await expect.poll(() => heightOf(scene, 'box 4')).toBeLessThan(1.6);
      const [x, y] = await scene.pixelOf('box 4');
      await mouse.move(x, y);
      await mouse.down();
      await mouse.move(x, y - 60, { steps: 6 });
      await expect.poll(() => heightOf(scene, 'box 4')).toBeGreaterThan(2);
      // Kinematic, by positions.
      await expect.poll(async () => typeAt(scene, await scene.place('box 4'))).toBe(2);
      await mouse.up();
      await expect.poll(() => heightOf(scene, 'box 4')).toBeLessThan(1.6);
      await scene.click('box 4');
      await expect.poll(async () => typeAt(scene, await scene.place('box 4'))).toBe(1);
      await scene.click('box 4');
      await expect.poll(async () => typeAt(scene, await scene.place('box 4'))).toBe(0);
    },
  },

  stuttering: {
    shows: 'small sets are drawn as motion, and the wrap as a jump',
    async check({ page }) {
      const drawn = await page.evaluate(async () => {
        const { state } = globalThis.reactScene.betwixt ?? {};
        // Without those at which the picture was the same as before: a slow machine has many.
        const places: number[] = [];
        const wraps = () => places.filter((x, index) => x < (places[index - 1] ?? x)).length;
        while (wraps() < 3 || places.length < 60) {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const x = state?.scene.getObjectByName('train 9')?.position.x ?? 0;
          if (x !== places.at(-1)) places.push(x);
        }
        return places;
      });
      // A wrap that is drawn as motion goes back in several pictures.
      const isBack = (index: number) => (drawn[index] ?? 0) < (drawn[index - 1] ?? -Infinity);
      const smears = drawn.filter((_, index) => isBack(index) && isBack(index - 1));
      expect(smears).toEqual([]);
    },
  },

  'immutable-props': {
    shows: 'a fixed body is turned, and immutable props make other bodies and colliders',
    async check(scene) {
      const { page } = scene;
      const before = await turnOf(scene, 'turntable');
      await expect.poll(async () => (await turnOf(scene, 'turntable')).y).not.toBe(before.y);
      await expect.poll(() => textOf(scene)).toMatch(/body \d+, wall \d+/);
      const handles = async () => ((await textOf(scene)).match(/\d+/g) ?? []).map(Number);
      const [body = 0, wall = 0] = await handles();
      await page.getByRole('checkbox', { name: 'Wide wall' }).press('Space');
      await expect.poll(async () => (await handles())[1]).toBeGreaterThan(wall);
      expect((await handles())[0]).toBe(body);
      await page.getByRole('radio', { name: 'ball' }).press('Space');
      await expect.poll(async () => (await handles())[0]).toBeGreaterThan(body);
      const [another = 0] = await handles();
      await page.getByRole('checkbox', { name: 'Can sleep' }).press('Space');
      await expect.poll(async () => (await handles())[0]).toBeGreaterThan(another);
      await expect.poll(() => scene.count()).toBe(2);
    },
  },

  'contact-skin': {
    shows: 'boxes keep their distances, until they have no skin',
    async check(scene) {
      const tops = () => Promise.all([0, 1, 2].map((tower) => heightOf(scene, `box ${tower} 4`)));
      // Half a box and four boxes, with the skin of one box at the floor and of two between boxes.
      const expectTops = (heights: readonly number[]) =>
        expect
          .poll(async () =>
            (await tops()).every((top, index) => Math.abs(top - (heights[index] ?? 0)) < 0.06),
          )
          .toBe(true);
      await expectTops([4.5, 4.95, 5.85]);
      await scene.page.getByRole('checkbox', { name: 'Contact skin' }).press('Space');
      await expectTops([4.5, 4.5, 4.5]);
    },
  },

  snapshot: {
    shows: 'everything is where it was when the world was saved',
    async check(scene) {
      const { page } = scene;
      const button = (name: string) => page.getByRole('button', { name });
      const isResting = () =>
        page.evaluate(() =>
          globalThis.reactScene.betwixt?.world?.bodies
            .getAll()
            .every((body) => body.isFixed() || body.isSleeping()),
        );
      // At the beginning nothing moves, either.
      await scene.waitForTicks(30);
      await expect.poll(isResting).toBe(true);
      const saved = await scene.places();
      await button('Save').press('Enter');
      await expect(button('Restore')).toBeEnabled();
      await button('Shoot').press('Enter');
      const fallen = async () =>
        (await scene.places()).filter(([, y], index) => y < (saved[index]?.[1] ?? y) - 0.5).length;
      await expect.poll(fallen).toBeGreaterThan(3);
      await button('Restore').press('Enter');
      await expect.poll(() => scene.places()).toEqual(saved);
    },
  },
};
