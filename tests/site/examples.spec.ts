/** The pages of the examples: each does its one thing by key, button or pointer. */
import { existsSync, readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SimulationHandle } from 'betwixt';
import type { MeshPhysics } from 'betwixt/three';
import type { Character, Vehicle, World } from 'betwixt/world';
import type {} from '../../examples/ecctrl/src/main.js';
import type {} from '../../examples/flag/src/main.js';
import type {} from '../../examples/react/src/side.js';
import { expect, expectGoodPage, expectToFit, test } from './site-page.js';

declare global {
  var physics: MeshPhysics;
  var boxes: World;
  var world: World;
  var character: Character;
  var vehicle: Vehicle | undefined;
  var sim: SimulationHandle;
}

const pressButton = (page: Page): Promise<void> => page.getByRole('button').press('Enter');

/** Lets ticks pass in a paused world: what passes quickly can be seen, however slow the machine is. */
const step = (page: Page, ticks: number): Promise<unknown> =>
  page.evaluate(async (count) => (await globalThis.physics.world.ready).step(count), ticks);

/** How many bodies rise, in the newest state. */
const rising = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      globalThis.physics.world.bodies
        .getAll()
        .filter((body) => body.isDynamic() && body.linvel().y > 0.5).length,
  );

/** By the names of examples with `physics`, which is paused: what they do. */
const ACTS: Readonly<Record<string, readonly [what: string, act: (page: Page) => Promise<void>]>> =
  {
    basic: [
      'tosses all toys by its button',
      async (page) => {
        await step(page, 100);
        await pressButton(page);
        await step(page, 5);
        await expect.poll(() => rising(page)).toBeGreaterThan(20);
      },
    ],
    headset: [
      'says what to do without a headset',
      async (page) => {
        await expect(page.getByRole('button')).toBeHidden();
        await expect(page.locator('output')).toHaveText('No headset: drag the boxes');
        await expect(page.getByRole('link', { name: 'emulate one' })).toBeVisible();
      },
    ],
    joints: [
      'hides and shows the lines of the engine by its button',
      async (page) => {
        for (const text of ['Hide', 'Show']) {
          await expect(page.getByRole('button')).toHaveText(`${text} the physics`);
          await pressButton(page);
        }
      },
    ],
    character: [
      'walks by a key',
      async (page) => {
        const walker = () =>
          page.evaluate(() => globalThis.character.collider().parent()?.translation().x);
        await page.keyboard.down('ArrowRight');
        await step(page, 45);
        await expect.poll(walker).toBeGreaterThan(1);
        await page.keyboard.up('ArrowRight');
      },
    ],
    vehicle: [
      'drives by a key',
      async (page) => {
        await page.keyboard.down('KeyW');
        await step(page, 120);
        await expect
          .poll(() => page.evaluate(() => globalThis.vehicle?.speed ?? 0))
          .toBeGreaterThan(5);
        await page.keyboard.up('KeyW');
      },
    ],
  };

for (const [name, [what, act]] of Object.entries(ACTS)) {
  test(`the example ${name} moves, and ${what}`, async ({ page }) => {
    await page.goto(`/examples/${name}/`);
    // Until bodies are drawn.
    await page.waitForFunction(
      () => 'physics' in globalThis && globalThis.physics.world.frame.newestTick > 10,
    );
    await page.evaluate(async () => (await globalThis.physics.world.ready).pause());
    await act(page);
    await expect(page.getByRole('alert')).toBeEmpty();
    // The others have the same elements.
    await (name === 'vehicle' ? expectGoodPage(page) : expectToFit(page));
  });
}

test('the example boxes drops them on a plate, and another one by its button', async ({ page }) => {
  await page.goto('/examples/boxes/');
  const count = page.locator('output');
  await expect(count).toHaveText('25 boxes');
  const heights = () =>
    page.evaluate(() => globalThis.boxes.bodies.getAll().map((body) => body.translation().y));
  await expect.poll(async () => Math.min(...(await heights()))).toBeLessThan(0.6);
  await pressButton(page);
  await expect(count).toHaveText('26 boxes');
  await expectToFit(page);
});

