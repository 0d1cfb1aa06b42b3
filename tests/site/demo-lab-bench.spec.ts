/** The pages of demo, lab and benchmark. */
import type { Page } from '@playwright/test';
import type {} from '../../demo/page/simulation-session.js';
import { expect, expectGoodPage, test } from './site-page.js';

const tickOf = (page: Page): Promise<number> =>
  page.evaluate(() => globalThis.betwixt.stats().tick);

test('the demo moves its bodies in an isolated page, folds its settings by Escape, and replays a shot identically', async ({
  page,
}) => {
  const small = 'quality=low&width=160&height=90&frameLimit=30';
  await page.goto(`/?scene=tower&bodies=6&hud=1&panel=1&${small}`);
  await page.waitForFunction(() => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 5);
  await expect(page.locator('#loading')).toBeHidden();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await expectGoodPage(page);

  // Without the focus in it, as after a click.
  await page.keyboard.press('Escape');
  await expect(page.locator('#settings')).toBeHidden();
  await page.locator('#panel > summary').press('Enter');

  const bodies = await page.evaluate(() => globalThis.betwixt.stats().bodies);
  await page.locator('#canvas').focus();
  await page.keyboard.press('f');
  const end = (await tickOf(page)) + 60;
  await expect.poll(() => tickOf(page)).toBeGreaterThan(end);
  await page.getByRole('radio', { name: 'Time' }).press('Space');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save recording' }).press('Enter');
  const path = await (await downloading).path();
  await page.getByLabel('Recording to load').setInputFiles(path);
  const banner = page.locator('#replay');
  await expect(banner).toContainText(/Replay · tick \d+ of \d+/);
  await expect(banner).toContainText(/Identical: \d+ hash(?:es)? compared/);
  expect(await page.evaluate(() => globalThis.betwixt.stats().bodies)).toBe(bodies + 1);
});

test('the lab compares ten loops, and a preset changes what they show', async ({ page }) => {
  // Where it was before.
  await page.goto('/lab.html?paused=1#table');
  await page.waitForURL('/lab/?paused=1#table');
  const speed = page.locator('tr[data-stepper="frame-locked"] td[data-column="speed"]');
  await expect(speed).toHaveText('1.000 ×');
  await expect(page.locator('#table tbody tr')).toHaveCount(10);
  await page.locator('#preset').selectOption({ label: 'Slow machine' });
  await expect(speed).toContainText('0.50');
  await expectGoodPage(page);
});

test('the bench page shows an estimate while it searches, and what it knows when it is stopped', async ({
  page,
}) => {
  await page.goto('/bench/?start&seconds=0.2&warmUp=0&scene=scripted:linear:20&rate=5');
  await expect(
    page.getByRole('heading', { name: /^(?:About|Perhaps) [\d,]+ bodies at 5 Hz$/ }),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('#verdicts')).toContainText('at 5 Hz');
  await page.locator('#details summary').press('Enter');
  await expect(page.locator('#figures')).toContainText('headroom');
  await page.locator('#settings summary').press('Enter');
  await expectGoodPage(page);
});
