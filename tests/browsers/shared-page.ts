/**
 * Playwright's `test` with one page for all tests of a process of the runner. The browser has then
 * parsed and compiled what they load: the demo takes a third of the processor time of a page in its
 * own context, the library's page a quarter. A test still loads what it needs by itself, and begins
 * on an empty page; after a failed test, the runner starts another process and with it another
 * browser.
 */
import { expect, test as base, type Page } from '@playwright/test';
import type { PageOptions } from '../../scripts/test/playwright-options.js';

export const test = base.extend<PageOptions, { sharedPage: Page }>({
  blankPage: ['about:blank', { option: true }],
  /** Not for tests: their `page` is this one, tidied up. */
  sharedPage: [
    async ({ browser }, use, { project }) => {
      const { baseURL, viewport } = project.use;
      const context = await browser.newContext({
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(viewport === undefined ? {} : { viewport }),
      });
      // The time limit of the test is the only one.
      context.setDefaultTimeout(0);
      await use(await context.newPage());
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ sharedPage: page, viewport, blankPage }, use) => {
    if (viewport !== null) await page.setViewportSize(viewport);
    await use(page);
    // Ends whatever the test has left, workers included. Their output still belongs to the test.
    if (page.url() !== 'about:blank') await page.goto(blankPage);
    await expect.poll(() => page.workers().length).toBe(0);
    await page.unrouteAll();
    for (const event of LISTENED_TO) await page.removeAllListeners(event);
    await page.emulateMedia({ reducedMotion: null });
    await page.mouse.move(0, 0);
  },
});

/** The test's listeners on its page. */
const LISTENED_TO = ['console', 'pageerror', 'request', 'response'] as const;
