/**
 * Every page of the site: axe finds nothing, and the keyboard alone reaches all controls.
 *
 * axe leaves some contrasts to people, such as those of texts over the drawing. They are not counted.
 */
import { existsSync, readdirSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { SMALL_PICTURE, expect, test } from './demo-page.js';
import { unreachable } from './reach.js';

interface PageToCheck {
  readonly path: string;
  /** Until everything that is looked at is there. */
  readonly ready: (page: Page) => Promise<unknown>;
}

/** The loading screen is gone, and not only on its way. */
const loaded = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => 'betwixt' in globalThis && globalThis.betwixt.stats().tick > 2);
  await expect(page.locator('#loading')).toBeHidden();
};
const shows = (selector: string) => (page: Page) =>
  expect(page.locator(selector).first()).toBeVisible();
/** The line with what an example measures or counts. */
const runs = (page: Page): Promise<unknown> =>
  expect(page.locator('output').first()).not.toHaveText('The physics loads …');
/** Mounted, not only rendered. */
const mounted = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => '__vue_app__' in (document.getElementById('app') ?? {}));

// Fiber uses it; and the browser notes that there is no server of rooms.
test.use({ expectedConsole: /THREE\.Clock|\/rooms\/0\/matchmake\// });

const demo = (settings: string): string => `/?${settings}&${SMALL_PICTURE}`;

const PAGES: readonly PageToCheck[] = [
  { path: demo('scene=tower&bodies=6&hud=1&panel=1'), ready: loaded },
  { path: demo('scene=vehicle&bodies=6&split=1&hud=1&panel=0'), ready: loaded },
  { path: demo('render=worker&scene=tops&bodies=6&hud=1&panel=1'), ready: loaded },
  { path: '/lab.html', ready: shows('#table:not([aria-busy="true"]) tbody tr') },
  { path: '/bench.html', ready: shows('#findings dd') },
  { path: '/examples/react.html', ready: shows('figcaption output') },
  ...['basic', 'boxes', 'character', 'instancing', 'joints', 'pool', 'terrain', 'vehicle'].map(
    (name) => ({ path: `/examples/${name}/`, ready: runs }),
  ),
  // Without a server of rooms: what it asks, and what it says then.
  { path: '/examples/rooms/', ready: shows('#join[open]') },
  { path: '/examples/rooms/?name=Ada', ready: shows('#problem[open]') },
  // One of each kind of document.
  ...['', 'asynchronous.html', 'browsers.html', 'api/', 'api/three.html'].map((name) => ({
    path: `/docs/${name}`,
    ready: mounted,
  })),
];

test('every page of the site is among them', () => {
  const names = readdirSync('.').filter((name) => name.endsWith('.html'));
  const examples = readdirSync('examples').flatMap((name) => {
    if (name.endsWith('.html')) return [`/examples/${name}`];
    return existsSync(`examples/${name}/index.html`) ? [`/examples/${name}/`] : [];
  });
  const paths = [...names.map((name) => (name === 'index.html' ? '/' : `/${name}`)), ...examples];
  expect(paths.length).toBeGreaterThan(10);
  const checked = new Set(PAGES.map(({ path }) => path.replace(/\?.*/, '')));
  expect(paths.filter((path) => !checked.has(path))).toEqual([]);
});

async function expectNothingFound(page: Page): Promise<void> {
  const { violations, passes } = await new AxeBuilder({ page }).analyze();
  expect(passes.length).toBeGreaterThan(10);
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
  expect(found).toEqual([]);
}

test("axe finds nothing in the documentation's search", async ({ page }) => {
  await page.goto('/docs/');
  await mounted(page);
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.getByRole('searchbox').fill('world');
  await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
  await expectNothingFound(page);
});

for (const { path, ready } of PAGES) {
  test(path, async ({ page }) => {
    // Small, because the CPU draws the examples.
    if (path.startsWith('/examples/')) await page.setViewportSize({ width: 480, height: 320 });
    await page.goto(path);
    await ready(page);
    await test.step('axe finds nothing', () => expectNothingFound(page));
    await test.step('Tab reaches everything', async () => {
      expect(await unreachable(page)).toEqual([]);
    });
  });
}