test('the example jolt moves its platform by a key, and asks its engine what is pointed at', async ({
  page,
}) => {
  await page.goto('/examples/jolt/');
  await page.waitForFunction(() => 'sim' in globalThis && globalThis.sim.bodies.size === 301);
  const platform = () =>
    page.evaluate(() => {
      const [id = 0 as never] = globalThis.sim.bodies.keys();
      return globalThis.sim.pose(id, new Float64Array(7))?.[0];
    });
  await page.evaluate(() => globalThis.sim.pause());
  await page.keyboard.down('ArrowRight');
  await page.evaluate(() => globalThis.sim.step(30));
  await expect.poll(platform).toBeGreaterThan(1);
  await page.keyboard.up('ArrowRight');
  await page.mouse.move(195, 310);
  await expect(page.locator('output')).toHaveText('The ground');
  await expectGoodPage(page);
});

test('the example town loads its model, and walks by a key', async ({ page }) => {
  await page.goto('/examples/town/');
  await expect(page.locator('progress')).toBeHidden();
  const walker = () =>
    page.evaluate(() => globalThis.character.collider().parent()?.translation().z);
  await page.keyboard.down('KeyW');
  await expect.poll(walker).toBeLessThan(16);
  await page.keyboard.up('KeyW');
  await expect(page.locator('output')).toHaveText('On Paving');
  await expectGoodPage(page);
});

test('the example ecctrl walks by a key', async ({ page }) => {
  await page.goto('/examples/ecctrl/');
  const walker = () =>
    page.evaluate(() => globalThis.ecctrlCourse?.driver.walker?.body.translation().z ?? 10);
  await expect.poll(walker).toBeLessThan(3);
  await page.keyboard.down('KeyW');
  await expect.poll(walker).toBeLessThan(1);
  await page.keyboard.up('KeyW');
  await expectGoodPage(page);
});

test('the example flag waves, next to itself without blending, and begins again by its button', async ({
  page,
}) => {
  await page.goto('/examples/flag/');
  await page.waitForFunction(() => 'flag' in globalThis && globalThis.flag.stats().tick > 10);
  await page.evaluate(() => globalThis.flag.pause());
  /** The height of the flag's corner that flies, in the newest state. */
  const corner = () => page.evaluate(() => globalThis.flag.latest.newestValues?.[73] ?? 0);
  await page.evaluate(() => globalThis.flag.step(30));
  await expect.poll(corner).toBeLessThan(5.5);
  const halves = page.getByRole('figure');
  await page.getByRole('button', { name: 'Split view', pressed: false }).press('Enter');
  await expect(halves.filter({ visible: true })).toHaveCount(2);
  await page.getByRole('button', { name: 'Restart' }).press('Enter');
  await page.evaluate(() => globalThis.flag.step(1));
  await expect.poll(corner).toBeGreaterThan(5.6);
  await expectGoodPage(page);
});

test('the example pool shoots by the keyboard, and begins again by its button', async ({
  page,
}) => {
  await page.goto('/examples/pool/');
  await page.waitForFunction(() => 'sim' in globalThis && globalThis.sim.bodies.size > 0);
  await expectGoodPage(page);
  // The first one that moves freely.
  const whiteBall = () =>
    page.evaluate(() => {
      const bodies = globalThis.world.bodies.getAll();
      return bodies.find((body) => body.isDynamic())?.translation().x;
    });
  await page.evaluate(() => globalThis.sim.pause());
  await page.keyboard.press('Space');
  await page.evaluate(() => globalThis.sim.step(5));
  await expect.poll(whiteBall).toBeGreaterThan(-0.45);
  await page.getByRole('button', { name: 'New game' }).press('Enter');
  await expect.poll(whiteBall).toBe(-0.5);
});

test.describe('without a server of rooms', () => {
  // The browser's own note on that.
  test.use({ expectedConsole: /\/rooms\/|ERR_|404/ });

  test('the example rooms asks for a name, and says what to do without its server', async ({
    page,
  }) => {
    await page.goto('/examples/rooms/');
    await expect(page.locator('#join[open]')).toBeVisible();
    await page.goto('/examples/rooms/?name=Ada');
    await expect(page.locator('#problem[open]')).toContainText('npm run rooms');
    await expectGoodPage(page);
  });
});

