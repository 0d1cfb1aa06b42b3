/** The examples of physics for meshes: each moves, fits a phone, and does what its button and its pointer say. */
import type { Page } from '@playwright/test';
import type { Mesh, PerspectiveCamera } from 'three';
import { pause, resume, seek, step } from './paused.js';
import { boxOf } from './places.js';
import { expect, test } from './demo-page.js';

declare global {
  var camera: PerspectiveCamera;
}

const [WIDTH, HEIGHT] = [390, 600];

/** Until bodies are drawn. */
async function open(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  await page.goto(`/examples/${name}/`);
  await page.waitForFunction(
    () => 'physics' in globalThis && globalThis.physics.world.frame.newestTick > 2,
  );
}

const newestTick = (page: Page): Promise<number> =>
  page.evaluate(() => globalThis.physics.world.frame.newestTick);

/** Of the bodies that move, in the newest state. */
const bodiesOf = (page: Page) =>
  page.evaluate(() =>
    globalThis.physics.world.bodies
      .getAll()
      .filter((body) => body.isDynamic())
      .map((body) => ({ y: body.translation().y, up: body.linvel().y })),
  );

const meanHeight = async (page: Page): Promise<number> => {
  const bodies = await bodiesOf(page);
  return bodies.reduce((sum, { y }) => sum + y, 0) / bodies.length;
};

async function pressButton(page: Page): Promise<void> {
  await page.getByRole('button').focus();
  await page.keyboard.press('Enter');
}

/** Where a body is in the picture, in CSS pixels. */
const placeOf = (page: Page, index: number) =>
  page.evaluate(
    ([at, width, height]) => {
      const bodies = globalThis.physics.world.bodies.getAll().filter((body) => body.isDynamic());
      const mesh = bodies[at]?.userData as Mesh;
      const { x, y } = mesh.position.clone().project(globalThis.camera);
      return { x: ((x + 1) / 2) * width, y: ((1 - y) / 2) * height };
    },
    [index, WIDTH, HEIGHT] as const,
  );

for (const name of ['basic', 'instancing', 'joints', 'terrain']) {
  test(`${name}: it moves, and fits a phone`, async ({ page }) => {
    await open(page, name);
    await pause(page);
    // The first tick has all bodies.
    await seek(page, 1);
    await expect.poll(() => newestTick(page)).toBe(1);
    const before = await bodiesOf(page);
    expect(before.length).toBeGreaterThan(9);
    await step(page, 60);
    await expect.poll(() => newestTick(page)).toBe(61);
    const now = await bodiesOf(page);
    const moved = now.filter(({ y }, index) => Math.abs(y - (before[index]?.y ?? y)) > 0.01);
    expect(moved.length).toBeGreaterThan(4);
    await resume(page);
    await expect.poll(() => newestTick(page)).toBeGreaterThan(70);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const { x, width } = await boxOf(page.locator('output'));
    expect(x + width).toBeLessThanOrEqual(WIDTH);
    await expect(page.getByRole('alert')).toBeEmpty();
  });
}

test('basic: the button tosses all toys, and a toy follows the pointer', async ({ page }) => {
  await open(page, 'basic');
  await pause(page);
  // By then the toys have landed, and none has rolled off the table yet.
  await seek(page, 1);
  await step(page, 119);
  await expect.poll(() => newestTick(page)).toBe(120);
  const landed = await meanHeight(page);
  await pressButton(page);
  await step(page, 20);
  await expect.poll(() => meanHeight(page)).toBeGreaterThan(landed + 0.8);
  // The toys do not move while they are looked for.
  const joints = () => page.evaluate(() => globalThis.physics.world.impulseJoints.len());
  // The first toy whose place in the picture shows it.
  await expect
    .poll(async () => {
      for (let index = 0; index < 35; index++) {
        const { x, y } = await placeOf(page, index);
        if (x < 0 || x > WIDTH || y < 100 || y > HEIGHT) continue;
        await page.mouse.move(x, y);
        await page.mouse.down();
        if ((await joints()) === 1) return index;
        await page.mouse.up();
      }
      return -1;
    })
    .toBeGreaterThanOrEqual(0);
  await page.mouse.move(WIDTH / 2, 80, { steps: 5 });
  await resume(page);
  const heightOfHeld = () =>
    page.evaluate(
      () => globalThis.physics.world.impulseJoints.getAll()[0]?.body2().translation().y,
    );
  await expect.poll(heightOfHeld).toBeGreaterThan(2);
  await page.mouse.up();
  await expect.poll(joints).toBe(0);
});

test('instancing: the button shakes the tray', async ({ page }) => {
  await open(page, 'instancing');
  const rising = async () => (await bodiesOf(page)).filter(({ up }) => up > 0.5).length;
  await pause(page);
  await pressButton(page);
  await step(page, 3);
  await expect.poll(rising).toBeGreaterThan(50);
  await resume(page);
});

test('joints: the button hides and shows the lines of the engine', async ({ page }) => {
  await open(page, 'joints');
  for (const text of ['Hide', 'Show', 'Hide']) {
    await expect(page.getByRole('button')).toHaveText(`${text} the physics`);
    await pressButton(page);
  }
  // The chain holds: its weight hangs below the beam.
  const lowest = async () => Math.min(...(await bodiesOf(page)).map(({ y }) => y));
  expect(await lowest()).toBeGreaterThan(0.5);
});

test('terrain: boulders stay on the dunes, and drop again', async ({ page }) => {
  await open(page, 'terrain');
  await pause(page);
  // By then all have landed, and none has rolled off the edge yet.
  await seek(page, 1);
  await step(page, 119);
  await expect.poll(() => newestTick(page)).toBe(120);
  expect(await meanHeight(page)).toBeLessThan(4);
  const lowest = async () => Math.min(...(await bodiesOf(page)).map(({ y }) => y));
  expect(await lowest()).toBeGreaterThan(-4);
  await pressButton(page);
  await step(page, 3);
  await expect.poll(() => meanHeight(page)).toBeGreaterThan(7);
  await resume(page);
});
