/** What the configurations of Playwright have in common. */
import type { PlaywrightTestConfig, PlaywrightTestProject } from '@playwright/test';
import { chromiumFlags } from './chromium-flags.js';
import { detectChromium } from './find-chromium.js';
import { halvesOf } from './test-halves.js';
import type { TestServer } from './test-server.js';

const executablePath = detectChromium();

export const launchOptions = {
  args: [...chromiumFlags],
  ...(executablePath === undefined ? {} : { executablePath }),
};

export function playwrightOptions(server: TestServer) {
  return {
    outputDir: 'test-results',
    // Browsers at a time, on any machine. Playwright would take half of the cores, but these tests mostly wait: three leave
    // two cores an eighth of their time idle.
    workers: 3,
    fullyParallel: false,
    retries: 0,
    forbidOnly: process.env.CI !== undefined,
    // Long, for a busy machine: how long something takes is not what is tested.
    timeout: 120_000,
    expect: { timeout: 20_000 },
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
      timeout: 60_000,
    },
  } satisfies PlaywrightTestConfig;
}

/** The tag of a test that compares times, or that takes processor time from those that do. */
const CLOCK = /@clock/;

/**
 * A project in two halves, to be run one after the other, several browsers at a time in both. They share the cores, which
 * leaves what is counted and ordered as it is, but not what is timed. What watches the clock is tagged `@clock`: these
 * tests mostly wait, so they leave each other time, and nothing else runs beside them.
 */
export function twoHalves(project: PlaywrightTestProject & { readonly name: string }) {
  const [company, clock] = halvesOf(project.name);
  return [
    { ...project, name: company, grepInvert: CLOCK },
    { ...project, name: clock, grep: CLOCK },
  ];
}
