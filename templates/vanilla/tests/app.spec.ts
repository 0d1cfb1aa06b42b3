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

/** Height of the highest body. */
const highest = (page: Page) =>
  page.evaluate(() =>
    Math.max(...globalThis.world.bodies.getAll().map((body) => body.translation().y)),
  );

test('the page shares memory with its worker and shows bodies coming to rest', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await open(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expect.poll(() => highest(page)).toBeLessThan(1.2);
  expect(problems).toEqual([]);
});

test('the space bar makes a body jump', async ({ page }) => {
  await open(page);
  await page.evaluate(() => globalThis.sim.pause());
  await page.evaluate(() => globalThis.sim.step(360));
  await expect.poll(() => highest(page)).toBeLessThan(1.2);
  await page.keyboard.press('Space');
  await page.evaluate(() => globalThis.sim.step(30));
  await expect.poll(() => highest(page)).toBeGreaterThan(1.5);
});
