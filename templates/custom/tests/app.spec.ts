import { expect, test, type Page } from '@playwright/test';
import type {} from '../src/main.js';

/** The simulation runs and is drawn. */
async function open(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForFunction(() => 'sim' in globalThis && globalThis.sim.stats().frames > 10);
}

/** Where the first birds are drawn. */
const positions = (page: Page) =>
  page.evaluate(async () => {
    const ids = await globalThis.sim.queries.ids();
    return ids.slice(0, 10).map((id) => globalThis.sim.pose(id, new Float64Array(7))?.join(' '));
  });

test('shares memory with its worker, and shows a flock that flies', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await open(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const before = await positions(page);
  await expect.poll(() => positions(page)).not.toEqual(before);
  expect(problems).toEqual([]);
});

test('pressing startles birds', async ({ page }) => {
  await open(page);
  await expect(page.locator('#hint')).toHaveText(/Press/);
  await page.mouse.move(300, 200);
  await page.mouse.down();
  await expect(page.locator('#hint')).toHaveText(/\d+ startled/);
});
