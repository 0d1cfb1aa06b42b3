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
  await page.goto('/lab.html?paused=1');
  const speed = page.locator('tr[data-stepper="frame-locked"] td[data-column="speed"]');
  await expect(speed).toHaveText('1.000 ×');
  await expect(page.locator('#table tbody tr')).toHaveCount(10);
  await page.getByRole('button', { name: 'Slow machine' }).press('Enter');
  await expect(speed).toContainText('0.50');
  await expectGoodPage(page);
});

test('the bench page shows an example, then the answer for this device while it measures, and a link has the same answer', async ({
  page,
}) => {
  const rate = '/bench.html?scene=scripted:linear:20&rate=5';
  await page.goto(rate);
  await expect(page.locator('#origin')).toContainText('An example');
  await expectGoodPage(page);
  await page.locator('#start').press('Enter');
  const sentence = page.locator('#sentence');
  await expect(sentence).toHaveText(
    /^Your device simulates about [\d,]+ bodies at 5 Hz \(.*so far\)\.$/,
  );
  await page.keyboard.press('Escape');
  await expect(sentence).toHaveText(/at 5 Hz \(.*: it was stopped early; measure again .*\)\.$/);
  await expect(page.locator('#start')).toHaveText('Measure again');
  const answer = (await sentence.textContent()) ?? '';
  await page.reload();
  await expect(sentence).toHaveText(answer.replace('Your device', 'That device'));
  await expect(page.locator('.plot .bar')).not.toHaveCount(0);
  await page.locator('#result summary').press('Enter');
  await page.locator('#settings summary').press('Enter');
  await expectGoodPage(page);
});
