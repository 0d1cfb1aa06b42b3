/** Common parts of the configurations of Playwright. */
import type { PlaywrightTestConfig } from '@playwright/test';
import { chromiumFlags } from '../browsers/chromium-flags.js';
import { detectChromium } from '../browsers/find-chromium.js';
import type { TestServer } from './test-server.js';

const executablePath = detectChromium();

/** Options of tests with a shared page; see `tests/browsers/shared-page.ts`. */
export interface PageOptions {
  /**
   * The page between two tests. To a document of the site with the site's headers the browser
   * navigates without starting another process, while `about:blank` needs one, whose engine would
   * have to compile everything again.
   */
  readonly blankPage: string;
}

export const launchOptions = {
  args: [...chromiumFlags],
  ...(executablePath === undefined ? {} : { executablePath }),
};

export function playwrightOptions(server: TestServer) {
  return {
    outputDir: 'test-results',
    // One browser, on any machine: another one would have to start, and to compile everything again.
    // Other tests run at the same time.
    workers: 1,
    retries: 0,
    forbidOnly: process.env.CI !== undefined,
    // The event that a test waits for either comes or never does: these limits only end a test that
    // would wait forever.
    timeout: 120_000,
    expect: { timeout: 60_000 },
    reporter: 'list',
    use: {
      baseURL: server.url,
      browserName: 'chromium',
      launchOptions,
      screenshot: 'only-on-failure',
    },
    webServer: {
      command: server.command,
      url: server.readyUrl,
      reuseExistingServer: false,
      // The server builds the site first. A server that ends is noticed at once.
      timeout: 600_000,
    },
  } satisfies PlaywrightTestConfig;
}
