/** Opens the library's test page, and fails a test that left anything on the console. */
import { testServer } from '../../scripts/test/test-server.js';
import { serveWithout } from '../browsers/serve-without.js';
import { expect, test as base, watchConsole } from '../browsers/test.js';

interface LibraryOptions {
  /** Console lines that a test provokes on purpose. */
  readonly expectedConsole: RegExp | undefined;
  /** A header, in lower case, that is missing from the page's and its workers' responses. */
  readonly missingHeader: string | undefined;
}

export const test = base.extend<LibraryOptions>({
  expectedConsole: [undefined, { option: true }],
  missingHeader: [undefined, { option: true }],
  page: async ({ page, expectedConsole, missingHeader }, use) => {
    const server =
      missingHeader === undefined ? undefined : await serveWithout(missingHeader, testServer.url);
    const consoleLines = watchConsole(page);
    await page.goto(`${server?.address ?? ''}/tests/browser/pages/library.html`);
    await page.waitForFunction(() => 'library' in globalThis);
    await use(page);
    const unexpected = (await consoleLines()).filter(
      (line) => expectedConsole?.test(line) !== true,
    );
    expect(unexpected).toEqual([]);
    if (server === undefined) return;
    // First the page: it would complain of a server that is gone.
    await page.goto('about:blank');
    await server.close();
  },
});
export { expect };
