/** The example: a world that the page makes, with the library's worker script. */
import type { Page } from '@playwright/test';
import type { World } from 'betwixt/world';
import { boxOf } from './places.js';
import { expect, test } from './demo-page.js';

declare global {
  var boxes: World;
}

const PATH = '/examples/boxes/';

/** Until bodies are drawn. */
async function openBoxes(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto(PATH);
  await page.waitForFunction(() => 'boxes' in globalThis);
  const drawn = () => page.evaluate(async () => (await globalThis.boxes.ready).bodies.size);
  await expect.poll(drawn).toBeGreaterThan(0);
}

const heights = (page: Page) =>
  page.evaluate(() => globalThis.boxes.bodies.getAll().map((body) => body.translation().y));

test('boxes: they fall on the plate, and the button drops another', async ({ page }) => {
  await openBoxes(page);
  const count = page.locator('output');
  await expect(count).toHaveText('25 boxes');
  await expect.poll(async () => Math.min(...(await heights(page)))).toBeLessThan(0.6);
  await page.getByRole('button', { name: 'Drop a box' }).press('Enter');
  await expect(count).toHaveText('26 boxes');
  await expect.poll(async () => (await heights(page)).at(-1)).toBeLessThan(11);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  const { x, width } = await boxOf(page.getByRole('button'));
  expect(x + width).toBeLessThan(390);
});

test('boxes: one that leaves the plate is removed, from the world and from the picture', async ({
  page,
}) => {
  await openBoxes(page);
  await page.evaluate(() => {
    const [first] = globalThis.boxes.bodies.getAll();
    first?.setTranslation({ x: 30, y: -5, z: 0 }, true);
  });
  await expect(page.locator('output')).toHaveText('24 boxes');
  const drawn = () => page.evaluate(async () => (await globalThis.boxes.ready).bodies.size);
  await expect.poll(drawn).toBe(24);
});
