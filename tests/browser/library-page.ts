/** Opens the library's test page. */
import { testServer } from '../../scripts/test/test-server.js';
import { serveWithout } from '../browsers/serve-without.js';
import { expect, test as base } from '../browsers/test.js';

export const test = base.extend<{
  /** A header, in lower case, that is missing from the page's and its workers' responses. */
  readonly missingHeader: string | undefined;
}>({
  missingHeader: [undefined, { option: true }],
  page: async ({ page, missingHeader }, use) => {
    const server =
      missingHeader === undefined ? undefined : await serveWithout(missingHeader, testServer.url);
    await page.goto(`${server?.address ?? ''}/tests/browser/pages/library.html`);
    await page.waitForFunction(() => 'library' in globalThis);
    await use(page);
    if (server === undefined) return;
    // First the page: it would complain of a server that is gone.
    await page.goto('about:blank');
    await server.close();
  },
});
export { expect };
