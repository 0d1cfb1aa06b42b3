/**
 * The quality of frames: chosen by the machine, which draws here without a graphics card, or by the
 * user.
 */
import type { Page } from '@playwright/test';
import {
  drawingOf,
  expect,
  openDemo,
  screenshot,
  settledImage,
  test,
  waitForFrames,
} from './demo-page.js';

const TOPS = 'scene=tops&bodies=6&hud=1';

const shown = (page: Page) => page.locator('[data-measure=quality]');
const lookOf = (page: Page) =>
  drawingOf(page).evaluate(() => {
    const view = globalThis.betwixtView;
    if (view === undefined) throw new Error('there is no view');
    const { width, height } = view.element;
    return { ...view.look, pixelRatio: view.pixelRatio, width, height };
  });

test('the whole page by default: panel, display, and what can be drawn without a graphics card', async ({
  page,
}) => {
  await openDemo(page, 'bodies=60');
  await expect(page.getByText('Settings')).toBeVisible();
  await expect(page.locator('.counter-line')).toHaveText(
    /Iterations: \d+ \| Updated: \d+ \| Rendered: \d+ \| Refreshed: \d+/,
  );
  await expect(page.locator('.plot canvas').first()).toBeVisible();
  // It may have found room for a finer one since.
  await expect(shown(page)).toHaveText(/^auto: [1-6] of 6 · [\d.]+× pixels, (?:no )?shadows$/);
  const { width } = page.viewportSize() ?? { width: 0 };
  const look = await lookOf(page);
  expect(look.samples).toBe(0);
  expect(look.width).toBeLessThanOrEqual(width);
  // Its name is not cut off.
  const name = shown(page).locator('xpath=preceding-sibling::dt');
  expect(await name.evaluate((dt) => dt.scrollWidth - dt.clientWidth)).toBe(0);
  // The canvas fills the window, however few pixels it has.
  expect((await page.locator('#canvas').boundingBox())?.width).toBe(width);
});

test('it lowers a level that is too high, when that is no longer requested', async ({ page }) => {
  // Frames that take seconds, on a busy machine.
  test.setTimeout(600_000);
  await openDemo(page, `${TOPS}&quality=high&panel=1&width=640&height=360`);
  await expect(shown(page)).toHaveText('high: 6 of 6 · 1× pixels, shadows');
  await page.getByLabel('Quality', { exact: true }).selectOption('auto');
  await expect.poll(() => page.url()).not.toContain('quality=');
  await expect(shown(page)).toHaveText(/^auto: [1-4] of 6/, { timeout: 500_000 });
  expect((await lookOf(page)).samples).toBe(0);
});

test('a requested quality stays, by address, panel and keyboard', async ({ page }) => {
  await openDemo(page, `${TOPS}&quality=low&panel=1&width=160&height=90`);
  await expect(shown(page)).toHaveText('low: 2 of 6 · 0.5× pixels, no shadows');
  const choice = page.getByLabel('Quality', { exact: true });
  await expect(choice).toHaveValue(/.*/);
  await choice.focus();
  await page.keyboard.press('m');
  await expect(shown(page)).toHaveText('medium: 4 of 6 · 1× pixels, shadows');
  await expect.poll(() => page.url()).toContain('quality=medium');
  await test.step('shadows can be disabled in any, as old links do', async () => {
    await page.getByLabel('Shadows').focus();
    await page.keyboard.press('Space');
    await expect(shown(page)).toHaveText('medium: 4 of 6 · 1× pixels, no shadows');
    await expect.poll(() => page.url()).toContain('shadows=0');
    await page.keyboard.press('Space');
    await expect(shown(page)).toHaveText('medium: 4 of 6 · 1× pixels, shadows');
  });
  await choice.selectOption('3');
  await expect(shown(page)).toHaveText('3 of 6 · 0.75× pixels, no shadows');
  await expect.poll(() => page.url()).toContain('quality=3');
  await waitForFrames(page, 60);
  await expect(shown(page)).toHaveText('3 of 6 · 0.75× pixels, no shadows');

  await test.step('on a phone, too, the display has room for its description', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(shown(page)).toBeVisible();
    const row = shown(page).locator('xpath=..');
    expect(await row.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });
});

test('another quality redraws a paused scene, and works with the split view and half of the pixels', async ({
  page,
}) => {
  await openDemo(
    page,
    'scene=tops&bodies=6&paused=1&hud=0&panel=1&quality=high&width=320&height=180',
  );
  const choice = page.getByLabel('Quality', { exact: true });
  const high = await settledImage(page);
  await choice.selectOption('low');
  await expect.poll(async () => (await screenshot(page)).equals(high)).toBe(false);
  await choice.selectOption('high');
  await expect.poll(async () => (await screenshot(page)).equals(high)).toBe(true);

  const half = page.getByLabel('Half rate');
  await half.selectOption('checker');
  // Empty halves would compress to almost nothing.
  expect((await settledImage(page)).length).toBeGreaterThan(high.length / 3);
  await half.selectOption('off');
  await page.getByLabel('Split view').focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await screenshot(page)).equals(high)).toBe(false);
  expect((await settledImage(page)).length).toBeGreaterThan(high.length / 3);
});
