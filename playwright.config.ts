/** The tests of the library in browsers, on pages of their own. */
import { defineConfig } from '@playwright/test';
import { browserName, drivenSpecs } from './scripts/driven-browsers.js';
import { twoHalves, playwrightOptions } from './scripts/playwright-options.js';
import { testServer } from './scripts/test-server.js';

export default defineConfig({
  ...playwrightOptions(testServer),
  // The environment chooses the browser, because that decides what the specs' `page` is.
  projects: twoHalves(
    browserName === 'chromium'
      ? { name: 'browser', testDir: 'tests/browser' }
      : { name: browserName, testDir: 'tests/browser', testMatch: [...drivenSpecs] },
  ),
});
