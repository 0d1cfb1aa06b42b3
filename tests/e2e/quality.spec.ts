/** How fine pictures are: chosen by the machine, which here draws without a graphics card, or by the reader. */
import type { Page } from '@playwright/test';
import { expect, openDemo, picture, standingPicture, test, waitForFrames } from './demo-page.js';

const TOPS = 'scene=tops&bodies=6&hud=1';

const shown = (page: Page) => page.locator('[data-measure=quality]');
const lookOf = (page: Page) =>
  page.evaluate(() => {
    const view = globalThis.betwixtView;
    if (view === undefined) throw new Error('there is no view');
    const { width, height } = view.canvas;
    return { ...view.look, pixelRatio: view.pixelRatio, width, height };
  });

test('without a graphics card it begins at what can be drawn, and says so', async ({ page }) => {
  await openDemo(page, TOPS);
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

test('it goes down from what is too much, when that is no longer asked for', async ({ page }) => {
  // Pictures of seconds, on a busy machine.
  test.setTimeout(600_000);
  await openDemo(page, `${TOPS}&quality=high&panel=1&width=640&height=360`);
  await expect(shown(page)).toHaveText('high: 6 of 6 · 1× pixels, shadows');
  await page.getByLabel('Quality', { exact: true }).selectOption('auto');
  await expect.poll(() => page.url()).not.toContain('quality=');
  await expect(shown(page)).toHaveText(/^auto: [1-4] of 6/, { timeout: 500_000 });
  expect((await lookOf(page)).samples).toBe(0);
});

test('a quality that is asked for stays, by address, panel and keyboard', async ({ page }) => {
  await openDemo(page, `${TOPS}&quality=low&panel=1`);
  await expect(shown(page)).toHaveText('low: 2 of 6 · 0.5× pixels, no shadows');
  const choice = page.getByLabel('Quality', { exact: true });
  await expect(choice).toHaveValue(/.*/);
  await choice.focus();
  await page.keyboard.press('m');
  await expect(shown(page)).toHaveText('medium: 4 of 6 · 1× pixels, shadows');
  await expect.poll(() => page.url()).toContain('quality=medium');
  await choice.selectOption('3');
  await expect(shown(page)).toHaveText('3 of 6 · 0.75× pixels, no shadows');
  await expect.poll(() => page.url()).toContain('quality=3');
  await waitForFrames(page, 60);
  await expect(shown(page)).toHaveText('3 of 6 · 0.75× pixels, no shadows');
});

test('shadows can be left out of any quality, as links of old have it', async ({ page }) => {
  await openDemo(page, `${TOPS}&quality=medium&shadows=0&panel=1`);
  await expect(shown(page)).toHaveText('medium: 4 of 6 · 1× pixels, no shadows');
  await page.getByLabel('Shadows').focus();
  await page.keyboard.press('Space');
  await expect(shown(page)).toHaveText('medium: 4 of 6 · 1× pixels, shadows');
});

test('a number that is none of the levels is told of', async ({ page }) => {
  await openDemo(page, `${TOPS}&quality=7`);
  await expect(page.locator('.notice')).toContainText(
    'quality=7 does not work: quality must be one of auto, low, medium, high, 1, 2, 3, 4, 5, 6. Using auto.',
  );
});

test('another quality draws a paused picture anew, and the same one looks the same', async ({
  page,
}) => {
  await openDemo(
    page,
    'scene=tops&bodies=6&paused=1&hud=0&panel=1&quality=high&width=320&height=180',
  );
  const choice = page.getByLabel('Quality', { exact: true });
  const high = await standingPicture(page);
  await choice.selectOption('low');
  await expect.poll(async () => (await picture(page)).equals(high)).toBe(false);
  await choice.selectOption('high');
  await expect.poll(async () => (await picture(page)).equals(high)).toBe(true);
});

test('smooth edges, the split view and half of the pixels go together', async ({ page }) => {
  const high = 'scene=tops&bodies=6&paused=1&hud=0&panel=0&quality=high&width=320&height=180';
  await openDemo(page, high);
  const whole = await standingPicture(page);
  await openDemo(page, `${high}&split=1`);
  const split = await standingPicture(page);
  expect(split.equals(whole)).toBe(false);
  // Empty halves would compress to next to nothing.
  expect(split.length).toBeGreaterThan(whole.length / 3);
  await openDemo(page, `${high}&halfRate=checker`);
  expect((await standingPicture(page)).length).toBeGreaterThan(whole.length / 3);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 });

  test('the display has room for what is said of it', async ({ page }) => {
    await openDemo(page, `${TOPS}&panel=0&quality=3`);
    await expect(shown(page)).toHaveText('3 of 6 · 0.75× pixels, no shadows');
    const row = shown(page).locator('xpath=..');
    expect(await row.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });
});
