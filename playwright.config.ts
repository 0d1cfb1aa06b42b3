/** The tests of the library in browsers, on its own pages. */
import { defineConfig } from '@playwright/test';
import { browserName, drivenSpecs } from './scripts/browsers/driven-browsers.js';
import { playwrightOptions, type PageOptions } from './scripts/test/playwright-options.js';
import { blankPage, testServer } from './scripts/test/test-server.js';

/** For tests that watch the clock: one at a time, and nothing else at the same time. */
const REAL_TIME = {
  testDir: 'tests/real-time',
  // Worker threads are Vitest's, in the same folder.
  testMatch: '*.spec.ts',
  workers: 1,
  fullyParallel: false,
} as const;

const options = playwrightOptions(testServer);

export default defineConfig<PageOptions>({
  ...options,
  use: { ...options.use, blankPage: `/${blankPage}` },
  // The environment chooses the browser, because that decides what the specs' `page` is.
  projects:
    browserName === 'chromium'
      ? [
          // The site's tests open the examples. WebGPU on the CPU takes a minute, and a change of the library hardly breaks it.
          {
            name: 'browser',
            testDir: 'tests/browser',
            testIgnore: ['examples.spec.ts', 'renderers.spec.ts'],
          },
          { name: 'renderers', testDir: 'tests/browser', testMatch: 'renderers.spec.ts' },
          { name: 'peers', testDir: 'tests/peers' },
          { name: 'real-time', ...REAL_TIME },
        ]
      : [
          { name: browserName, testDir: 'tests/browser', testMatch: [...drivenSpecs] },
          { name: `${browserName}-real-time`, ...REAL_TIME },
        ],
});
