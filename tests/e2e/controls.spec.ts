/** Keys, pointer, panel and address. */
import { LIGHT, expect, openDemo, picture, statsOf, test, waitForTicks } from './demo-page.js';

test('space pauses and resumes, and a point steps one tick', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&${LIGHT}`);
  await page.keyboard.press('Space');
  await expect.poll(async () => (await statsOf(page)).state).toBe('paused');
  const { tick } = await statsOf(page);
  await page.keyboard.press('.');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(tick + 1);
  await page.keyboard.press('.');
  await expect.poll(async () => (await statsOf(page)).tick).toBe(tick + 2);
  await page.keyboard.press('Space');
  await expect.poll(async () => (await statsOf(page)).state).toBe('running');
  await waitForTicks(page, 5);
});

test('F shoots a ball', async ({ page }) => {
  await openDemo(page, `scene=tower&bodies=60&${LIGHT}`);
  const { bodies } = await statsOf(page);
  await page.locator('#canvas').hover();
  await page.keyboard.press('f');
  await expect.poll(async () => (await statsOf(page)).bodies).toBe(bodies + 1);
});

test('a body follows the pointer that grabs it', async ({ page }) => {
  await openDemo(page, 'scene=heap&bodies=100&shadows=0&hud=0&panel=0&width=480&height=270');
  await waitForTicks(page, 200);
  await page.keyboard.press('Space');
  const canvas = await page.locator('#canvas').boundingBox();
  if (canvas === null) throw new Error('no canvas');
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height * 0.55];
  await page.keyboard.press('Space');
  const calm = await picture(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForTimeout(300);
  await page.mouse.move(x, y - canvas.height * 0.4, { steps: 8 });
  await waitForTicks(page, 40);
  expect((await picture(page)).equals(calm)).toBe(false);
  await page.mouse.up();
  await waitForTicks(page, 10);
  expect((await statsOf(page)).state).toBe('running');
});

test('everything in the panel is in the address, and comes back from it', async ({ page }) => {
  await openDemo(page, 'scene=tops&bodies=6&shadows=0&hud=0&width=320&height=180');
  const rate = page.getByLabel('Tick rate, Hz', { exact: true });
  await rate.fill('30');
  await rate.press('Enter');
  await expect.poll(async () => (await statsOf(page)).tickRateHz).toBe(30);
  await page.getByLabel('Interpolation').selectOption('none');
  await page.getByLabel('Split view').focus();
  await page.keyboard.press('Space');
  await expect.poll(() => page.url()).toContain('tickHz=30');
  await expect.poll(() => page.url()).toContain('interpolation=none');
  await expect.poll(() => page.url()).toContain('split=1');
  await page.reload();
  await expect
    .poll(async () => page.evaluate(() => globalThis.betwixt?.stats().tickRateHz))
    .toBe(30);
  expect((await statsOf(page)).interpolation).toBe('none');
});

test('a frame limit holds on any display', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&frameLimit=30&${LIGHT}`);
  await page.evaluate(() => globalThis.betwixt.resetStats());
  await waitForTicks(page, 90);
  const { frames, ticks } = await statsOf(page);
  // 30 frames a second on 60 ticks a second; fewer only where the machine cannot draw them.
  expect(frames).toBeLessThanOrEqual(ticks / 2 + 2);
  expect(frames).toBeGreaterThan(0);
});

test('stalls of the worker are counted and left behind', async ({ page }) => {
  await openDemo(page, 'scene=tops&bodies=6&shadows=0&hud=0&stallMs=600&width=320&height=180');
  await page.getByRole('button', { name: 'Stall the worker' }).click();
  await expect.poll(async () => (await statsOf(page)).droppedTicks).toBeGreaterThan(20);
  await waitForTicks(page, 10);
});

test('split view labels both halves', async ({ page }) => {
  await openDemo(page, `scene=tops&bodies=6&tickHz=10&split=1&${LIGHT}`);
  await expect(page.getByText('current state only')).toBeVisible();
  await expect(page.getByText('interpolated', { exact: true })).toBeVisible();
});

test('sliders and folders tell assistive technology how they stand', async ({ page }) => {
  await openDemo(page, 'scene=tops&bodies=6&paused=1&shadows=0&panel=1&width=320&height=180');
  const rate = page.getByRole('slider', { name: 'Tick rate' });
  await expect(rate).toHaveAttribute('aria-valuetext', '60');
  await rate.press('ArrowRight');
  await expect(rate).toHaveAttribute('aria-valuetext', '61');

  await page.getByLabel('Scene', { exact: true }).selectOption('Heap of mixed shapes');
  const bodies = page.getByRole('slider', { name: 'Bodies' });
  await expect(bodies).toHaveAttribute('aria-valuetext', '1000');

  const stall = page.getByRole('button', { name: 'Stall', exact: true });
  await expect(stall).toHaveAttribute('aria-expanded', 'true');
  await stall.click();
  await expect(stall).toHaveAttribute('aria-expanded', 'false');
  // The longest of the display's labels, beside the longest value.
  const name = page.locator('.numbers dt', { hasText: 'Effective speed' });
  expect(await name.evaluate((dt) => dt.scrollWidth - dt.clientWidth)).toBe(0);
});
