import { expect, test, type Page } from '@playwright/test';
import type {} from '../src/main.js';

/** The simulation runs and is drawn. */
async function open(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForFunction(() => 'sim' in globalThis && globalThis.sim.stats().frames > 10);
}

/** The displayed poses of the first bodies. */
const poses = (page: Page) =>
  page.evaluate(() => {
    const ids = [...globalThis.sim.bodies.keys()].slice(0, 10);
    return ids.map((id) => globalThis.sim.pose(id, new Float64Array(7))?.join(' '));
  });

test('the page shares memory with its worker and shows bodies that move', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await open(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const before = await poses(page);
  await expect.poll(() => poses(page)).not.toEqual(before);
  expect(problems).toEqual([]);
});
