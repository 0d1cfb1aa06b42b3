/** Elements over the drawing have room: none covers another or overflows. */
import type { Locator } from '@playwright/test';
import { SMALL_PICTURE, expect, openDemo, test, waitForTicks } from './demo-page.js';
import { WINDOWS, boxOf, nameOf, thoseOver } from './places.js';

const [LARGE, LAPTOP, SMALL, PHONE] = WINDOWS;

const middleOf = async (locator: Locator): Promise<number> => {
  const { x, width } = await boxOf(locator);
  return x + width / 2;
};

test('the demo: nothing covers the labels of the split view', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await openDemo(page, 'scene=vehicle&bodies=10&split=1&shadows=0&paused=1&quality=1');
  for (const window of WINDOWS) {
    await test.step(nameOf(window), async () => {
      await page.setViewportSize(window);
      await expect(page.locator('.drive-hint')).toBeVisible();
      const others = ['#hud', '#panel', '#about', '#keys', '.drive-hint'];
      for (const text of ['current state only', 'interpolated']) {
        const label = page.getByText(text, { exact: true });
        await expect.poll(() => thoseOver(label, others)).toEqual([]);
      }
    });
  }
});

test('the demo: the measurements that the address requests are open, and have room', async ({
  page,
}) => {
  await openDemo(page, `scene=tops&bodies=6&hud=1&panel=0&${SMALL_PICTURE}`);
  const about = page.locator('#about');
  await expect(about).toHaveAttribute('open');
  await expect(page.locator('.counter-line')).toHaveText(/Rendered: \d+/);
  for (const window of [...WINDOWS, { width: 1280, height: 600 }]) {
    await test.step(nameOf(window), async () => {
      await page.setViewportSize(window);
      await expect(page.locator('.counter-line')).toBeVisible();
      await expect.poll(() => thoseOver(about, ['#hud', '#panel'])).toEqual([]);
      for (const measure of ['starved', 'margin']) {
        await expect(page.locator(`[data-measure="${measure}"]`)).toBeVisible();
        await expect(page.locator(`[data-measure="${measure}"]`)).toHaveText(/\d/);
      }
    });
  }
});

test('the demo: long latencies stay in their column, and hint and keys have one centre', async ({
  page,
}) => {
  // A tick every 400 ms; the display is behind by one.
  await openDemo(page, `scene=vehicle&bodies=10&tickHz=10&timeScale=0.25&${SMALL_PICTURE}`);
  const [hint, keys] = [page.locator('.drive-hint'), page.locator('#keys')];
  expect(Math.abs((await middleOf(hint)) - (await middleOf(keys)))).toBeLessThan(1);
  const value = page.locator('[data-measure="inputFrame"]');
  // Of a key that is pressed right before a tick, it is short.
  await expect(async () => {
    await page.keyboard.press('w');
    await expect(value).toHaveText(/^\d{3,} ms$/, { timeout: 3000 });
  }).toPass();
  const [name, number, column] = [
    await boxOf(value.locator('xpath=preceding-sibling::dt')),
    await boxOf(value),
    await boxOf(value.locator('xpath=..')),
  ];
  expect(name.x + name.width).toBeLessThan(number.x - 4);
  expect(number.x + number.width).toBeLessThan(column.x + column.width + 1);
});

test('the demo: the scene is shown next to the settings, and in the middle when they are closed', async ({
  page,
}) => {
  await page.setViewportSize(SMALL);
  await openDemo(page, 'scene=tower&bodies=60&paused=1&shadows=0&hud=0&panel=1');
  const { width, height } = SMALL;
  const { x: clear } = await boxOf(page.locator('#panel'));
  /** Whether the tower is drawn there: only bodies that can be grabbed change the pointer. */
  const isTowerAt = async (x: number): Promise<boolean> => {
    await page.mouse.move(x, 0.55 * height);
    await page.mouse.down();
    const cursor = await page.locator('#canvas').evaluate((canvas) => canvas.style.cursor);
    await page.mouse.up();
    return cursor === 'grabbing';
  };
  await expect.poll(() => isTowerAt(clear / 2)).toBe(true);
  expect(await isTowerAt(width / 2)).toBe(false);
  await page.getByRole('button', { name: 'Settings' }).click();
  await expect.poll(() => isTowerAt(width / 2)).toBe(true);
});

