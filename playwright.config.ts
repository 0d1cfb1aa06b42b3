import { defineConfig } from '@playwright/test';
import { chromiumFlags } from './scripts/chromium-flags.js';
import { browserName, drivenSpecs } from './scripts/driven-browsers.js';
import { detectChromium } from './scripts/find-chromium.js';
import { fastDisplayLaunch } from './scripts/fast-display.js';
import { testServer } from './scripts/test-server.js';

const executablePath = detectChromium();
const launchOptions = {
  args: [...chromiumFlags],
  ...(executablePath === undefined ? {} : { executablePath }),
};
const fastDisplay = fastDisplayLaunch(process.env);

export default defineConfig({
  outputDir: 'test-results',
  // One browser at a time: two would compete for the processor and disturb what is measured.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    baseURL: testServer.url,
    browserName: 'chromium',
    launchOptions,
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'browser', testDir: 'tests/browser' },
    { name: 'e2e', testDir: 'tests/e2e' },
    {
      name: 'display-144',
      testDir: 'tests/display',
      use: {
        headless: false,
        // Small, because WebGL is drawn by the CPU and has 6.9 ms a frame here.
        viewport: { width: 640, height: 360 },
        launchOptions: {
          ...launchOptions,
          args: [...launchOptions.args, ...fastDisplay.args],
          env: fastDisplay.env,
        },
      },
    },
    // Only where the environment chooses that browser: it decides what the specs' `page` is.
    ...(browserName === 'chromium'
      ? []
      : [{ name: browserName, testDir: 'tests/browser', testMatch: [...drivenSpecs] }]),
  ],
  webServer: {
    command: testServer.command,
    // Exists whatever pages the project has, so it tells that the server is up.
    url: `${testServer.url}/@vite/client`,
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
