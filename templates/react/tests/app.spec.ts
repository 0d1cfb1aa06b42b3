import { expect, test, type Page } from '@playwright/test';
import type { World, WorldHandle } from 'betwixt/world';

declare global {
  var world: World;
  var sim: WorldHandle;
}

/** The world runs and is drawn. */
async function open(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForFunction(() => 'sim' in globalThis && globalThis.sim.stats().frames > 10);
}

/** Heights of the boxes, from the highest one. */
const heights = (page: Page) =>
  page.evaluate(() =>
    globalThis.world.bodies
      .getAll()
      .filter((body) => body.isDynamic())
      .map((body) => body.translation().y)
      .toSorted((a, b) => b - a),
  );

test('the page shares memory with its worker and shows boxes coming to rest', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await open(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect.poll(async () => (await heights(page))[0]).toBeLessThan(4);
  expect(problems).toEqual([]);
});

test('a click pushes a box, and Reset puts all of them back', async ({ page }) => {
  await open(page);
  await page.evaluate(() => globalThis.sim.pause());
  await page.evaluate(() => globalThis.sim.step(600));
  await expect.poll(async () => (await heights(page))[0]).toBeLessThan(4);
  const before = await heights(page);
  // In the middle of the page there are boxes.
  await page.mouse.click(320, 180);
  await page.evaluate(() => globalThis.sim.step(10));
  await expect.poll(() => heights(page)).not.toEqual(before);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(async () => (await heights(page))[0]).toBeGreaterThan(4.9);
});