test.describe('in a window of the size of a laptop', () => {
  test.use({ viewport: LAPTOP });

  test('the demo on a laptop: the measurements are closed until they are requested; the settings stay when they split the view', async ({
    page,
  }) => {
    const line = page.locator('.counter-line');
    await openDemo(page, `scene=tops&bodies=6&paused=1&${SMALL_PICTURE}`);
    await expect(line).toBeHidden();
    await expect(page.getByLabel('Tick rate, Hz', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Measurements' }).click();
    await expect(line).toBeVisible();
    await expect.poll(() => page.url()).toContain('hud=1');

    await page.getByLabel('Split view').focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('current state only')).toBeVisible();
    const settings = page.getByRole('button', { name: 'Settings' });
    await expect(settings).toHaveAttribute('aria-expanded', 'true');
  });

  test('the demo on a laptop: the settings of a split view are closed until there is room', async ({
    page,
  }) => {
    await openDemo(page, `scene=tops&bodies=6&paused=1&split=1&${SMALL_PICTURE}`);
    const settings = page.getByRole('button', { name: 'Settings' });
    await expect(settings).toHaveAttribute('aria-expanded', 'false');
    expect((await boxOf(page.locator('#panel'))).height).toBeLessThan(60);
    await page.setViewportSize(LARGE);
    await expect(settings).toHaveAttribute('aria-expanded', 'true');
    expect(page.url()).not.toContain('panel=');
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: PHONE });

  test('the demo on a phone: the measurements are closed and follow the window until they are requested', async ({
    page,
  }) => {
    await openDemo(page, `scene=tops&bodies=6&paused=1&${SMALL_PICTURE}`);
    const fold = page.getByRole('button', { name: 'Measurements' });
    const line = page.locator('.counter-line');
    // It loads when the simulation runs.
    await expect(fold).toBeVisible();
    await expect(line).toBeHidden();
    expect((await boxOf(page.locator('#hud'))).height).toBeLessThan(60);

    await page.setViewportSize(LARGE);
    await expect(line).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Measurements' })).toBeChecked();
    await page.setViewportSize(PHONE);
    await expect(line).toBeHidden();
    expect(page.url()).not.toContain('hud=');

    await fold.click();
    await expect(line).toHaveText(/Rendered: \d+/);
    await expect(line).toBeVisible();
    await expect.poll(() => page.url()).toContain('hud=1');
    await fold.click();
    await expect(line).toBeHidden();
    await page.keyboard.press('h');
    await expect(line).toBeVisible();
  });

  test('the demo on a phone: the settings show that there are more of them below', async ({
    page,
  }) => {
    await openDemo(page, `scene=tops&bodies=6&paused=1&panel=1&${SMALL_PICTURE}`);
    const panel = page.locator('#panel');
    await expect(panel).toHaveClass(/more-below/);
    await panel.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(panel).not.toHaveClass(/more-below/);
    await panel.evaluate((element) => element.scrollTo(0, 0));
    await expect(panel).toHaveClass(/more-below/);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(panel).not.toHaveClass(/more-below/);
  });
});

test('the demo: plots are drawn even if frames are as rare as readings', async ({ page }) => {
  const script = await page.addInitScript(() => {
    globalThis.requestAnimationFrame = (draw) =>
      Number(setTimeout(() => draw(performance.now()), 300));
  });
  await openDemo(page, `scene=tops&bodies=6&${SMALL_PICTURE}`);
  await waitForTicks(page, 30);
  // The plots' lines and points are the only blue in them.
  const withLines = () =>
    page.locator('.plot canvas').evaluateAll((canvases) =>
      canvases.map((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return false;
        const { width, height } = canvas;
        // A copy: the browser warns of reading a canvas that it draws with the graphics card.
        const copy = new OffscreenCanvas(width, height);
        const context = copy.getContext('2d', { willReadFrequently: true });
        context?.drawImage(canvas, 0, 0);
        const pixels = context?.getImageData(0, 0, width, height).data ?? [];
        for (let at = 0; at < pixels.length; at += 4) {
          const [red = 0, , blue = 0, opacity = 0] = pixels.slice(at, at + 4);
          if (opacity > 60 && blue - red > 80) return true;
        }
        return false;
      }),
    );
  await expect.poll(withLines).toEqual([true, true, true, true]);
  await script.dispose();
});
