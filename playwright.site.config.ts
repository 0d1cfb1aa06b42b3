/** The tests of the built site: what people do with its pages, and the demo on a fast display. */
import { defineConfig } from '@playwright/test';
import {
  launchOptions,
  type PageOptions,
  playwrightOptions,
} from './scripts/test/playwright-options.js';
import { blankPage, siteServer } from './scripts/test/test-server.js';

const launchQuickly = {
  ...launchOptions,
  // Pages live for seconds here: optimising the engines' WebAssembly would take more than it saves, a quarter of
  // all processor time. What optimised code computes is seen to by the golden runs in tests/browser.
  args: [...launchOptions.args, '--js-flags=--liftoff-only'],
};

export default defineConfig<PageOptions>({
  ...playwrightOptions(siteServer),
  projects: [
    {
      name: 'site',
      testDir: 'tests/site',
      use: { blankPage: `/${blankPage}`, launchOptions: launchQuickly },
    },
    {
      name: 'soak',
      testDir: 'tests/attack/soak',
      timeout: 0,
      use: { viewport: { width: 800, height: 600 }, launchOptions: launchQuickly },
    },
    {
      name: 'display-144',
      testDir: 'tests/display',
      workers: 1,
      fullyParallel: false,
      use: {
        headless: false,
        // Small, because WebGL is drawn by the CPU and has 6.9 ms a frame here.
        viewport: { width: 640, height: 360 },
        launchOptions: {
          ...launchOptions,
          // A desktop's Wayland session would otherwise win over DISPLAY.
          args: [...launchOptions.args, '--ozone-platform=x11', '--window-position=0,0'],
        },
      },
    },
  ],
});
