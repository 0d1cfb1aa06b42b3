/** Opens the library's test page, and fails a test that left anything on the console. */
import { expect, test as base, watchConsole } from '../browsers/test.js';

export const test = base.extend<{ expectedConsole: RegExp | undefined }>({
  /** Console lines that a test provokes on purpose. */
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, expectedConsole }, use) => {
    const consoleLines = watchConsole(page);
    await page.goto('/tests/browser/pages/library.html');
    await page.waitForFunction(() => 'library' in globalThis);
    await use(page);
    const unexpected = (await consoleLines()).filter(
      (line) => expectedConsole?.test(line) !== true,
    );
    expect(unexpected).toEqual([]);
  },
});
export { expect };
