import { expect, test, type Page } from '@playwright/test';
import type {} from '../src/main.js';

/** The simulation runs and is drawn. */
async function open(page: Page): Promise<void> {
  await page.goto('/');
  await page.waitForFunction(() => 'sim' in globalThis && globalThis.sim.stats().frames > 10);
}

/** The displayed height of each body. */
const heights = (page: Page) =>
  page.evaluate(() => {
    const ids = [...globalThis.sim.bodies.keys()];
    return ids.map((id) => globalThis.sim.pose(id, new Float64Array(7))?.[1] ?? Number.NaN);
  });

test('the page shares memory with its worker and shows bodies coming to rest', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await open(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  const { tick } = await page.evaluate(() => globalThis.sim.stats());
  await expect.poll(() => page.evaluate(() => globalThis.sim.stats().tick)).toBeGreaterThan(tick);
  await expect.poll(async () => Math.max(...(await heights(page)))).toBeLessThan(1);
  expect(problems).toEqual([]);
});

test('the page counts landings as the simulation does', async ({ page }) => {
  await open(page);
  await expect.poll(() => page.locator('#score').textContent()).not.toBe('0');
  await page.evaluate(() => globalThis.sim.pause());
  const score = await page.evaluate(() => globalThis.sim.queries.score());
  await expect(page.locator('#score')).toHaveText(String(score));
});

test('the score follows when the run jumps', async ({ page }) => {
  await open(page);
  const score = page.locator('#score');
  await expect.poll(() => score.textContent()).not.toBe('0');
  await page.evaluate(() => globalThis.sim.pause());
  await page.evaluate(() => globalThis.sim.seek(0));
  await expect(score).toHaveText('0');
  await page.evaluate(() => globalThis.sim.resume());
  await expect.poll(() => score.textContent()).not.toBe('0');
});

test('the space bar makes a body jump', async ({ page }) => {
  await open(page);
  /** Runs ticks of the paused simulation and returns the height of the highest body. */
  const heightAfter = (ticks: number): Promise<number> =>
    page.evaluate(async (count) => {
      await globalThis.sim.step(count);
      return Math.max(...(await globalThis.sim.queries.heights()));
    }, ticks);
  await page.evaluate(() => globalThis.sim.pause());
  expect(await heightAfter(360)).toBeLessThan(1);
  await page.keyboard.press('Space');
  expect(await heightAfter(30)).toBeGreaterThan(1.5);
});