test.describe('of scenes for React', () => {
  // How the peer starts its engine.
  test.use({ expectedConsole: /using deprecated parameters for the initialization/ });

  test('the page of scenes for React runs a scene on both libraries', async ({ page }) => {
    /** How many objects with names are drawn elsewhere than before. */
    const movedObjects = (library: 'betwixt' | 'rapier') =>
      page.evaluate((name) => {
        const drawn: Record<string, number> = {};
        globalThis.reactScene[name]?.state.scene.traverse(({ name: own, uuid, matrixWorld }) => {
          if (own !== '') drawn[uuid] = matrixWorld.elements[13] ?? 0;
        });
        const { drawnBefore = drawn } = globalThis as { drawnBefore?: typeof drawn };
        Object.assign(globalThis, { drawnBefore });
        return Object.entries(drawn).filter(
          ([uuid, y]) => Math.abs(y - (drawnBefore[uuid] ?? y)) > 0.1,
        ).length;
      }, library);
    await page.goto('/examples/react.html?scene=plinko');
    await page.waitForFunction(() => globalThis.reactScene?.betwixt?.simulation !== undefined);
    await expect.poll(() => movedObjects('betwixt')).toBeGreaterThan(0);
    await page.getByRole('radio', { name: '@react-three/rapier' }).check();
    await page.waitForFunction(() => globalThis.reactScene.rapier !== undefined);
    await page.evaluate(() => Object.assign(globalThis, { drawnBefore: undefined }));
    await expect.poll(() => movedObjects('rapier')).toBeGreaterThan(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expectGoodPage(page);
  });
});

test('the scene of a town for React walks by a key, and throws a ball by a click', async ({
  page,
}) => {
  const bodies = () => page.evaluate(() => globalThis.reactScene.betwixt?.world?.bodies.len() ?? 0);
  const player = () =>
    page.evaluate(
      () => globalThis.reactScene.betwixt?.state.scene.getObjectByName('player')?.position.z ?? 0,
    );
  await page.goto('/examples/react.html?scene=town&library=both');
  await expect.poll(player).toBe(17);
  await page.keyboard.down('KeyW');
  await expect.poll(player).toBeLessThan(16);
  await page.keyboard.up('KeyW');
  const before = await bodies();
  await page.locator('canvas').click();
  await expect.poll(bodies).toBe(before + 1);
  // The other library cannot show it.
  await expect(page.getByRole('radio')).toHaveCount(0);
  await expectToFit(page);
});

test.describe('with a lost context', () => {
  // Messages of three.js.
  test.use({ expectedConsole: /Context (?:Lost|Restored)/ });

  /** One for each way to make a renderer; see `watchContext`. */
  const PATHS = ['basic/', 'headset/', 'pool/', 'ecctrl/', 'rooms/', 'react.html?scene=plinko'];
  for (const path of ['/', ...PATHS.map((name) => `/examples/${name}`)]) {
    test(`the page ${path} says that it has lost its graphics context, until it has it back`, async ({
      page,
    }) => {
      await page.goto(path);
      // The attribute is from the renderer of three.js: before that, this would make another context.
      const canvas = page.locator('canvas[data-engine]').first();
      const text = page.getByText('The graphics context was lost');
      await expect(canvas).toBeAttached();
      const extension = await canvas.evaluateHandle(
        (element) =>
          (element as HTMLCanvasElement).getContext('webgl2')?.getExtension('WEBGL_lose_context') ??
          null,
      );
      await extension.evaluate((given) => given?.loseContext());
      await expect(text).toBeVisible();
      await extension.evaluate((given) => given?.restoreContext());
      await expect(text).toBeHidden();
    });
  }
});

test('the gallery leads to an example, and to its source', async ({ page }) => {
  await page.goto('/examples/');
  await expect(page.locator('article img').first()).toHaveJSProperty('naturalWidth', 480);
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', /^data:image\/svg/);
  await expectGoodPage(page);
  await page.locator('#boxes > a').click();
  await page.getByRole('link', { name: 'Source' }).click();
  await expect(page.locator('code')).toContainText('createWorld({ capacity');
  await expectGoodPage(page);
});

test('every example has a test that opens it', () => {
  const folders = readdirSync('examples').filter((name) =>
    existsSync(`examples/${name}/index.html`),
  );
  const opened = [...Object.keys(ACTS), 'boxes', 'ecctrl', 'flag', 'jolt', 'pool', 'rooms', 'town'];
  expect(folders.toSorted()).toEqual(opened.toSorted());
});
