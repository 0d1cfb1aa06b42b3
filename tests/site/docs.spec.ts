/** The documentation as readers get it: readable on a phone, with a search and samples that run. */
import type { Page } from '@playwright/test';
import { expect, expectGoodPage, test } from './site-page.js';

/** Until it is mounted, and not only rendered. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => '__vue_app__' in (document.getElementById('app') ?? {}));
  await expect(page.locator('h1')).toBeVisible();
}

// One of each kind of document.
for (const path of ['', 'how-it-works.html', 'api/', '404.html']) {
  test(`the document /docs/${path} fits on a phone, and axe finds nothing in it`, async ({
    page,
  }) => {
    await open(page, `/docs/${path}`);
    await expectGoodPage(page);
  });
}

test('the search of the documentation finds names of the reference, which link to their guides', async ({
  page,
}) => {
  await open(page, '/docs/');
  await page.getByRole('button', { name: 'Search' }).first().click();
  const links = page.getByRole('dialog').getByRole('link');
  // Words of those who do not know the name.
  for (const word of ['raycast', 'jump', 'ground']) {
    await page.getByRole('searchbox').fill(word);
    await expect(links.filter({ hasText: /World\.castRay$/ }), word).toBeVisible();
    if (word !== 'raycast') await expect(links.first()).toHaveText(/Jump from the ground$/);
  }
  await page.getByRole('searchbox').fill('createWorld');
  const found = links.filter({ hasText: /createWorld$/ });
  await found.first().click();
  await expect(page).toHaveURL(/\/docs\/api\/world\.html#createworld$/);
  await expect(page.getByRole('heading', { name: 'createWorld' }).first()).toBeVisible();
  await page.getByRole('link', { name: 'A world', exact: true }).click();
  await expect(page).toHaveURL(/\/docs\/world\.html#a-world$/);
});

test('a sample of the documentation runs when it is asked to, with shared memory', async ({
  page,
}) => {
  await open(page, '/docs/world.html');
  expect(page.frames()).toHaveLength(1);
  await page.getByRole('button', { name: 'Run: the first world' }).click();
  await page.frameLocator('iframe[title="the first world"]').locator('canvas').waitFor();
  expect(await page.frames()[1]?.evaluate(() => crossOriginIsolated)).toBe(true);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.locator('iframe')).toHaveCount(0);
});

test('each page is Markdown, too, next to its HTML, and llms.txt lists them with links that lead there', async ({
  request,
}) => {
  const folder = '/docs/';
  const list = await (await request.get(`${folder}llms.txt`)).text();
  const links = [...list.matchAll(/^- \[(.+)\]\((.+)\.md\)$/gm)];
  expect(links.length).toBeGreaterThan(50);
  for (const [, title, page] of links) {
    const text = await (await request.get(`${folder}${page}.md`)).text();
    expect(text.replaceAll('`', ''), page).toContain(`# ${title}\n`);
    expect((await request.get(`${folder}${page}.html`)).status(), page).toBe(200);
  }
});
