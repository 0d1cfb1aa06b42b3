/** Scenes of what is reported of colliders. */
import type { Mesh, MeshStandardMaterial } from 'three';
import { expect } from '../demo-page.js';
import type { OpenedScene } from './opened-scene.js';
import type { SceneChecks } from './scene-check.js';

/** Whether a mesh glows, or whether it does not. Runs in the page. */
function hasGlow([name, isLit]: readonly [name: string, isLit: boolean]): boolean {
  const found = globalThis.reactScene.betwixt?.state.scene.getObjectByName(name);
  let isGlowing = false;
  found?.traverse((object) => {
    const material = (object as Mesh).material as MeshStandardMaterial | undefined;
    if ((material?.emissive?.getHex() ?? 0) > 0) isGlowing = true;
  });
  return found !== undefined && isGlowing === isLit;
}

/** Passes tick by tick until a mesh glows, and then until it does not: between two frames of a busy machine it may do both. */
async function stepThroughGlow(scene: OpenedScene, name: string, mostTicks: number): Promise<void> {
  for (const isLit of [true, false])
    await scene.stepUntil(() => scene.page.evaluate(hasGlow, [name, isLit] as const), mostTicks);
}

/** The numbers of the scene's text. */
const numbersOf = async ({ page }: OpenedScene): Promise<number[]> => {
  const text = await page.getByTestId('panel').getByRole('status').textContent();
  return (text?.match(/\d+/g) ?? []).map(Number);
};

/** Where rings were shown, relative to each of the steps. */
const ringsOnSteps = ({ page }: OpenedScene) =>
  page.evaluate(() => {
    const { scene } = globalThis.reactScene.betwixt?.state ?? {};
    const rings = scene?.getObjectByName('rings')?.children ?? [];
    return rings
      .filter((ring) => ring.position.lengthSq() > 0)
      .map((ring) =>
        ['step 0', 'step 1', 'step 2'].map((name) => {
          const [x = 0, y = 0, z = 0] =
            scene?.getObjectByName(name)?.worldToLocal(ring.position.clone()).toArray() ?? [];
          return { x, y, z };
        }),
      );
  });

/** Lets a scene that waits pass until each of some balls has risen above a height a number of times. */
async function waitForBounces(scene: OpenedScene, names: readonly string[], times: number) {
  const balls = names.map((name) => ({ name, bounces: 0, isUp: true }));
  for (let looks = 0; balls.some(({ bounces }) => bounces < times); looks++) {
    expect(looks, JSON.stringify(balls)).toBeLessThan(400);
    await scene.steps(5);
    for (const ball of balls) {
      const [, y] = await scene.place(ball.name);
      if (y < 1) ball.isUp = false;
      if (y < 1.3 || ball.isUp) continue;
      ball.isUp = true;
      ball.bounces += 1;
    }
  }
}

export const eventChecks: SceneChecks = {
  'collision-events': {
    shows: 'rings are where balls touch the steps, and balls glow while they touch',
    async check(scene) {
      await scene.restart();
      await stepThroughGlow(scene, 'ball 0', 80);
      await scene.resume();
      await expect.poll(async () => (await ringsOnSteps(scene)).length).toBeGreaterThan(7);
      for (const places of await ringsOnSteps(scene)) {
        // On the upper side of one of them, or at its edge.
        const isOnStep = places.some(
          ({ x, y, z }) => Math.abs(x) < 1.25 && y > 0 && y < 0.25 && Math.abs(z) < 2.3,
        );
        expect(isOnStep, JSON.stringify(places)).toBe(true);
      }
    },
  },

  'contact-force-events': {
    shows: 'balls bounce from the impulses of their handlers, and bars show the forces',
    async check(scene) {
      const bar = () =>
        scene.page.evaluate(
          () =>
            globalThis.reactScene.betwixt?.state.scene.getObjectByName('force on 2 kg')?.scale.y ??
            0,
        );
      // It shrinks from the first frame on.
      await scene.restart();
      await scene.stepUntil(async () => (await bar()) > 0.02, 80);
      await waitForBounces(scene, ['ball of 0.5 kg', 'ball of 1 kg', 'ball of 2 kg'], 3);
    },
  },

  sensors: {
    shows: 'balls enter and leave hoops, which glow, and are sent up again',
    async check(scene) {
      await scene.restart();
      await scene.steps(70);
      await stepThroughGlow(scene, 'hoop 1', 80);
      await scene.resume();
      // Five balls pass three hoops, and then again.
      await expect.poll(async () => (await numbersOf(scene))[0]).toBeGreaterThan(25);
      await scene.press('Pause');
      const [entered = 0, left = 0] = await numbersOf(scene);
      expect(entered - left).toBeGreaterThanOrEqual(0);
      expect(entered - left).toBeLessThanOrEqual(5);
      await scene.press('Pause');
    },
  },

  'active-collision-types': {
    shows: 'only the gate that looks at kinematic bodies sees the shuttle',
    async check(scene) {
      const isBlindLit = await scene.page.evaluate(async () => {
        const { scene: root } = globalThis.reactScene.betwixt?.state ?? {};
        const gate = root?.getObjectByName('blind gate') as Mesh;
        const shuttle = root?.getObjectByName('shuttle');
        const xOfShuttle = () => shuttle?.position.x ?? 0;
        let isLit = false;
        // Through the blind gate, and back.
        for (const isThere of [() => xOfShuttle() < -4, () => xOfShuttle() > 0]) {
          while (!isThere()) {
            await new Promise((resolve) => requestAnimationFrame(resolve));
            isLit ||= (gate.material as MeshStandardMaterial).emissive.getHex() > 0;
          }
        }
        return isLit;
      });
      expect(isBlindLit).toBe(false);
      // In each frame the shuttle moves by a fraction of the gate's depth.
      await scene.page.waitForFunction(hasGlow, ['seeing gate', true] as const);
      await scene.page.waitForFunction(hasGlow, ['seeing gate', false] as const);
    },
  },

  'one-way-platform': {
    shows: 'balls pass platforms from below, and lie on them',
    async check(scene) {
      // Half of a platform and a ball's radius above 2 and 4: only a ball that lies there is slow.
      for (const height of [2.45, 4.45]) {
        await scene.page.waitForFunction((y) => {
          const bodies = globalThis.reactScene.betwixt?.world?.bodies.getAll() ?? [];
          return bodies.some(
            (body) =>
              body.isDynamic() &&
              Math.abs(body.translation().y - y) < 0.05 &&
              Math.abs(body.linvel().y) < 0.05,
          );
        }, height);
      }
    },
  },
};
