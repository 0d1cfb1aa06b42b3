/**
 * Playwright's `test` for cases that are written once and run in every browser: with Playwright's
 * page in Chromium, with a driven one in the others, which Playwright supports only as its own
 * builds.
 */
import { expect, test as base, type TestType } from '@playwright/test';
import {
  browserName,
  commandVariable,
  windowVariable,
} from '../../scripts/browsers/driven-browsers.js';
import { testServer } from '../../scripts/test/test-server.js';
import { DrivenPage, type DrivenBrowser } from './driven-page.js';
import { startFirefox } from './firefox.js';
import { test as shared } from './shared-page.js';
import type { TestPage } from './test-page.js';
import { startWebKit } from './webkit.js';

/** Options of the tests of one file. */
export interface DrivenOptions {
  /** Whether the browser should have a window, if there is a display: without one, Firefox has no WebGL. */
  readonly hasWindow: boolean;
}

const driven = base.extend<object, DrivenOptions & { drivenBrowser: DrivenBrowser }>({
  hasWindow: [false, { option: true, scope: 'worker' }],
  drivenBrowser: [
    async ({ hasWindow }, use) => {
      const command = process.env[commandVariable];
      if (command === undefined) throw new Error(`${commandVariable} is not set.`);
      const canHaveWindow = hasWindow && process.env[windowVariable] !== undefined;
      const browser = await (browserName === 'firefox'
        ? startFirefox(command, canHaveWindow)
        : startWebKit(command));
      console.log(`This is ${browser.version}.`);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  page: async ({ drivenBrowser }, use) => {
    // Messages of the last test's page after that test ended.
    await drivenBrowser.takeConsole();
    const page = new DrivenPage(drivenBrowser, testServer.url);
    await use(page as never);
    // Ends whatever the test has left, workers included.
    await page.goto('about:blank');
  },
});

const either = (browserName === 'chromium' ? shared : driven) as unknown as TestType<
  { page: TestPage },
  DrivenOptions
>;

/** Messages of the software renderer, and of three.js about the clock of fiber. */
const NOT_OURS = /GL Driver Message|THREE\.Clock/;

/** Fails if a page has left a warning or an error on the console. */
export const test = either.extend<{
  /** Lines that a test provokes on purpose. */
  readonly expectedConsole: RegExp | undefined;
}>({
  expectedConsole: [undefined, { option: true }],
  page: async ({ page, expectedConsole }, use) => {
    const consoleLines = watchConsole(page);
    await use(page);
    const unexpected = (await consoleLines()).filter(
      (line) => !NOT_OURS.test(line) && expectedConsole?.test(line) !== true,
    );
    expect(unexpected).toEqual([]);
  },
});

/** Skips the test if the browser cannot draw in three dimensions. */
export async function needWebGL(page: TestPage): Promise<void> {
  await page.goto('/tests/browser/pages/blank.html');
  const hasWebGL = await page.evaluate(
    () => document.createElement('canvas').getContext('webgl2') !== null,
  );
  base.skip(!hasWebGL, 'this browser has no WebGL 2: Firefox needs a window for it');
}

/** Records warnings and errors from now on. @returns A function that returns the lines so far. */
export function watchConsole(page: TestPage): () => Promise<readonly string[]> {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning' || message.type() === 'error') lines.push(message.text());
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  return async () => {
    if (page instanceof DrivenPage) await page.reportConsole();
    return lines;
  };
}

/** Waits until a page has that many workers. Firefox keeps the threads of ended ones for later, so they do not tell there. */
export async function expectWorkers(page: TestPage, count: number): Promise<void> {
  if (browserName === 'firefox') return;
  await expect.poll(() => page.workers().length).toBe(count);
}

/** The same for what only Chromium can do. */
export const chromiumTest = test as unknown as typeof shared;
export { expect, browserName, type TestPage };
