/** The documentation as readers get it: small, readable on a phone, in light and dark, with a search. */
import { gzipSync } from 'node:zlib';
import type { Frame, Page, Response } from '@playwright/test';
import { expect, test } from './demo-page.js';

const PHONE = { width: 390, height: 844 };

/** The addresses of all pages, from VitePress's own list of them. */
async function allPages(page: Page): Promise<string[]> {
  const list: Record<string, string> = await (await page.request.get('/docs/hashmap.json')).json();
  return Object.keys(list).map((name) => `/docs/${name.replace('.md', '').replace('_', '/')}.html`);
}

/** How far the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

test.afterEach(async ({ page }) => {
  await page.emulateMedia({ colorScheme: null });
  await page.evaluate(() => localStorage.clear());
});

test('a page loads less than 100 kB of script, and nothing from elsewhere', async ({
  page,
  baseURL,
}) => {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  for (const path of ['/docs/', '/docs/api/world.html', '/docs/guide.html']) {
    responses.length = 0;
    await page.goto(path);
    // Mounted: whatever it loads by itself is requested.
    await page.waitForFunction(() => '__vue_app__' in (document.getElementById('app') ?? {}));
    const scripts = responses.filter((response) => response.request().resourceType() === 'script');
    expect(scripts.length).toBeGreaterThan(2);
    const requests = scripts.map((script) => page.request.get(script.url()));
    const bodies = await Promise.all((await Promise.all(requests)).map((script) => script.body()));
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes, path).toBeGreaterThan(10_000);
    expect(bytes, path).toBeLessThan(100_000);
    const elsewhere = responses.map((response) => response.url()).filter((url) => !isOf(url));
    expect(elsewhere).toEqual([]);
  }
  function isOf(url: string): boolean {
    return url.startsWith(`${baseURL}/docs/`) || url.startsWith('data:');
  }
});

test('no page is wider than a phone', async ({ page }) => {
  await page.setViewportSize(PHONE);
  const paths = await allPages(page);
  expect(paths).toContain('/docs/api/world.html');
  expect(paths.length).toBeGreaterThan(30);
  for (const path of paths) {
    await page.goto(path);
    await expect(page.locator('h1')).toBeVisible();
    expect(await overflow(page), path).toBe(0);
  }
});

test('pages are light and dark as the system is, and as the switch says', async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  for (const viewport of [PHONE, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/docs/browsers.html');
    const light = await background();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(background).not.toBe(light);
    expect(await overflow(page)).toBe(0);
  }
  await page.locator('.VPSwitchAppearance:visible').click();
  await expect(page.locator('html')).not.toHaveClass(/dark/);
});

test('the search finds a name of the reference', async ({ page }) => {
  await page.goto('/docs/');
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('createWorld');
  await page
    .getByRole('dialog')
    .getByRole('link')
    .filter({ hasText: /createWorld$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/api\/world\.html#createworld$/);
  await expect(
    page.getByRole('heading', { name: 'createWorld', exact: false }).first(),
  ).toBeVisible();
});

test('a document that the repository shows with its folder has links to the same pages', async ({
  page,
}) => {
  await page.goto('/docs/');
  await page.locator('.vp-doc').getByRole('link', { name: 'API reference' }).click();
  await expect(page).toHaveURL(/\/docs\/api\/(?:index\.html)?$/);
  await expect(page.locator('h1')).toContainText('API reference');
  await page.locator('.vp-doc').getByRole('link', { name: 'betwixt/world', exact: true }).click();
  await expect(page.locator('h1')).toContainText('betwixt/world');
});

/** How many pixels of the picture in a frame are of a strong color, as the ball's faces are and the grid is not. */
const colored = (frame: Frame): Promise<number> =>
  frame.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // After the page's own callback of this frame: later the picture is gone.
        requestAnimationFrame(() => {
          const picture = document.querySelector('canvas') as HTMLCanvasElement;
          const copy = new OffscreenCanvas(picture.width, picture.height);
          const context = copy.getContext('2d') as OffscreenCanvasRenderingContext2D;
          context.drawImage(picture, 0, 0);
          const { data } = context.getImageData(0, 0, copy.width, copy.height);
          let count = 0;
          for (let at = 0; at < data.length; at += 4) {
            const channels = [...data.subarray(at, at + 3)];
            if (Math.max(...channels) - Math.min(...channels) > 100) count += 1;
          }
          resolve(count);
        });
      }),
  );

test('the first sample runs in the page when it is asked to, with shared memory', async ({
  page,
}) => {
  await page.goto('/docs/');
  expect(page.frames()).toHaveLength(1);
  await page.getByRole('button', { name: 'Run: the first world' }).click();
  const sample = page.frameLocator('iframe[title="the first world"]');
  await sample.locator('canvas').waitFor();
  const frame = page.frames()[1] as Frame;
  expect(await frame.evaluate(() => crossOriginIsolated)).toBe(true);
  // The ball begins above the picture and stays on the grid.
  await expect.poll(() => colored(frame)).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('a demo ends when another one begins', async ({ page }) => {
  await page.goto('/docs/world-systems.html');
  await page.getByRole('button', { name: 'Run: a character' }).click();
  await expect(page.locator('iframe')).toHaveAttribute('title', 'a character');
  await page.getByRole('button', { name: 'Run: a vehicle' }).click();
  await expect(page.locator('iframe')).toHaveCount(1);
  await expect(page.locator('iframe')).toHaveAttribute('title', 'a vehicle');
});

test('a moving picture stops when it is asked to', async ({ page }) => {
  await page.goto('/docs/how-it-works.html');
  const picture = page.locator('.picture').first();
  const address = await picture.locator('img').getAttribute('src');
  await picture.getByRole('button', { name: 'Pause' }).click();
  await expect(picture.locator('img')).toHaveAttribute('src', /^data:image\/svg.*paused/);
  await picture.getByRole('button', { name: 'Play' }).click();
  await expect(picture.locator('img')).toHaveAttribute('src', new RegExp(`${address}$`));
});
