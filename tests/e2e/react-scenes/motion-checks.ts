/** Scenes of joints, motors, and of bodies that the page moves. */
import { expect } from '../demo-page.js';
import type { OpenedScene, Triple } from './opened-scene.js';
import { expectRareReturns } from './returns.js';
import type { SceneChecks } from './scene-check.js';

const distance = ([x, y, z]: Triple, [a, b, c]: Triple): number => Math.hypot(x - a, y - b, z - c);

const between = async (scene: OpenedScene, one: string, other: string): Promise<number> =>
  distance(await scene.place(one), await scene.place(other));

export const motionChecks: SceneChecks = {
  joints: {
    shows: 'chain, door, piston, glue and rope hold',
    async check(scene) {
      const piston = async () => (await scene.place('piston'))[1];
      // Frames set the targets of piston and handle. They are reached before they are looked at, and nothing is between two
      // targets then.
      await scene.restart();
      for (const isThere of [(y: number) => y > 2, (y: number) => y < 1.2])
        while (!isThere(await piston())) await scene.steps(30);
      // It swings, and may be slack for a while.
      await scene.stepUntil(async () => (await between(scene, 'hook', 'load')) > 2.9, 600);
      await scene.steps(60);
      // Drawn places of one moment each.
      const [links, load, glued, door] = await scene.page.evaluate(() => {
        const objects = globalThis.reactScene.betwixt?.state.scene;
        const place = (name: string): Triple => {
          const { x = 0, y = 0, z = 0 } = objects?.getObjectByName(name)?.position ?? {};
          return [x, y, z];
        };
        return [
          ['handle', ...[0, 1, 2, 3, 4, 5, 6, 7].map((link) => `link ${link}`)].map(place),
          [place('hook'), place('load')] as const,
          [place('left'), place('right')] as const,
          objects?.getObjectByName('door')?.rotation.y ?? 9,
        ] as const;
      });
      for (const [index, link] of links.slice(1).entries()) {
        const gap = distance(link, links[index] ?? link);
        expect(gap, `link ${index}`).toBeLessThan(0.8);
      }
      expect(distance(...load)).toBeLessThan(3.15);
      expect(distance(...glued)).toBeCloseTo(Math.SQRT2, 1);
      expect(Math.abs(door)).toBeLessThan(1.3);
    },
  },
  cradle: {
    shows: 'the last ball takes what the first one gave, and the middle one hangs still',
    async check(scene) {
      const heights = () =>
        scene.page.evaluate(() => {
          const objects = globalThis.reactScene.betwixt?.state.scene;
          return [2, 4].map((ball) => objects?.getObjectByName(`ball ${ball}`)?.position.y ?? 9);
        });
      await scene.restart();
      await scene.stepUntil(async () => ((await heights())[1] ?? 0) > 0.4, 200);
      expect((await heights())[0]).toBeLessThan(0.1);
    },
  },
  car: {
    shows: 'the page drives it by motors and keys',
    async check(scene) {
      const x = async () => (await scene.place('car'))[0];
      // Frames turn it round: between two of them it may not go far.
      const drive = async (isThere: (place: number) => boolean): Promise<void> => {
        for (let looks = 0; !isThere(await x()); looks++) {
          expect(looks).toBeLessThan(100);
          await scene.steps(10);
        }
      };
      await scene.restart();
      await drive((place) => place > 3);
      await scene.page.keyboard.down('ArrowLeft');
      // Farther than it goes without a driver.
      await drive((place) => place < -8);
      await scene.page.keyboard.up('ArrowLeft');
      for (const wheel of [0, 1, 2, 3]) {
        const far = await scene.page.evaluate((index) => {
          const objects = globalThis.reactScene.betwixt?.state.scene;
          const [car, other] = ['car', `wheel ${index}`].map((name) =>
            objects?.getObjectByName(name),
          );
          return car === undefined || other === undefined
            ? 9
            : car.position.distanceTo(other.position);
        }, wheel);
        expect(far).toBeGreaterThan(1.2);
        expect(far).toBeLessThan(1.9);
      }
    },
  },
  'api-usage': {
    shows: 'methods of refs and of the world do what the knobs say',
    async check(scene) {
      // Of the newest state: while it waits, the picture is a delay older.
      const height = async (body: number) => (await scene.places())[body]?.[1] ?? Number.NaN;
      const offside = async (body: number) => {
        const [x, , z] = (await scene.places())[body] ?? [Number.NaN, 0, 0];
        return Math.hypot(x, z);
      };
      const [ball, box] = [1, 5];
      await scene.restart();
      // It comes to rest on the ground.
      await scene.steps(300);
      expect(await height(ball)).toBeLessThan(1);
      await scene.click('jump');
      await scene.steps(20);
      expect(await height(ball)).toBeGreaterThan(1.5);
      await scene.click('return');
      await scene.steps(1);
      expect(await height(ball)).toBeGreaterThan(3.9);
      await scene.click('spin');
      await scene.steps(150);
      expect(await offside(ball)).toBeGreaterThan(0.5);
      const before = await offside(box);
      await scene.click('scatter');
      await scene.steps(60);
      expect(await offside(box)).toBeGreaterThan(before + 0.5);
      await scene.click('float');
      await scene.steps(400);
      expect(await height(box)).toBeGreaterThan(6);
      expect(await height(ball)).toBeGreaterThan(6);
      await scene.resume();
    },
  },
  kinematics: {
    shows: 'targets are followed, and a fallen ball returns once',
    async check(scene) {
      const x = async () => (await scene.place('lift'))[0];
      const start = await x();
      await expect.poll(async () => Math.abs((await x()) - start)).toBeGreaterThan(0.5);
      const turn = () =>
        scene.page.evaluate(
          () =>
            globalThis.reactScene.betwixt?.state.scene.getObjectByName('rotor')?.rotation.y ?? 0,
        );
      const angle = await turn();
      await expect.poll(async () => Math.abs((await turn()) - angle)).toBeGreaterThan(0.3);
      await expectRareReturns(scene, ['ball 10', 'ball 11']);
    },
  },
  damping: {
    shows: 'each puck goes as far as its damping lets it',
    async check(scene) {
      // Speed by damping.
      for (const [lane, meters] of [
        [5, 9 / 3],
        [4, 9 / 2.4],
        [3, 9 / 1.8],
      ] as const) {
        const way = async () => (await scene.place(`puck ${lane}`))[0] + 10;
        await expect.poll(way, `puck ${lane}`).toBeGreaterThan(meters - 0.3);
        expect(await way(), `puck ${lane}`).toBeLessThan(meters + 0.3);
      }
      const spin = (lane: number) =>
        scene.page.evaluate((index) => {
          const bodies = globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? [];
          const tops = bodies.filter((body) => body.translation().x < -12);
          return tops[index]?.angvel().z ?? 0;
        }, lane);
      expect(await spin(0)).toBeCloseTo(10, 1);
      await expect.poll(() => spin(5)).toBeLessThan(3);
    },
  },
};
