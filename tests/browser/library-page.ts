/** Opens the library's test page, and fails a test that left anything on the console. */
import { test as base, expect } from '@playwright/test';

export const test = base.extend<{ expectedConsole: RegExp | undefined }>({
  /** Console lines that a test provokes on purpose. */
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, expectedConsole }, use) => {
    const lines: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning' || message.type() === 'error') lines.push(message.text());
    });
    page.on('pageerror', (error) => lines.push(String(error)));
    await page.goto('/tests/browser/pages/library.html');
    await page.waitForFunction(() => 'library' in globalThis);
    await use(page);
    const unexpected = lines.filter((line) => expectedConsole?.test(line) !== true);
    expect(unexpected).toEqual([]);
  },
});
export { expect };
